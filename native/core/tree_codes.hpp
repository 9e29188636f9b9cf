// Columns as rank codes, made once and shared by all trees grown on them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "core/gather.hpp"

namespace hornbook {

// Codes of one column in as few bytes as they need. Values have the codes 0, ..., bins - 1, in ascending
// order where there is one; code `bins` is a missing value.
struct CodedColumn {
    Buffer<std::uint8_t> bytes{0};
    int width = 1;  // bytes of a code: 1, 2 or 4
    std::int32_t bins = 0;
    bool nominal = false;
    bool missing = false;      // whether some row lacks a value
    std::vector<double> low;   // smallest value of each code; empty for nominal columns
    std::vector<double> high;  // largest value of each code; empty when each stands for one value

    double largest(std::int32_t code) const {
        return (high.empty() ? low : high)[static_cast<std::size_t>(code)];
    }
};

struct CodedTable {
    std::vector<CodedColumn> columns;
    std::int64_t n_rows = 0;

    CodedTable() = default;  // said aloud, because a vector of what cannot be copied claims that it can
    CodedTable(CodedTable&&) = default;
    CodedTable& operator=(CodedTable&&) = default;
};

// Calls fn with the codes of a column as a pointer to their own type.
template <class Fn>
auto with_codes(const CodedColumn& column, Fn&& fn) {
    const std::uint8_t* bytes = column.bytes.data();
    if (column.width == 1) return fn(bytes);
    if (column.width == 2) return fn(reinterpret_cast<const std::uint16_t*>(bytes));
    return fn(reinterpret_cast<const std::uint32_t*>(bytes));
}

// What the columns hold: levels[j] is the number of levels of a column of int32 codes, -1 for one of numbers.
struct ColumnPlan {
    const std::vector<Column>& columns;
    Vector<std::int32_t> levels;
    Vector<bool> nominal;
};

// One code per distinct value, or, when max_bins > 0 and there are more values than that, the bin in which
// the middle of the value's weight falls when all weight is cut into max_bins equal parts. Rows of weight 0
// count nowhere. w is null for weights of 1.
CodedTable code_table(const ColumnPlan& plan, const Vector<double>* w, std::int32_t max_bins, int threads);

}  // namespace hornbook
