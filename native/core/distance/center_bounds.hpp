// Which center is certainly nearest: all distances in single precision, with a bound on their error. Rows
// that the bound cannot decide are compared again in double precision, so that labels are exact.
//
// Rows and centers are measured from an origin near their middle. The square distance to a center is
// |x|^2 + (|c|^2 - 2 x.c); the part in brackets decides which is nearest and is computed in single precision.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/distance/centers.hpp"

namespace hornbook {

// Single-precision result for a tile of rows.
struct alignas(64) Screening {
    float best[tile_rows];
    float second[tile_rows];
    std::int32_t label[tile_rows];
};

class CenterFilter {
  public:
    CenterFilter(const Matrix<double>& centers, const Vector<double>& origin);

    // Rows, transposed and measured from the origin, for search(); there must be tile_rows of them.
    // `tile` has room for cols * tile_rows numbers.
    void transpose(const double* const* rows, float* tile) const;
    void search(const float* tile, Screening& out) const;

    // Bounds the error of the lead of the best over the second, for a row with this square distance to some
    // center; also covers what rounding could change in the order of computed square distances.
    double error_bound(double square) const { return fixed_ + share_ * square; }

  private:
    const Vector<double>& origin_;
    std::int64_t cols_;
    std::int64_t pairs_;
    Buffer<float> norms_;    // |c|^2 of each center, infinite for the padding of the last pair
    Buffer<float> factors_;  // -2 c, column by column for each pair of centers
    double fixed_;
    double share_;
};

}  // namespace hornbook
