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

// out[row] = |whiten gap|^2 for a lower triangular matrix; with diagonal = true, for one number per column.
void squares(const double* gap, const double* whiten, std::int64_t cols, bool diagonal, double* out);

// Replaces log densities, `stride` numbers from component to component, by probabilities times the weight of
// the row; totals[row] becomes the log of the sum of the densities.
void normalize(double* joint, std::int64_t components, std::int64_t stride, const double* weight,
               double* totals);

// Numbers in the sums of one component: mass, first and second moments.
std::int64_t moment_count(std::int64_t cols, bool diagonal);

// Adds the weighted moments of the rows to sums, of which each number is a vector with one entry per lane.
// `scaled` is working memory for one tile.
void add_moments(const double* gap, const double* weight, std::int64_t cols, bool diagonal, double* scaled,
                 double* sums);

// The sum of the lanes of one number.
double total_of(const double* lanes_of_sum);

}  // namespace hornbook::mixture
