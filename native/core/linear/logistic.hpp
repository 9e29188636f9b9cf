// Log loss of linear scores with its gradient and Hessian, in one pass over the rows: one step of Newton's
// method for logistic regression (iteratively reweighted least squares).
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct LogisticSums {
    double value;             // sum of w (log(1 + e^z) - y z)
    Buffer<double> gradient;  // by the coefficients: sum of w (p - y) (x, 1)
    Buffer<double> hessian;   // sum of w p (1 - p) (x, 1) (x, 1)', row-major; empty without `curvature`
};

// z = coef . (x, 1), p = 1 / (1 + e^-z); y holds 0 or 1, w is null for weights of 1. With a center, x -
// center takes the place of x, so that columns far from 0 keep their digits.
LogisticSums logistic_sums(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                           const Vector<double>& coef, bool curvature,
                           const Vector<double>* center = nullptr);

}  // namespace hornbook
