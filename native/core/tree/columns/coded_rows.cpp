#include "core/tree/columns/coded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// How many cuts lie below a number. The steps do not depend on it, so that there is no branch to mispredict.
std::int32_t cuts_below(const double* cuts, std::int64_t size, double number) {
    const double* first = cuts;
    while (size > 1) {
        const std::int64_t half = size / 2;
        first += first[half - 1] < number ? half : 0;
        size -= half;
    }
    return static_cast<std::int32_t>(first - cuts) + (size == 1 && *first < number ? 1 : 0);
}

void widen(CodeRange& range, std::int32_t code, double value) {
    double& low = range.low[static_cast<std::size_t>(code)];
    double& high = range.high[static_cast<std::size_t>(code)];
    low = std::min(low, value);
    high = std::max(high, value);
}

// Calls write(i, code) for rows first, ..., last - 1 of one column.
template <class Write>
void code_column(const Column& column, const ColumnCuts& cuts, bool has_levels, const double* w,
                 std::int64_t first, std::int64_t last, CodeRange& range, Write&& write) {
    with_elements(column, [&](const auto* cells) {
        for (std::int64_t i = first; i < last; ++i) {
            if (w && w[i] == 0.0) {
                write(i, cuts.bins);
                continue;
            }
            const auto number = static_cast<double>(cells[i * column.stride]);
            const bool lacks = has_levels ? number < 0.0 : std::isnan(number);
            const std::int32_t code = lacks        ? cuts.bins
                                      : has_levels ? static_cast<std::int32_t>(number)
                                                   : cuts_below(cuts.cuts.data, cuts.cuts.size, number);
            range.missing |= code == cuts.bins;
            if (!has_levels && code != cuts.bins) widen(range, code, number);
            write(i, code);
        }
    });
}

void merge(const std::vector<CodeRange>& more, std::vector<CodeRange>& ranges) {
    for (std::size_t j = 0; j < ranges.size(); ++j) {
        ranges[j].missing |= more[j].missing;
        for (std::size_t code = 0; code < ranges[j].low.size(); ++code) {
            ranges[j].low[code] = std::min(ranges[j].low[code], more[j].low[code]);
            ranges[j].high[code] = std::max(ranges[j].high[code], more[j].high[code]);
        }
    }
}

template <class T>
void code_all(const ColumnPlan& plan, std::span<const ColumnCuts> cuts, const double* w, int threads,
              CodedRows& out) {
    constexpr std::int64_t rows_at_once = 8192;  // whose codes stay in the cache from column to column
    const auto columns = static_cast<std::int64_t>(plan.columns.size());
    auto* codes = reinterpret_cast<T*>(out.bytes.data());
    const std::vector<CodeRange> empty = out.ranges;
    std::mutex merging;
    parallel_rows(plan.columns.front().size, rows_at_once, threads,
                  [&](std::int64_t first, std::int64_t last) {
                      std::vector<CodeRange> ranges = empty;
                      for (std::int64_t j = 0; j < columns; ++j) {
                          const auto at = static_cast<std::size_t>(j);
                          code_column(plan.columns[at], cuts[at], plan.levels.data[j] >= 0, w, first, last,
                                      ranges[at], [&](std::int64_t i, std::int32_t code) {
                                          codes[i * columns + j] = static_cast<T>(code);
                                      });
                      }
                      const std::lock_guard lock(merging);  // smallest and largest do not depend on the order
                      merge(ranges, out.ranges);
                  });
}

void check_cuts(const ColumnPlan& plan, std::span<const ColumnCuts> cuts) {
    if (cuts.size() != plan.columns.size()) refuse("columns and cuts must have the same length.");
    for (std::size_t j = 0; j < cuts.size(); ++j) {
        const std::int32_t levels = plan.levels.data[j];
        const Vector<double>& list = cuts[j].cuts;
        if (levels >= 0 ? cuts[j].bins != levels || list.size != 0
                        : list.size != std::max(0, cuts[j].bins - 1))
            refuse("cuts[", j,
                   "] must lie between the codes of the column: one less than there are codes, "
                   "none where there are levels.");
        for (std::int64_t b = 1; b < list.size; ++b)
            if (!(list.data[b - 1] < list.data[b])) refuse("cuts[", j, "] must ascend.");
    }
}

