// Stochastic gradient ascent on the dual of a support vector machine without an intercept.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct AscentPass {
    double change;  // length of the difference of all variables to those before the pass
};

// One pass over the rows in their order: a_k += (1 - y_k f(x_k)) / K_kk, kept between 0 and high_k, where f =
// sum of a y K. `sums` holds the values of f, and is updated with `values`.
AscentPass ascent_pass(const Matrix<double>& kernel, const Vector<double>& signs, const Vector<double>& high,
                       double* values, double* sums);

}  // namespace hornbook
