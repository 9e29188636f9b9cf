// Exact distances from rows to centers.
//
// A square distance is the sum over columns of (x - c)^2, added up in four sums, of every fourth column each,
// and these as (0 + 2) + (1 + 3): the same numbers whether columns or rows lie in the lanes of a register.
// A missing cell (NaN) adds nothing. Of equally near centers the first is the nearest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

constexpr std::int64_t tile_rows = 32;

// Refuses centers that do not fit the rows or are not finite.
void check_centers(const Matrix<double>& x, const Matrix<double>& centers);

// The square distance of one row.
double square_distance(const double* x, const double* center, std::int64_t cols);

// The square distances of many rows, each to the center of its label; NaN where a cell is missing.
void own_squares(const Matrix<double>& x, const Matrix<double>& centers, const std::int32_t* labels,
                 double* out);

// The nearest center of some rows, its square distance and that of the next.
struct alignas(64) TwoNearest {
    double best[tile_rows];
    double second[tile_rows];
    std::int64_t label[tile_rows];
};

// Some rows, transposed: neighboring numbers belong to different rows.
class Tile {
  public:
    explicit Tile(std::int64_t cols) : cols_(cols), numbers_(std::max<std::int64_t>(cols, 1), tile_rows) {}

    // `count` rows; the empty places repeat the last.
    template <class RowOf>
    void fill(std::int64_t count, const RowOf& row_of) {
        double* __restrict numbers = numbers_.data();
        for (std::int64_t r = 0; r < tile_rows; ++r) {
            const double* __restrict x = row_of(std::min(r, count - 1));
            for (std::int64_t j = 0; j < cols_; ++j) numbers[j * tile_rows + r] = x[j];
        }
    }
    // Compares all of them with all centers.
    void search(const Matrix<double>& centers, TwoNearest& out) const;

  private:
    std::int64_t cols_;
    Buffer<double> numbers_;
};

struct Assignment {
    Buffer<std::int32_t> labels;
    Buffer<double> squares;
};

// The nearest center of each row and the square of its distance.
Assignment nearest_centers(const Matrix<double>& x, const Matrix<double>& centers, int threads);

// Squares of all distances, one row of the result for each row of x.
void square_distances(const Matrix<double>& x, const Matrix<double>& centers, double* out);
Buffer<double> square_distances(const Matrix<double>& x, const Matrix<double>& centers, int threads);

}  // namespace hornbook
