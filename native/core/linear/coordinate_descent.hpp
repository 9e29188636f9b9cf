// A quadratic function plus absolute values, minimized one coordinate at a time.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct Descent {
    Buffer<double> x;
    std::int64_t sweeps;  // over all coordinates
    bool settled;         // whether the last sweep gained no more than was asked for
};

// Minimizes gradient . (x - start) + (x - start)' hessian (x - start) / 2 + sum of l1[j] |x[j]|, for a
// symmetric hessian without negative eigenvalues. Stops after a sweep whose steps promise a gain of at most
// `tol` together, or after `max_sweeps`.
Descent coordinate_descent(const Matrix<double>& hessian, const Vector<double>& gradient,
                           const Vector<double>& l1, const Vector<double>& start, double tol,
                           std::int64_t max_sweeps);

}  // namespace hornbook
