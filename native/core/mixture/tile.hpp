// Inner loops of expectation maximization on tiles: some rows, column after column, so that neighboring
// numbers belong to different rows and every loop over rows vectorizes.
#pragma once

#include <cstdint>

#include "core/base/simd.hpp"

namespace hornbook::mixture {

constexpr std::int64_t steps = 4;  // enough independent sums to hide the latency of an addition
constexpr std::int64_t tile_rows = steps * lanes;

// gap[column][row] = tile[column][row] - mean[column]
void subtract(const double* tile, const double* mean, std::int64_t cols, double* gap);

// out = whiten gap for a lower triangular matrix
void whiten_gap(const double* gap, const double* whiten, std::int64_t cols, double* out);

// out[row] = |whiten gap|^2 for a lower triangular matrix
void squares(const double* gap, const double* whiten, std::int64_t cols, double* out);
// out[row] = |row - mean|^2
void square_gaps(const double* tile, const double* mean, std::int64_t cols, double* out);
// out[row] = the same with each column times its number in whiten
void diagonal_squares(const double* tile, const double* mean, const double* whiten, std::int64_t cols,
                      double* out);

// Replaces log densities, `stride` numbers from component to component, by probabilities times the weight of
// the row; totals[row] becomes the log of the sum of the densities.
void normalize(double* joint, std::int64_t components, std::int64_t stride, const double* weight,
               double* totals);

// Numbers in the sums of one component: mass, first and second moments.
std::int64_t moment_count(std::int64_t cols, bool diagonal);

// Adds the weighted moments of the rows to sums, of which each number is a vector with one entry per lane.
// `scaled` is working memory for one tile.
void add_moments(const double* gap, const double* weight, std::int64_t cols, double* scaled, double* sums);
// The same for independent columns.
void add_diagonal_moments(const double* tile, const double* mean, const double* weight, std::int64_t cols,
                          double* sums);

// The sum of the lanes of one number.
double total_of(const double* lanes_of_sum);

}  // namespace hornbook::mixture
