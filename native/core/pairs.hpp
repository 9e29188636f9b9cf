// Pairs of categories: how often they occur together in each class, and what follows from all pairs of a row.
#pragma once

#include <cstdint>

#include "core/arrays.hpp"

namespace hornbook {

// Sums of weights of each class, level of a parent column and level of any column. The result has one row per
// class and level of a parent (class after class, parent after parent), one column per level of all columns.
// Every sum runs over the rows in their order, on any number of threads. w is null for weights of 1.
Buffer<double> pair_counts(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y,
                           const Vector<double>* w, const Vector<std::int32_t>& n_levels,
                           const Vector<std::int32_t>& parents, std::int64_t n_classes, int threads);

// What averaged one-dependence estimators know of a row.
struct AodeTables {
    Matrix<double> log_parent;    // level, class: log P(class, level)
    Matrix<double> log_pair;      // level * levels + other level, class: log P(other level | class, level)
    Vector<std::uint8_t> usable;  // whether a level may be a parent
    const Matrix<double>* extra;  // row, column * classes + class: added where the column is parent; or null
};

struct AodeJoint {
    Buffer<double> joint;  // row, class: log of the sum over parents of P(class, parent) P(others | both)
    Buffer<std::int32_t> parents;  // how many columns of the row could be parents
};

AodeJoint aode_joint(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
                     const AodeTables& tables, int threads);

}  // namespace hornbook
