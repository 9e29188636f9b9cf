#include "core/tree/columns/bin_mapper.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/tree/columns/radix_order.hpp"

namespace hornbook {

namespace {

// What coding a column of numbers takes. Kept for the next column: memory that is given back and asked for
// again between the results of two columns would leave gaps.
struct NumberWork {
    explicit NumberWork(std::int64_t rows) : order(rows) {}

    RowOrder order;
    std::vector<std::uint32_t> ends;  // where each run of equal numbers ends
    std::vector<double> below;        // weight before each run
    std::vector<std::int32_t> bins;   // of each run; empty when each is one of its own
};

// What threads are done with: there are as many as work at the same time.
class SpareWork {
  public:
    std::unique_ptr<NumberWork> take(std::int64_t rows) {
        const std::lock_guard lock(mutex_);
        if (spare_.empty()) return std::make_unique<NumberWork>(rows);
        std::unique_ptr<NumberWork> work = std::move(spare_.back());
        spare_.pop_back();
        return work;
    }
    void give_back(std::unique_ptr<NumberWork> work) {
        const std::lock_guard lock(mutex_);
        spare_.push_back(std::move(work));
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<NumberWork>> spare_;
};

void find_runs(const RowOrder& order, std::vector<std::uint32_t>& ends) {
    ends.clear();
    for (std::int64_t i = 1; i <= order.size(); ++i)
        if (i == order.size() || !order.goes_on(i - 1)) ends.push_back(static_cast<std::uint32_t>(i));
}

// Position of a quantile on the scale that is cut into bins of equal length: mostly the quantile itself, the
// rest its log odds, clamped to [-far, far]. Bins thus become narrow toward both ends, where equal shares of
// the weight would put very different numbers into one bin.
double place(double share, double far) {
    constexpr double tails = 0.25;
    const double odds = std::clamp(std::log(share / (1.0 - share)) / far, -1.0, 1.0);
    return (1.0 - tails) * share + tails * 0.5 * (1.0 + odds);
}

// Where the bin of run `first` ends. The search begins where it would end if it were as wide as the bin
// before it, which takes few logarithms; those of all runs would dominate the time.
template <class BinOf>
std::size_t end_of_bin(std::size_t first, std::size_t width, std::size_t size, const BinOf& bin_of) {
    const std::int32_t bin = bin_of(first);
    const auto beyond = [&](std::size_t run) { return run >= size || bin_of(run) > bin; };
    std::size_t inside = first, outside = std::min(first + width, size);
    if (beyond(outside)) {
        std::size_t step = 1;
        for (; outside - inside > step && beyond(outside - step); step *= 2) outside -= step;
        if (outside - inside > step) inside = outside - step;
    } else {
        inside = outside;
        std::size_t step = 1;
        for (; !beyond(inside + step); step *= 2) inside += step;
        outside = std::min(inside + step, size);
    }
    while (outside - inside > 1) {
        const std::size_t between = inside + (outside - inside) / 2;
        (bin_of(between) > bin ? outside : inside) = between;
    }
    return outside;
}

void find_bins(NumberWork& work, const double* w, std::int32_t max_bins) {
    const std::vector<std::uint32_t>& ends = work.ends;
    std::vector<double>& below = work.below;
    std::vector<std::int32_t>& bins = work.bins;
    below.assign(ends.size() + 1, 0.0);
    std::int64_t i = 0;
    for (std::size_t r = 0; r < ends.size(); ++r) {
        double run = 0.0;
        for (; i < ends[r]; ++i) run += w ? w[work.order.row(i)] : 1.0;
        below[r + 1] = below[r] + run;
    }
    // Log odds of the last run's middle when all have the same weight.
    const double far = std::log(2.0 * static_cast<double>(ends.size()) - 1.0);
    const auto bin_of = [&](std::size_t r) {
        const double middle = 0.5 * (below[r] + below[r + 1]) / below.back();
        return std::min(max_bins - 1, static_cast<std::int32_t>(place(middle, far) * max_bins));
    };
    bins.resize(ends.size());
    std::int32_t used = 0;
    for (std::size_t first = 0, width = 1; first < ends.size(); ++used) {
        const std::size_t end = end_of_bin(first, width, ends.size(), bin_of);
        std::fill(bins.begin() + static_cast<std::ptrdiff_t>(first),
                  bins.begin() + static_cast<std::ptrdiff_t>(end), used);
        width = end - first;
        first = end;
    }
}

// Upper bound of the bytes of a column's codes.
std::int64_t max_bytes_of(const ColumnPlan& plan, std::size_t j, std::int32_t max_bins) {
    const std::int64_t n = plan.columns[j].size, levels = plan.levels.data[j];
    const std::int64_t values = max_bins > 0 ? std::min<std::int64_t>(max_bins, n) : n;
    return aligned_size(checked_product(n, code_width(levels < 0 ? values : levels)));
}

// One allocation for all columns, on huge pages: random access to rows then misses the TLB less often.
void allocate_codes(CodedTable& table, const ColumnPlan& plan, std::int32_t max_bins) {
    std::int64_t size = 0;
    for (std::size_t j = 0; j < table.columns.size(); ++j) size += max_bytes_of(plan, j, max_bins);
    table.codes = Buffer<std::uint8_t>(size);
    std::uint8_t* next = table.codes.data();
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
        table.columns[j].bytes = {next, static_cast<std::size_t>(max_bytes_of(plan, j, max_bins))};
        next += table.columns[j].bytes.size();
    }
}

// Calls fn with the memory for the codes, as a pointer to the type they need.
template <class Fn>
void with_output(CodedColumn& column, std::int64_t n, Fn&& fn) {
    column.width = code_width(column.bins);
    column.bytes = column.bytes.first(static_cast<std::size_t>(n * column.width));
    std::uint8_t* bytes = column.bytes.data();
    if (column.width == 1) return fn(bytes);
    if (column.width == 2) return fn(reinterpret_cast<std::uint16_t*>(bytes));
    return fn(reinterpret_cast<std::uint32_t*>(bytes));
}

void store_numbers(const NumberWork& work, std::int64_t n, CodedColumn& column) {
    with_output(column, n, [&](auto* out) {
        using T = std::remove_reference_t<decltype(*out)>;
        std::fill_n(out, n, static_cast<T>(column.bins));  // also for rows of weight 0
        std::int64_t i = 0;
        for (std::size_t r = 0; r < work.ends.size(); ++r) {
            const auto code = static_cast<T>(work.bins.empty() ? r : static_cast<std::size_t>(work.bins[r]));
            for (; i < work.ends[r]; ++i) out[work.order.row(i)] = code;
        }
    });
}

void code_numbers(const Column& source, const double* w, std::int32_t max_bins, NumberWork& work,
                  CodedColumn& column) {
    work.order.sort(source, w);
    find_runs(work.order, work.ends);
    const std::vector<std::uint32_t>& ends = work.ends;
    const bool exact = max_bins == 0 || ends.size() <= static_cast<std::size_t>(max_bins);
    work.bins.clear();
    if (!exact) find_bins(work, w, max_bins);
    const std::vector<std::int32_t>& bins = work.bins;
    column.bins = exact ? static_cast<std::int32_t>(ends.size()) : bins.back() + 1;
    column.missing = work.order.lacks();
    column.low.reserve(static_cast<std::size_t>(column.bins));
    for (std::size_t r = 0; r < ends.size(); ++r) {
        const double value = from_ordered_bits(work.order.key(ends[r] - std::int64_t{1}));
        if (exact || r == 0 || bins[r] != bins[r - 1]) {
            column.low.push_back(value);
            if (!exact) column.high.push_back(value);
        }
        if (!exact) column.high.back() = value;
    }
    store_numbers(work, source.size, column);
}

void code_levels(const Column& source, std::size_t j, std::int32_t levels, CodedColumn& column) {
    const auto* cells = static_cast<const std::int32_t*>(source.data);
    column.bins = levels;
    if (!column.nominal)
        for (std::int32_t level = 0; level < levels; ++level) column.low.push_back(level);
    with_output(column, source.size, [&](auto* out) {
        using T = std::remove_reference_t<decltype(*out)>;
        for (std::int64_t i = 0; i < source.size; ++i) {
            const std::int32_t code = cells[i * source.stride];
            if (code < -1 || code >= levels)
                refuse("columns[", j, "][", i, "] must be -1 or a level below ", levels, "; got ", code, ".");
            column.missing |= code < 0;
            out[i] = static_cast<T>(code < 0 ? levels : code);
        }
    });
}

template <class T>
void write_lines(CodedTable& table, std::int64_t first, std::int64_t last) {
    const auto step = static_cast<std::int64_t>(table.columns.size());
    auto* out = reinterpret_cast<T*>(table.lines.data());
    for (std::int64_t j = 0; j < step; ++j) {
        const CodedColumn& column = table.columns[static_cast<std::size_t>(j)];
        with_width(column.bytes.data(), column.width, 1, [&](const auto& codes) {
            for (std::int64_t i = first; i < last; ++i)
                out[i * step + j] = static_cast<T>(codes[static_cast<std::int32_t>(i)]);
        });
    }
}

}  // namespace

void check_plan(const ColumnPlan& plan, const Vector<double>* w, std::int32_t max_bins) {
    if (plan.columns.empty()) refuse("columns must hold at least one array.");
    const std::int64_t n_rows = plan.columns.front().size;
    if (n_rows >= std::int64_t{1} << 31) refuse("a tree takes at most 2**31 - 1 rows.");
    if (w && w->size != n_rows) refuse("w must have one entry for each row.");
    const auto many = static_cast<std::int64_t>(plan.columns.size());
    if (plan.levels.size != many || plan.nominal.size != many)
        refuse("columns, levels and nominal must have the same length.");
    if (max_bins < 0 || max_bins == 1) refuse("max_bins must be 0 or at least 2; got ", max_bins, ".");
    for (std::int64_t j = 0; j < many; ++j) {
        const Column& column = plan.columns[static_cast<std::size_t>(j)];
        if (column.size != n_rows)
            refuse("columns[", j, "] must have ", n_rows, " entries, one for each row; it has ", column.size,
                   ".");
        const std::int32_t levels = plan.levels.data[j];
        if (levels < -1) refuse("levels[", j, "] must be at least 0, or -1 for numbers.");
        if (levels < 0 && plan.nominal.data[j]) refuse("nominal[", j, "] is for codes, not for numbers.");
        if (levels >= 0 && column.element != Element::int32)
            refuse("columns[", j, "] must hold int32, because it has levels.");
    }
}

void add_lines(CodedTable& table, int threads) {
    constexpr std::int64_t rows_at_once = 256;
    int width = 1;
    for (const CodedColumn& column : table.columns) width = std::max(width, column.width);
    const auto columns = static_cast<std::int64_t>(table.columns.size());
    table.lines = Buffer<std::uint8_t>(table.n_rows, columns * width);
    for (std::int64_t j = 0; j < columns; ++j) {
        CodedColumn& column = table.columns[static_cast<std::size_t>(j)];
        column.line = table.lines.data() + j * width;
        column.line_width = width;
        column.line_step = columns;
    }
    parallel_rows(table.n_rows, rows_at_once, threads, [&](std::int64_t first, std::int64_t last) {
        if (width == 1)
            write_lines<std::uint8_t>(table, first, last);
        else if (width == 2)
            write_lines<std::uint16_t>(table, first, last);
        else
            write_lines<std::uint32_t>(table, first, last);
    });
}

void add_marks(CodedColumn& column) {
    for (std::size_t code = 0; code < column.low.size(); code += CodedColumn::marked)
        column.marks.push_back(column.low[code]);
}

CodedTable code_table(const ColumnPlan& plan, const Vector<double>* w, std::int32_t max_bins, int threads) {
    check_plan(plan, w, max_bins);
    CodedTable table;
    table.n_rows = plan.columns.front().size;
    table.columns.resize(plan.columns.size());
    allocate_codes(table, plan, max_bins);
    SpareWork works;
    parallel_for(static_cast<std::int64_t>(plan.columns.size()), threads, [&](std::int64_t item) {
        const auto j = static_cast<std::size_t>(item);
        CodedColumn& column = table.columns[j];
        column.nominal = plan.nominal.data[item];
        if (plan.levels.data[item] < 0) {
            std::unique_ptr<NumberWork> work = works.take(table.n_rows);
            code_numbers(plan.columns[j], w ? w->data : nullptr, max_bins, *work, column);
            works.give_back(std::move(work));
        } else {
            code_levels(plan.columns[j], j, plan.levels.data[item], column);
        }
        add_marks(column);
    });
    add_lines(table, threads);
    return table;
}

}  // namespace hornbook
