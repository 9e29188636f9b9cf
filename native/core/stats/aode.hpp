// Averaged one-dependence estimators (Webb, Boughton and Wang, "Not so naive Bayes", 2005): every column in
// turn is the parent of all the others.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Log probabilities of the classes given one level of a row.
struct AodeTables {
    Matrix<double> log_parent;    // level, class: log P(class, level)
    Matrix<double> log_pair;      // level * levels + other level, class: log P(other level | class, level)
    Vector<std::uint8_t> usable;  // whether a level may be a parent
    const Matrix<double>*
        extra;  // row, column * classes + class: added where the column is the parent; may be null
};

// Row, column * classes + class: log of P(class, parent) P(others | both) with the column as parent; -inf
// where it cannot be one.
Buffer<double> aode_terms(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
                          const AodeTables& tables, int threads);

struct AodeJoint {
    Buffer<double> joint;          // row, class: log of the sum over the parents
    Buffer<std::int32_t> parents;  // how many columns of the row could be parents
};

AodeJoint aode_joint(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
                     const AodeTables& tables, int threads);

}  // namespace hornbook
