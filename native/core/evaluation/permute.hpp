// Statistics of randomly permuted samples. Each replicate has a random sequence of its own, so that a
// replicate does not depend on how many there are, nor on threads.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Mean of n_first values drawn without replacement minus the mean of the rest, once per permutation.
Buffer<double> permute_two_sample_mean(const Vector<double>& values, std::int64_t n_first,
                                       std::int64_t n_permutations, std::uint64_t seed, int threads);

// Sum of x[i] * y[p(i)] for random permutations p.
Buffer<double> permute_dot(const Vector<double>& x, const Vector<double>& y, std::int64_t n_permutations,
                           std::uint64_t seed, int threads);

}  // namespace hornbook
