// One pass of the perceptron over the rows, in their order.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct PerceptronPass {
    Buffer<double> coef;    // weights of the columns, the constant last
    std::int64_t mistakes;  // number of updates
};

// A row is wrong when its score z = coef . (x, 1) is on the other side than its class y (0 or 1): z >= 0
// stands for class 1; when `strict`, z = 0 is wrong for both. A wrong row changes coef by eta (x, 1), upwards
// for class 1. A row of weight w is shown as often as w says, the last time with what is left of a fraction;
// w is null for weights of 1.
PerceptronPass perceptron_pass(const Matrix<double>& x, const Vector<std::int32_t>& y,
                               const Vector<double>* w, const Vector<double>& coef, double eta, bool strict);

}  // namespace hornbook
