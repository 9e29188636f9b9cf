// Class means and the within-class scatter matrix, for discriminant analysis and least squares.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct ClassScatter {
    Buffer<double> mass;    // weight of each class
    Buffer<double> mean;    // of each class (rows) and column; 0 where the mass is 0
    Buffer<double> within;  // sum over rows of w (x - mean of its class) (x - mean of its class)', row-major
};

// The columns of beside, unless null, follow those of x; y holds classes in
// [0, n_classes); w is null for weights of 1.
ClassScatter class_scatter(const Matrix<double>& x, const Matrix<double>* beside,
                           const Vector<std::int32_t>& y, const Vector<double>* w, std::int64_t n_classes);

}  // namespace hornbook
