// Sums over the rows of each class: the sufficient statistics of naive Bayes and related models.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// One entry per class and column (row-major), over the cells that are not NaN.
struct ClassMoments {
    Buffer<double> mass;     // sum of weights
    Buffer<double> mean;     // weighted mean, 0 where the mass is 0
    Buffer<double> scatter;  // weighted sum of squared deviations from the mean
};

// y holds classes in [0, n_classes); w is null for weights of 1.
ClassMoments class_moments(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                           std::int64_t n_classes);

// Sums of weights per class (rows of the result) and level (its columns, column after column of codes).
Buffer<double> class_counts(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y,
                            const Vector<double>* w, const Vector<std::int32_t>& n_levels,
                            std::int64_t n_classes);

}  // namespace hornbook
