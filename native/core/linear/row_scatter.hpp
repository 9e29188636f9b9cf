// Mean and scatter matrix of rows, in one pass.
#pragma once

#include "core/base/arrays.hpp"

namespace hornbook {

struct RowScatter {
    Buffer<double> mass;    // weight of all rows, one number
    Buffer<double> mean;    // of each column; 0 where the mass is 0
    Buffer<double> within;  // sum over rows of w (x - mean) (x - mean)', row-major
};

// w is null for weights of 1. Cells that are not finite make the scatter of their column so. Rows of floats
// are computed with as if they were doubles.
template <typename Number>
RowScatter row_scatter(const Matrix<Number>& x, const Vector<double>* w);

}  // namespace hornbook
