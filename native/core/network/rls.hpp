// Recursive least squares in its orthogonal form (Gentleman 1973): each row is rotated into a triangular
// factor, so that no product of the rows is ever formed or inverted.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct RlsPass {
    Buffer<double> factor;   // R, upper triangular: R'R is the matrix of the normal equations
    Buffer<double> targets;  // Z: the solution W solves R W = Z
    double errors;           // sum of weight times square error of each row before it was learned
};

// Rotates the rows of x, one after the other, into the factor; w is null for weights of 1. A coefficient
// whose diagonal entry is 0 is 0.
RlsPass rls_pass(const Matrix<double>& x, const Matrix<double>& y, const Vector<double>* w,
                 const Matrix<double>& factor, const Matrix<double>& targets);

}  // namespace hornbook
