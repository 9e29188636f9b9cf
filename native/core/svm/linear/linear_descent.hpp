// Dual coordinate descent for linear support vector machines (Hsieh et al., "A dual coordinate descent method
// for large-scale linear SVM", 2008; Ho and Lin, "Large-scale linear support vector regression", 2012).
//
// Minimized is ½ |w|² + ½ Σ ridge_i b_i² - Σ target_i b_i + width Σ |b_i| with w = Σ b_i (x_i, constant) and
// bounds on b. Classification: b = y alpha from 0 to y C, target = y, width 0. Regression: b from -C to C,
// and the width is that of the tube. Squared losses: no bounds, ridge = 1 / (2 C).
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/svm/table_rows.hpp"

namespace hornbook {

struct LinearRows : TableRows {
    double constant;  // what a further column holds in every row
};

struct LinearTerms {
    Vector<double> low;
    Vector<double> high;
    Vector<double> target;
    Vector<double> ridge;
    double width;
};

struct LinearPass {
    double violation;     // of the optimality conditions, at most, by the rows of the pass
    std::int64_t active;  // rows that take part in the next pass
};

// One pass over the first n_active rows named in `order`, shuffled by the seed and the number of the pass.
// Updates b (`values`, one for each row) and w (`weights`, one for each column and the constant); puts rows
// at a bound whose gradient keeps them there by more than `shrink_above` behind the others.
LinearPass linear_descent_pass(const LinearRows& rows, const LinearTerms& terms, double* values,
                               double* weights, std::int64_t* order, std::int64_t n_active,
                               double shrink_above, std::uint64_t seed, std::uint64_t pass);

}  // namespace hornbook
