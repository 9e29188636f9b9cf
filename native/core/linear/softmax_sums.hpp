// Log loss of linear scores of several classes with its gradient and Hessian, in one pass over the rows.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct SoftmaxSums {
    double value;             // sum of w (log of the sum of e^z - z of the true class)
    Buffer<double> gradient;  // by the coefficients of each class: sum of w (p - 1 for the true class) (x, 1)
    Buffer<double> hessian;   // by those of all classes, row-major; empty without `curvature`
};

// z = coef . (x - center, 1), a row of coef for each class, its last entry the intercept; p = e^z / sum of
// e^z. y holds classes, w is null for weights of 1.
SoftmaxSums softmax_sums(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                         const Matrix<double>& coef, bool curvature, const Vector<double>& center);

}  // namespace hornbook
