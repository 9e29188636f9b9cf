// Rows in the order of each column, made once for many stumps on the same table.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/tree/columns/bin_mapper.hpp"

namespace hornbook {

// Rejects a table with a nominal column, or with one that lacks values.
void require_ordered(const CodedTable& table);

// For each column of many codes its rows by ascending code. The last row of each code has the highest bit
// set. Columns of few codes have no order: a histogram is faster.
class SortedRows {
  public:
    static constexpr std::uint32_t last = std::uint32_t{1} << 31;

    SortedRows(const CodedTable& table, int threads);

    std::int64_t n_rows() const { return n_rows_; }
    std::int64_t n_columns() const { return place_.size(); }
    // Null for a column of few codes.
    const std::uint32_t* order(std::int64_t column) const {
        return place_[column] < 0 ? nullptr : rows_.data() + place_[column] * n_rows_;
    }

  private:
    std::int64_t n_rows_;
    Buffer<std::int64_t> place_;
    Buffer<std::uint32_t> rows_{0};
};

}  // namespace hornbook
