#include "core/linear/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run_rows = 4096;
constexpr double large = 1048576.0;  // above, top + log_sum has lost too many digits of log_sum

// The largest score, and the log of the sum of exp(score - top). Kept apart: where scores are large, their
// sum loses the digits of log_sum, and the probabilities would no longer sum to 1.
struct Total {
    double top;
    double log_sum;
};

Total log_total(const double* scores, std::int64_t n) {
    const double top = *std::max_element(scores, scores + n);
    if (std::isinf(top)) {  // all scores are -inf, or at least one is +inf
        return {top, std::log(static_cast<double>(std::count(scores, scores + n, top)))};
    }
    double sum = 0.0;
    for (std::int64_t c = 0; c < n; ++c) sum += std::exp(scores[c] - top);
    return {top, std::log(sum)};
}

}  // namespace

LogSoftmax log_softmax(const Matrix<double>& scores, int threads) {
    if (scores.cols < 1) refuse("scores must have at least one column; they have ", scores.cols, ".");
    LogSoftmax out{Buffer<double>(scores.rows, scores.cols), Buffer<double>(scores.rows)};
    parallel_rows(scores.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const double* row = scores.row(i);
            double* log_p = out.log_p.data() + i * scores.cols;
            const Total total = log_total(row, scores.cols);
            out.total[i] = total.top + total.log_sum;
            for (std::int64_t c = 0; c < scores.cols; ++c) {
                if (std::isinf(total.top)) {  // inf - inf is NaN: equal infinities share equally
                    const bool wins = total.top > 0.0 && row[c] == total.top;
                    log_p[c] = wins ? -total.log_sum : row[c] - std::numeric_limits<double>::infinity();
                } else if (std::abs(total.top) > large) {
                    log_p[c] = (row[c] - total.top) - total.log_sum;
                } else {
                    log_p[c] = row[c] - (total.top + total.log_sum);
                }
            }
        }
    });
    return out;
}

}  // namespace hornbook
