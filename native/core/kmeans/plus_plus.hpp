// One round of greedy k-means++ (Arthur and Vassilvitskii 2007): which candidate brings the rows closest.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Rows, their weights, and the same rows in single precision, measured from the origin (center_bounds.hpp).
struct StartRows {
    Matrix<double> x;
    Vector<double> w;
    Vector<float> tiles;
    Vector<double> origin;
};

// The candidate that lowers the sum of w times `closest`, the square distance of each row to the centers so
// far, most when it is taken, the first of equals; `closest` is then what it is with this candidate.
std::int64_t closest_candidate(const StartRows& rows, double* closest, const Matrix<double>& candidates,
                               int threads);

}  // namespace hornbook
