// One pass of Lloyd's algorithm with the bounds of Hamerly, "Making k-means even faster" (SDM 2010): the
// nearest center of each row, and the sums from which the new centers are computed.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

constexpr std::int64_t lloyd_chunk = 4096;  // rows that are added up one after the other, as in Blocks.reduce

struct LloydRows {
    Matrix<double> x;
    const double* w;     // null when every row counts once
    const float* tiles;  // the rows in single precision (center_bounds.hpp), or null
    bool gaps;           // whether cells may be missing
};

// Carried from pass to pass for each row: what the last pass has left, and where this one writes; the arrays
// must not overlap. Bounds are null where none are kept, because all rows are compared in every pass.
struct RowState {
    const std::int32_t* labels;  // the center that was nearest
    const float* lower;          // at most the distance to every other center
    const float* upper;          // at least the distance to that center
    std::int32_t* new_labels;
    float* new_lower;
    float* new_upper;
};

// What is added up: all rows, or the differences that the rows make whose label has changed.
enum class Sum { all, changes };

// Finds the nearest center of each row, computing all distances only where it could have changed. `moves` are
// those of center_moves. Returns the sums of w (x - origin) of each center; the weight of each center or,
// with gaps, of the known cells of each of its columns; the sum of w times square distance, 0 when changes
// are added up; the number of labels that changed.
Buffer<double> lloyd_pass(const LloydRows& rows, const Matrix<double>& centers, const Vector<double>& origin,
                          const Matrix<double>& moves, const RowState& state, Sum sum, int threads);

// The number of entries of that result.
std::int64_t lloyd_width(std::int64_t n_centers, std::int64_t cols, bool gaps);

}  // namespace hornbook
