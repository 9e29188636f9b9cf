// Log likelihood of rows under one simple model per class and column.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Row i, class c: the sum over the columns j that are not NaN of log N(x[i, j]; mean[c, j], var[c, j]).
Buffer<double> gaussian_joint(const Matrix<double>& x, const Matrix<double>& mean, const Matrix<double>& var,
                              int threads);

// Row i, class c: the sum over the columns j with a level of log_table[c, slot of that level].
Buffer<double> table_joint(const Matrix<std::int32_t>& codes, const Matrix<double>& log_table,
                           const Vector<std::int32_t>& n_levels, int threads);

}  // namespace hornbook