void check_levels(const ColumnPlan& plan) {
    for (std::size_t j = 0; j < plan.columns.size(); ++j) {
        const std::int32_t levels = plan.levels.data[j];
        if (levels < 0) continue;
        const Column& column = plan.columns[j];
        const auto* cells = static_cast<const std::int32_t*>(column.data);
        for (std::int64_t i = 0; i < column.size; ++i) {
            const std::int32_t code = cells[i * column.stride];
            if (code < -1 || code >= levels)
                refuse("columns[", j, "][", i, "] must be -1 or a level below ", levels, "; got ", code, ".");
        }
    }
}

}  // namespace

CodedRows code_rows(const ColumnPlan& plan, std::span<const ColumnCuts> cuts, const Vector<double>* w,
                    int threads) {
    check_plan(plan, w, 0);
    check_cuts(plan, cuts);
    check_levels(plan);
    CodedRows out;
    std::int32_t most = 0;
    for (std::size_t j = 0; j < cuts.size(); ++j) {
        most = std::max(most, cuts[j].bins);
        const std::size_t values = plan.levels.data[j] < 0 ? static_cast<std::size_t>(cuts[j].bins) : 0;
        out.ranges.push_back(
            {std::vector<double>(values, infinity), std::vector<double>(values, -infinity), false});
    }
    out.width = code_width(most);
    out.bytes =
        Buffer<std::uint8_t>(plan.columns.front().size, static_cast<std::int64_t>(cuts.size()) * out.width);
    const double* weights = w ? w->data : nullptr;
    if (out.width == 1)
        code_all<std::uint8_t>(plan, cuts, weights, threads, out);
    else if (out.width == 2)
        code_all<std::uint16_t>(plan, cuts, weights, threads, out);
    else
        code_all<std::uint32_t>(plan, cuts, weights, threads, out);
    return out;
}

void check_codes(const RowCodes& codes, std::span<const std::int32_t> bins) {
    if (bins.empty() || codes.columns != std::ssize(bins))
        refuse("codes must have one column for each of ", bins.size(), " columns, at least one.");
    if (codes.rows >= std::int64_t{1} << 31) refuse("a tree takes at most 2**31 - 1 rows.");
    with_width(codes.bytes, codes.width, 1, [&](const auto& cells) {
        using T = std::remove_cvref_t<decltype(*cells.first)>;
        std::vector<T> most(bins.size(), T{0});
        for (std::int64_t i = 0; i < codes.rows; ++i) {
            const T* row = cells.first + i * codes.columns;
            for (std::size_t j = 0; j < most.size(); ++j) most[j] = std::max(most[j], row[j]);
        }
        for (std::size_t j = 0; j < most.size(); ++j)
            if (std::int64_t{most[j]} > bins[j])
                refuse("codes of column ", j, " must be at most ", bins[j], "; got ", most[j], ".");
    });
}

CodedTable table_of(const RowCodes& codes, std::span<const ColumnCodes> columns, int threads) {
    std::vector<std::int32_t> bins;
    for (const ColumnCodes& column : columns) bins.push_back(column.bins);
    check_codes(codes, bins);
    CodedTable table;
    table.n_rows = codes.rows;
    std::int64_t size = 0;
    for (const ColumnCodes& given : columns) {
        CodedColumn& column = table.columns.emplace_back();
        column.bins = given.bins;
        column.width = code_width(given.bins);
        column.nominal = given.nominal;
        column.missing = given.range.missing;
        column.low = given.range.low;
        if (given.range.high != given.range.low) column.high = given.range.high;
        add_marks(column);
        size += aligned_size(codes.rows * column.width);
    }
    table.codes = Buffer<std::uint8_t>(size);
    std::uint8_t* next = table.codes.data();
    for (CodedColumn& column : table.columns) {
        column.bytes = {next, static_cast<std::size_t>(codes.rows * column.width)};
        next += aligned_size(codes.rows * column.width);
    }
    parallel_for(codes.columns, threads, [&](std::int64_t j) {
        CodedColumn& column = table.columns[static_cast<std::size_t>(j)];
        with_column(codes, j, [&](const auto& view) {
            const auto write = [&](auto* out) {
                for (std::int64_t i = 0; i < codes.rows; ++i)
                    out[i] = static_cast<std::remove_reference_t<decltype(*out)>>(
                        view[static_cast<std::int32_t>(i)]);
            };
            std::uint8_t* bytes = column.bytes.data();
            if (column.width == 1)
                write(bytes);
            else if (column.width == 2)
                write(reinterpret_cast<std::uint16_t*>(bytes));
            else
                write(reinterpret_cast<std::uint32_t*>(bytes));
        });
    });
    add_lines(table, threads);
    return table;
}

}  // namespace hornbook
