// Log density of rows under one multivariate normal distribution per class.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Row i, class c: log N(x[i]; mean[c], cov[c]) over the columns that are not NaN; a row without numbers has
// 0. cov holds the covariance matrices one below the other, each positive definite.
Buffer<double> multinormal_joint(const Matrix<double>& x, const Matrix<double>& mean,
                                 const Matrix<double>& cov, int threads);

}  // namespace hornbook
