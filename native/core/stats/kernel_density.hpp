// Log likelihood of rows under one kernel density estimate (Parzen 1962) per class and column.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// The sample of class c and column j is points[offsets[s]] to points[offsets[s + 1] - 1] with s = c * d + j,
// ascending, with the weights at the same places and a normal kernel of standard deviation bandwidth[c, j].
struct KernelDensities {
    Vector<double> points;
    Vector<double> weights;
    Vector<std::int64_t> offsets;
    Matrix<double> bandwidth;
};

// Row i, class c: the sum over the columns j that are not NaN of the log density of x[i, j]. Kernels
// are summed relative to the nearest point's, so that the log density stays finite far from all points.
Buffer<double> kernel_joint(const Matrix<double>& x, const KernelDensities& densities, int threads);

}  // namespace hornbook
