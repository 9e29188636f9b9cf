// Rows of a tree in tiles of single precision, which says of most that they are too far away.
//
// A difference of two numbers, both rounded and then subtracted, is wrong by at most 5 roundings of the
// largest number, here called e. The square root of the sum of d squares of differences is then too large by
// at most e √d, but for the roundings of the sum itself. A row whose sum is above what this allows for a
// distance within reach is not within reach; the square of the others is computed exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

class FloatTiles {
  public:
    // In the given order of the rows.
    FloatTiles(const Matrix<double>& rows, const std::int64_t* order, const Matrix<double>& queries,
               double power, int threads);

    // Only for Euclidean distances, and numbers whose squares single precision can hold.
    bool usable() const { return usable_; }
    void round(const double* query, std::vector<float>& out) const;
    // What sums are compared with, for squares of distances up to `reach`.
    float limit(double reach) const;
    // One bit for each row of a tile that may be within reach.
    std::uint32_t near(std::int64_t tile, const float* query, float limit) const;
    // The exact square of a distance.
    double square(std::int64_t tile, std::int64_t r, const double* query) const;

  private:
    std::int64_t rows_;
    std::int64_t cols_;
    bool usable_ = false;
    double error_ = 0.0;   // of a distance
    double growth_ = 1.0;  // by the roundings of a sum
    std::vector<double> center_;
    Buffer<double> arranged_;
    Buffer<float> tiles_;
};

}  // namespace hornbook
