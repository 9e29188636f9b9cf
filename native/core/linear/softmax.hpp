// Log-softmax: scores to log probabilities.
#pragma once

#include "core/base/arrays.hpp"

namespace hornbook {

struct LogSoftmax {
    Buffer<double> log_p;  // shape of the scores
    Buffer<double> total;  // one per row
};

// Row i: total = log of the sum of exp(score), log_p = scores - total. Probabilities sum to 1 however large
// the scores are; several scores of +inf share the probability equally. A row of -inf stays as it is, with
// total -inf.
LogSoftmax log_softmax(const Matrix<double>& scores, int threads);

}  // namespace hornbook
