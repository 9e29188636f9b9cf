// One pass of Lloyd's algorithm with the bounds of Hamerly, "Making k-means even faster" (SDM 2010): the
// nearest center of each row, and the sums from which the new centers are computed.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

constexpr std::int64_t lloyd_chunk = 4096;  // rows that are added up one after the other, as in Blocks.reduce

// Carried from pass to pass for each row: what the last pass has left, and where this one writes; the arrays
// must not overlap.
struct RowState {
    const std::int32_t* labels;  // the center that was nearest
    const float* lower;          // lower bound of the distance to every other center
    std::int32_t* new_labels;
    float* new_lower;
};

// How far the centers have moved and how far they lie apart.
struct CenterMoves {
    Vector<double> reach;  // for each center, the largest move of another one since the last pass
    Vector<double> near;   // for each center, half the distance to the nearest other; 0 with missing cells
};

// The moves since an earlier pass (none before the first), rounded to be safe: moves up, distances down. With
// gaps nothing is near, as the triangle inequality does not hold between rows that lack some of the columns.
struct MovesSince {
    Buffer<double> reach;
    Buffer<double> near;
};
MovesSince center_moves(const Matrix<double>& centers, const Matrix<double>* before, bool gaps, int threads);

// Finds the nearest center of each row, computing all distances only where it could have changed. Returns the
// sums of w (x - origin) of each center; the weight of each center or, with gaps, of the known cells of each
// of its columns; the sum of w times square distance; the number of labels that changed.
Buffer<double> lloyd_pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centers,
                          const Vector<double>& origin, const CenterMoves& moves, const RowState& state,
                          bool gaps, int threads);

// The number of entries of that result.
std::int64_t lloyd_width(std::int64_t n_centers, std::int64_t cols, bool gaps);

}  // namespace hornbook
