// The rows of one pass in tiles, grouped by which of their cells are missing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook::mixture {

// Consecutive tiles whose rows miss the same columns.
struct Group {
    std::int64_t first;
    std::int64_t last;
    std::vector<std::int64_t> missing;
    std::vector<std::int64_t> known;
};

class RowGroups {
  public:
    // Rows first to last of x; missing cells are stored as 0.
    RowGroups(const Matrix<double>& x, std::int64_t first, std::int64_t last);

    const std::vector<Group>& groups() const { return groups_; }
    std::int64_t tiles() const { return static_cast<std::int64_t>(rows_.size()) / width_; }
    std::int64_t slots() const { return static_cast<std::int64_t>(rows_.size()); }
    const double* tile(std::int64_t t) const { return cells_.data() + t * width_ * cols_; }
    // The row in each place of the tiles, -1 in places that are left over at the end of a group.
    std::int64_t row(std::int64_t slot) const { return rows_[static_cast<std::size_t>(slot)]; }

  private:
    void arrange(const Matrix<double>& x, std::int64_t first, std::int64_t last);
    void arrange_complete(std::int64_t first, std::int64_t last);
    void fill(const Matrix<double>& x);

    std::int64_t width_;
    std::int64_t cols_;
    std::vector<std::int64_t> rows_;
    std::vector<Group> groups_;
    Buffer<double> cells_;
};

}  // namespace hornbook::mixture
