#include "core/tree/columns/coded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::int64_t batch = 256;  // numbers that are searched together

// Number of cuts below each number: a branchless binary search whose steps do not depend on the numbers, so
// that the compiler can vectorize it.
HORNBOOK_WIDE void count_cuts_below(const double* cuts, std::int64_t size, const double* numbers,
                                    std::int64_t count, std::int32_t* out) {
    std::fill_n(out, count, 0);
    for (; size > 1; size -= size / 2) {
        const auto half = static_cast<std::int32_t>(size / 2);
        for (std::int64_t i = 0; i < count; ++i) out[i] += cuts[out[i] + half - 1] < numbers[i] ? half : 0;
    }
    if (size == 1)
        for (std::int64_t i = 0; i < count; ++i) out[i] += cuts[out[i]] < numbers[i] ? 1 : 0;
}

void widen(CodeRange& range, std::int32_t code, double value) {
    double& low = range.low[static_cast<std::size_t>(code)];
    double& high = range.high[static_cast<std::size_t>(code)];
    low = std::min(low, value);
    high = std::max(high, value);
}

// Calls write(i, code) for rows first, ..., last - 1 of a column of numbers.
template <class Write>
void code_numbers(const Column& column, const ColumnCuts& cuts, const double* w, std::int64_t first,
                  std::int64_t last, CodeRange& range, Write&& write) {
    double numbers[batch];
    std::int32_t codes[batch];
    for (; first < last; first += batch) {
        const std::int64_t count = std::min(batch, last - first);
        with_elements(column, [&](const auto* cells) {
            for (std::int64_t i = 0; i < count; ++i)
                numbers[i] = static_cast<double>(cells[(first + i) * column.stride]);
        });
        count_cuts_below(cuts.cuts.data, cuts.cuts.size, numbers, count, codes);
        for (std::int64_t i = 0; i < count; ++i) {
            const bool counts = !w || w[first + i] != 0.0;
            const std::int32_t code = counts && !std::isnan(numbers[i]) ? codes[i] : cuts.bins;
            if (code != cuts.bins)
                widen(range, code, numbers[i]);
            else
                range.missing |= counts;
            write(first + i, code);
        }
    }
}

// The same for a column of levels.
template <class Write>
void code_levels(const Column& column, const ColumnCuts& cuts, const double* w, std::int64_t first,
                 std::int64_t last, CodeRange& range, Write&& write) {
    const auto* cells = static_cast<const std::int32_t*>(column.data);
    for (std::int64_t i = first; i < last; ++i) {
        const std::int32_t level = cells[i * column.stride];
        const bool counts = !w || w[i] != 0.0;
        const std::int32_t code = counts && level >= 0 ? level : cuts.bins;
        range.missing |= counts && level < 0;
        write(i, code);
    }
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
void code_part(const ColumnPlan& plan, std::span<const ColumnCuts> cuts, const double* w, std::int64_t first,
               std::int64_t last, T* codes, std::vector<CodeRange>& ranges) {
    const auto columns = static_cast<std::int64_t>(plan.columns.size());
    for (std::int64_t j = 0; j < columns; ++j) {
        const auto at = static_cast<std::size_t>(j);
        const auto write = [&](std::int64_t i, std::int32_t code) {
            codes[i * columns + j] = static_cast<T>(code);
        };
        if (plan.levels.data[j] < 0)
            code_numbers(plan.columns[at], cuts[at], w, first, last, ranges[at], write);
        else
            code_levels(plan.columns[at], cuts[at], w, first, last, ranges[at], write);
    }
}

template <class T>
void code_all(const ColumnPlan& plan, std::span<const ColumnCuts> cuts, const double* w, int threads,
              CodedRows& out) {
    constexpr std::int64_t cached = 512;  // rows that stay in the cache from column to column
    auto* codes = reinterpret_cast<T*>(out.bytes.data());
    const std::vector<CodeRange> empty = out.ranges;
    std::mutex merging;
    const auto code = [&](std::int64_t first, std::int64_t last) {
        std::vector<CodeRange> ranges = empty;
        for (std::int64_t from = first; from < last; from += cached)
            code_part(plan, cuts, w, from, std::min(last, from + cached), codes, ranges);
        const std::lock_guard lock(merging);  // smallest and largest do not depend on the order
        merge(ranges, out.ranges);
    };
    parallel_rows(plan.columns.front().size, 32 * cached, threads, code);
}

void check_cuts(const ColumnPlan& plan, std::span<const ColumnCuts> cuts) {
    if (cuts.size() != plan.columns.size()) refuse("columns and cuts must have the same length.");
    for (std::size_t j = 0; j < cuts.size(); ++j) {
        const std::int32_t levels = plan.levels.data[j];
        const Vector<double>& list = cuts[j].cuts;
        if (levels >= 0 ? cuts[j].bins != levels || list.size != 0
                        : list.size != std::max<std::int64_t>(0, std::int64_t{cuts[j].bins} - 1))
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
                refuse("codes of column ", j, " must be at most ", bins[j], "; got ", std::int64_t{most[j]},
                       ".");
    });
}

CodedTable table_of(const RowCodes& codes, std::span<const ColumnCodes> columns, int threads) {
    std::vector<std::int32_t> bins;
    for (const ColumnCodes& column : columns) bins.push_back(column.bins);
    check_codes(codes, bins);
    CodedTable table;
    table.n_rows = codes.rows;
    std::int64_t size = 0;
    for (const ColumnCodes& source : columns) {
        CodedColumn& column = table.columns.emplace_back();
        column.bins = source.bins;
        column.width = code_width(source.bins);
        column.nominal = source.nominal;
        column.missing = source.range.missing;
        column.low = source.range.low;
        if (source.range.high != source.range.low) column.high = source.range.high;
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
