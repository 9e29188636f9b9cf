// Pairs of categories: how often they occur together in each class.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Sums of weights of each class, level of a parent column and level of any column. The result has one row per
// class and level of a parent (class after class, parent after parent), one column per level of all columns.
// No sum depends on the number of threads. w is null for weights of 1.
Buffer<double> pair_counts(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y,
                           const Vector<double>* w, const Vector<std::int32_t>& n_levels,
                           const Vector<std::int32_t>& parents, std::int64_t n_classes, int threads);

}  // namespace hornbook
