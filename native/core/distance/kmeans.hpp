// One pass of Lloyd's method: the nearest center of each row, and the sums of which new centers are made.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

constexpr std::int64_t lloyd_chunk = 4096;  // rows that are added up one after the other, as in Blocks.reduce

// What is known of each row from the pass before; both are brought up to date.
struct Known {
    std::int32_t* labels;  // the center that was nearest
    float* lower;          // no other center is nearer than this
};

// How far the centers have moved and how far they lie apart.
struct Moves {
    Vector<double> reach;  // for each center, the longest way that another has gone since the last pass
    Vector<double> near;   // for each center, half the distance to the next one; 0 when cells are missing
};

// Finds the nearest center of each row, distances being computed only where it could have changed. Gives
// sums of w (x - origin) for each center; the weight w of each center or, with
// gaps, of the known cells of each of its columns; the sum of w times square distance; how many labels
// changed.
Buffer<double> lloyd_pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centers,
                          const Vector<double>& origin, const Moves& moves, const Known& known, bool gaps,
                          int threads);

// The number of entries of the above.
std::int64_t lloyd_width(std::int64_t n_centers, std::int64_t cols, bool gaps);

}  // namespace hornbook
