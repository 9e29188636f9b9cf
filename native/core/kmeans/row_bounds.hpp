// Bounds that a row keeps from pass to pass (Hamerly 2010): at least its distance to the nearest center, and
// at most its distance to every other. They are floats, rounded to be safe: upper ones up, lower ones down.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/rounding/single_precision.hpp"

namespace hornbook {

// How the centers have moved since the last pass, and how far they lie apart; safely rounded.
class RoundedMoves {
  public:
    // Three rows: for each center, the largest move of another one; half the distance to the nearest other;
    // its own move.
    RoundedMoves(const Matrix<double>& moves, std::int64_t cols);

    // Brings the bounds of some rows up to date and marks with 1 those for which they do not prove that the
    // nearest center is still the same (triangle inequality). `upper` already belongs to the new centers.
    void mark(const std::int32_t* labels, const float* upper, const float* lower, std::int64_t rows,
              float* new_lower, std::int32_t* doubtful) const;
    // Raises upper bounds by the moves of the centers they belong to.
    void raise(const std::int32_t* labels, const float* upper, std::int64_t rows, float* new_upper) const;

  private:
    std::int64_t k_;
    Buffer<float> tables_;
    float slack_;  // relative error of computed distances
};

// Upper bounds from computed square distances.
void upper_bounds(const double* squares, std::int64_t rows, float* upper);

}  // namespace hornbook
