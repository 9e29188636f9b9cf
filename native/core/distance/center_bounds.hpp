// Which center is surely nearest: all of them in short numbers, with a bound on how wrong these can be.
//
// Rows and centers are counted from an origin near their middle. The square distance to a center is
// |x|^2 + (|c|^2 - 2 x.c); the part in brackets decides which is nearest and is computed in single precision.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/distance/centers.hpp"

namespace hornbook {

// What short numbers say about some rows.
struct alignas(64) Guess {
    float best[tile_rows];
    float second[tile_rows];
    std::int32_t label[tile_rows];
};

class Screen {
  public:
    Screen(const Matrix<double>& centers, const Vector<double>& origin);

    // Rows turned on their side, counted from the origin, for guess(); there must be tile_rows of them.
    // `tile` has room for cols * tile_rows numbers.
    void turn(const double* const* rows, float* tile) const;
    void guess(const float* tile, Guess& found) const;

    // The lead of the best over the second is off by less than this, for a row whose square distance to some
    // center is given; also by less than rounding could change the order of computed square distances.
    double doubt(double square) const { return fixed_ + share_ * square; }

  private:
    const Vector<double>& origin_;
    std::int64_t cols_;
    std::int64_t pairs_;
    Buffer<float> norms_;    // |c|^2 of each center, infinite for the one that fills up the last pair
    Buffer<float> factors_;  // -2 c, column by column for each pair of centers
    double fixed_;
    double share_;
};

}  // namespace hornbook
