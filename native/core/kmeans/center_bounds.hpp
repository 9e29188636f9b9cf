// Which center is certainly nearest: all distances in single precision, with a bound on their error. Rows
// that the bound cannot decide are compared again in double precision, so that labels are exact.
//
// Rows and centers are measured from an origin near their middle. The square distance to a center is
// |x|^2 + (|c|^2 - 2 x.c); the part in brackets decides which is nearest.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/kmeans/centers.hpp"

namespace hornbook {

// A tile is some rows in single precision, measured from the origin: column by column, then |x|^2 of each.
inline std::int64_t tile_size(std::int64_t cols) { return checked_product(cols + 1, tile_rows); }
inline std::int64_t tile_count(std::int64_t rows) { return (rows + tile_rows - 1) / tile_rows; }

// A tile of the rows at these places.
void fill_tile(const double* const* rows, std::int64_t cols, const double* origin, float* tile);

// All rows of a table, tile by tile; the empty places of the last repeat the last row.
Buffer<float> float_tiles(const Matrix<double>& x, const Vector<double>& origin, int threads);

// Single-precision result for a tile of rows.
struct alignas(64) Screening {
    float upper[tile_rows];  // at least the distance to the nearest center
    float lower[tile_rows];  // at most the distance to every other
    std::int32_t label[tile_rows];
    std::int32_t sure[tile_rows];  // whether it is nearest beyond doubt; false when floats overflowed
};

class CenterFilter {
  public:
    CenterFilter(const Matrix<double>& centers, const Vector<double>& origin);

    const double* origin() const { return origin_.data; }
    void search(const float* tile, bool bounds, Screening& out) const;  // upper and lower only with bounds

    static constexpr std::int64_t together = 4;  // centers that a row is compared with at once

    // The square distances of the rows of a tile to four centers from `first` on, a multiple of four, and by
    // how much those of each row may be wrong; not finite when floats overflowed.
    void squares(const float* tile, std::int64_t first, float (*out)[tile_rows], float* errors) const;

  private:
    const Vector<double>& origin_;
    std::int64_t cols_;
    std::int64_t count_;     // of centers, rounded up to whole groups
    Buffer<float> norms_;    // |c|^2 of each center, infinite for those that fill the last group
    Buffer<float> factors_;  // -2 c, column by column for each group of centers
    // The error of the lead of the best over the second, as a constant and a share of |x|^2; it also covers
    // what rounding could change in the order of computed square distances.
    float fixed_;
    float share_;
};

}  // namespace hornbook
