// K-medoids: which rows, as medoids, make the sum of distances to the nearest medoid small.
//
// Schubert and Rousseeuw, "Fast and eager k-medoids clustering" (Information Systems 101, 2021): for one
// candidate the changes of the loss by swapping it with each of the k medoids are computed together, in one
// look at its distances to all rows, and the best swap is made at once if it lowers the loss.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

// Distances between all rows: computed when needed, or given as a square matrix.
struct AllDistances {
    const MixedRows* rows;         // null with a matrix
    const Metric* metric;          // null with a matrix
    const Matrix<double>* matrix;  // null with rows
};

struct MedoidSearch {
    Buffer<std::int64_t> medoids;
    std::int64_t swaps;
    std::int64_t still;  // candidates in a row, up to the last, that gave no swap
    double loss;
};

// Looks once at every row of positive weight as a candidate, in the order of the rows, and swaps eagerly;
// ends early when `still`, which goes on from earlier passes, reaches the number of rows. At least two
// medoids.
MedoidSearch swap_pass(const AllDistances& distances, const Vector<double>& weights,
                       const Vector<std::int64_t>& medoids, std::int64_t still, int threads);

// For each row the loss if it joined the medoids: the weighted sum over all rows of the smaller of the
// distance to it and `nearest`, which is the distance to the nearest medoid so far.
Buffer<double> joining_losses(const AllDistances& distances, const Vector<double>& weights,
                              const Vector<double>& nearest, int threads);

}  // namespace hornbook
