// Cyclic coordinate descent for a quadratic function plus an l1 penalty (Friedman, Hastie and Tibshirani,
// "Regularization paths for generalized linear models via coordinate descent", 2010; covariance updates).
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct Descent {
    Buffer<double> x;
    std::int64_t sweeps;  // over all coordinates
    bool converged;       // whether the gain of the last sweep was at most the tolerance
};

// Minimizes gradient . (x - start) + (x - start)' hessian (x - start) / 2 + sum of l1[j] |x[j]|, for a
// symmetric positive semidefinite hessian; with `positive`, over all x without a negative entry. Stops after
// a sweep whose steps have curvature * step^2 of at most `tol` in total, or after `max_sweeps`.
Descent coordinate_descent(const Matrix<double>& hessian, const Vector<double>& gradient,
                           const Vector<double>& l1, const Vector<double>& start, double tol,
                           std::int64_t max_sweeps, bool positive);

}  // namespace hornbook
