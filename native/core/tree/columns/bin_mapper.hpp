// Columns as rank codes, made once and shared by all trees grown on them.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/base/gather.hpp"

namespace hornbook {

// Codes of one column in as few bytes as they need. Values have the codes 0, ..., bins - 1, in ascending
// order where there is one; code `bins` is a missing value.
struct CodedColumn {
    std::span<std::uint8_t> bytes;  // in the memory of the table
    int width = 1;                  // bytes of a code: 1, 2 or 4
    std::int32_t bins = 0;
    bool nominal = false;
    bool missing = false;      // whether some row lacks a value
    std::vector<double> low;   // smallest value of each code; empty for nominal columns
    std::vector<double> high;  // largest value of each code; empty when each stands for one value

    // The same codes in the table's copy by rows.
    const std::uint8_t* line = nullptr;
    int line_width = 1;
    std::int64_t line_step = 0;

    // Every 64th entry of `low`, a coarse index that is searched first and stays in the cache.
    static constexpr std::int32_t marked = 64;
    std::vector<double> marks;

    double largest(std::int32_t code) const {
        return (high.empty() ? low : high)[static_cast<std::size_t>(code)];
    }
};

struct CodedTable {
    std::vector<CodedColumn> columns;
    std::int64_t n_rows = 0;
    Buffer<std::uint8_t> codes{0};  // column after column
    // All codes row by row, for nodes of few rows: those of one row are close together in memory.
    Buffer<std::uint8_t> lines{0};

    CodedTable() = default;  // explicit: std::vector of a move-only type claims to be copyable
    CodedTable(CodedTable&&) = default;
    CodedTable& operator=(CodedTable&&) = default;
};

// The codes of a column, from either copy.
template <class T>
struct CodeView {
    const T* first;
    std::int64_t step;

    std::uint32_t operator[](std::int32_t row) const { return first[row * step]; }
};

template <class Fn>
auto with_width(const std::uint8_t* bytes, int width, std::int64_t step, Fn&& fn) {
    if (width == 1) return fn(CodeView<std::uint8_t>{bytes, step});
    if (width == 2) return fn(CodeView<std::uint16_t>{reinterpret_cast<const std::uint16_t*>(bytes), step});
    return fn(CodeView<std::uint32_t>{reinterpret_cast<const std::uint32_t*>(bytes), step});
}

// Bytes of a code.
inline int code_width(std::int64_t bins) { return bins < 256 ? 1 : bins < 65536 ? 2 : 4; }

// Bytes of a column in the table's memory: columns begin on cache lines, and do not share one.
inline std::int64_t aligned_size(std::int64_t bytes) { return (bytes / 64 + 1) * 64; }

// Whether so few of all rows are read that the copy by rows is faster.
inline bool is_sparse(std::int64_t rows, std::int64_t all) { return rows * 8 < all; }

// Calls fn with a view on the codes of a column, from which `rows` rows will be read.
template <class Fn>
auto with_codes(const CodedColumn& column, std::int64_t rows, Fn&& fn) {
    if (is_sparse(rows, std::ssize(column.bytes) / column.width))
        return with_width(column.line, column.line_width, column.line_step, fn);
    return with_width(column.bytes.data(), column.width, 1, fn);
}

// Calls fn with the codes row by row: a pointer to the first, and the step from one row to the next.
template <class Fn>
auto with_lines(const CodedTable& table, Fn&& fn) {
    const CodedColumn& first = table.columns.front();
    return with_width(first.line, first.line_width, first.line_step,
                      [&](const auto& view) { return fn(view.first, view.step); });
}

// What the columns hold: levels[j] is the number of levels of a column of int32 codes, -1 for one of numbers.
struct ColumnPlan {
    const std::vector<Column>& columns;
    Vector<std::int32_t> levels;
    Vector<bool> nominal;
};

// Rejects columns of different lengths, and plans that do not fit them.
void check_plan(const ColumnPlan& plan, const Vector<double>* w, std::int32_t max_bins);

// Complete a table whose columns have codes and values: the coarse index, and the copy by rows.
void add_marks(CodedColumn& column);
void add_lines(CodedTable& table, int threads);

// One code per distinct value, or, when max_bins > 0 and there are more values than that, one of at most
// max_bins bins, which are of about equal weight but narrower toward both ends. Only the order of the values
// and their weights matter. Rows of weight 0 are ignored. w is null for weights of 1.
CodedTable code_table(const ColumnPlan& plan, const Vector<double>* w, std::int32_t max_bins, int threads);

}  // namespace hornbook
