#include "core/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/refuse.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run_rows = 4096;

double log_total(const double* scores, std::int64_t n) {
    const double top = *std::max_element(scores, scores + n);
    if (std::isinf(top)) return top;  // nothing but -inf, or a +inf that no other score can match
    double sum = 0.0;
    for (std::int64_t c = 0; c < n; ++c) sum += std::exp(scores[c] - top);
    return top + std::log(sum);
}

}  // namespace

LogShares log_softmax(const Matrix<double>& scores, int threads) {
    if (scores.cols < 1) refuse("scores must have at least one column; they have ", scores.cols, ".");
    LogShares out{Buffer<double>(scores.rows, scores.cols), Buffer<double>(scores.rows)};
    parallel_rows(scores.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const double* row = scores.row(i);
            double* share = out.shares.data() + i * scores.cols;
            const double total = log_total(row, scores.cols);
            out.total[i] = total;
            // inf - inf has no value: equal infinities are certain, the others impossible.
            for (std::int64_t c = 0; c < scores.cols; ++c)
                share[c] =
                    row[c] == total && std::isinf(total) ? (total > 0.0 ? 0.0 : row[c]) : row[c] - total;
        }
    });
    return out;
}

}  // namespace hornbook
