// Rows of a kernel matrix that were computed lately.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// Keeps as many rows as memory allows; the least recently used one makes room.
class RowCache {
  public:
    // Room for `bytes`, but for at least `fewest` rows of `stride` numbers, and for no more than `rows`.
    RowCache(std::int64_t rows, std::int64_t stride, std::int64_t bytes, std::int64_t fewest);

    std::int64_t slots() const { return slots_; }
    // The values of a row, or null.
    double* find(std::int64_t row);
    // Memory for the values of a row that is not there.
    double* claim(std::int64_t row);
    // Of the values of each row keeps those at these places, which ascend.
    void keep(const std::vector<std::int64_t>& places);

  private:
    void unlink(std::int64_t slot);
    void append(std::int64_t slot);

    std::int64_t stride_;
    std::int64_t slots_;
    std::int64_t used_ = 0;
    Buffer<double> memory_;
    std::vector<std::int64_t> slot_of_;  // -1: not there
    std::vector<std::int64_t> row_in_;
    std::vector<std::int64_t> before_;  // in the order of use; entry slots_ is the head of the ring
    std::vector<std::int64_t> after_;
};

}  // namespace hornbook
