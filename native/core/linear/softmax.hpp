// Scores turned into logarithms of shares.
#pragma once

#include "core/base/arrays.hpp"

namespace hornbook {

struct LogShares {
    Buffer<double> shares;  // like the scores
    Buffer<double> total;   // one per row
};

// Row i: total = log of the sum of exp(score), shares = scores - total, which sum to 1 however large the
// scores are; equal scores of +inf share alike. A row of -inf stays as it is, with total -inf.
LogShares log_softmax(const Matrix<double>& scores, int threads);

}  // namespace hornbook
