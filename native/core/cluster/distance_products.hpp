// Square distances of one group of rows by |x|^2 + |q|^2 - 2 x q around their mean, where that is accurate:
// one addition for each column instead of two.
#pragma once

#include <cstdint>
#include <vector>

#include "core/distance/distances.hpp"

namespace hornbook {

// The queries are rows of a table, numbers without gaps. Each thread has its own.
class DistanceProducts {
  public:
    DistanceProducts(const Matrix<double>& rows, const std::int64_t* queries, std::int64_t n_queries,
                     std::int64_t most_tiles);

    // The tiles that are asked for next, from `first` to before `last`, no more than the most.
    void set_tiles(const Tiles& tiles, std::int64_t first, std::int64_t last);
    // The square distances of queries i and i + 1 to the rows of a tile, i even: one tile after the other.
    // Returns one bit for each query whose numbers are accurate to nearly all digits; the others, of rows so
    // near that digits cancel out, or too large, must be computed otherwise.
    std::uint32_t measure(std::int64_t i, std::int64_t tile, double* out) const;

  private:
    std::int64_t cols_;
    std::int64_t first_ = 0;
    std::vector<double> center_;
    std::vector<double> queries_;  // less the center, two at a time
    std::vector<double> query_norms_;
    Buffer<double> numbers_;  // of the tiles, less the center
    Buffer<double> norms_;
};

}  // namespace hornbook
