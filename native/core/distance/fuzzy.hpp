// Fuzzy clustering: the memberships of each row in all clusters, and what they add to the next prototypes.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Memberships share a row among the clusters, or among clusters and noise, or are independent of each other.
enum class Sharing { probabilistic = 0, noise = 1, possibilistic = 2 };

struct FuzzyClusters {
    Matrix<double> centers;
    const double* factors;  // for each center an upper triangular matrix R, d^2 = |R (x - center)|^2; or null
    double exponent;        // the fuzzifier w > 1: objective sum of u^w d^2
    Sharing sharing;
    Vector<double> scales;  // none, the square of the noise distance, or one square distance per cluster
};

// How many numbers fuzzy_sums returns.
std::int64_t fuzzy_width(std::int64_t n_centers, std::int64_t cols, bool gaps, bool shapes);

// One after the other, where v = w u^fuzzifier: for each center the sums of v (x - center) by column; of v by
// column over known cells (only with `gaps`); of w u, of v d^2, of v; then the sum of w, the objective; and,
// with `shapes`, for each center the lower triangle of the sum of v (x - center)(x - center)^T.
//
// With `gaps`, missing cells (NaN) are left out of distances and sums, and the scales are for each row in
// proportion to its known columns; factors and shapes are then not possible. Computed on one thread.
Buffer<double> fuzzy_sums(const Matrix<double>& x, const Vector<double>* w, const FuzzyClusters& clusters,
                          bool gaps, bool shapes);

struct Memberships {
    Buffer<double> degrees;       // for each row its membership in each cluster
    Buffer<std::int32_t> labels;  // the cluster with the greatest, the first of equals; -1 for the noise
};

// The memberships of rows, under the same conditions.
Memberships fuzzy_memberships(const Matrix<double>& x, const FuzzyClusters& clusters, bool gaps);

}  // namespace hornbook
