// One pass of the perceptron (Rosenblatt 1958) over the rows, in their order.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

struct PerceptronPass {
    Buffer<double> coef;    // weights of the columns, the constant last
    std::int64_t mistakes;  // number of updates
};

// A row is misclassified when its score z = coef . (x, 1) is on the wrong side for its class y (0 or 1): z >=
// 0 predicts class 1; when `strict`, z = 0 is wrong for both. A misclassified row changes coef by eta (x, 1),
// plus for class 1 and minus for class 0. A row of weight w is presented w times, the last time with the
// remaining fraction; w is null for weights of 1.
PerceptronPass perceptron_pass(const Matrix<double>& x, const Vector<std::int32_t>& y,
                               const Vector<double>* w, const Vector<double>& coef, double eta, bool strict);

}  // namespace hornbook
