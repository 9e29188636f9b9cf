#include "core/linear/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

void check(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
           const Vector<double>& coef, double eta) {
    if (y.size != x.rows)
        refuse("y must have one entry per row of X; it has ", y.size, " for ", x.rows, " rows.");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (coef.size != x.cols + 1)
        refuse("coef must have one entry per column of X and one for the constant; it has ", coef.size,
               " for ", x.cols, " columns.");
    if (!(eta > 0.0)) refuse("eta must be above 0; got ", eta, ".");
    for (std::int64_t i = 0; i < y.size; ++i)
        if (y.data[i] != 0 && y.data[i] != 1) refuse("y must be 0 or 1; row ", i, " has ", y.data[i], ".");
    for (std::int64_t i = 0; w != nullptr && i < w->size; ++i)
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
}

// Updates by one row that are made one at a time; the rest of its weight is then applied in leaps.
constexpr int most_single = 1024;
constexpr int most_leaps = 64;
constexpr double most_counted = 4e18;  // mistakes, which are reported as an integer

// Makes at once as many updates by a row as bring its score to the right side, at most its remaining weight:
// k updates change the score by k eta (|x|^2 + 1). `zero` says whether a score of 0 is right. Returns the
// number of updates. Sums may overflow or lose the update to rounding, so the caller bounds the number of
// calls.
double leap(const double* row, std::int64_t cols, double score, double step, double left, bool zero,
            double* theta) {
    double square = 1.0;
    for (std::int64_t j = 0; j < cols; ++j) square += row[j] * row[j];
    const double distance = std::abs(score) / (std::abs(step) * square);
    const double needed = zero ? std::max(std::ceil(distance), 1.0) : std::floor(distance) + 1.0;
    const double times = needed < left ? needed : left;
    for (std::int64_t j = 0; j < cols; ++j) theta[j] += times * step * row[j];
    theta[cols] += times * step;
    return times;
}

// Presents the rows [first, last) and returns the number of mistakes.
double present_rows(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                    double eta, bool strict, std::int64_t first, std::int64_t last, double* theta) {
    double mistakes = 0.0;
    for (std::int64_t i = first; i < last; ++i) {
        const double* row = x.row(i);
        const bool one = y.data[i] == 1;
        double left = w == nullptr ? 1.0 : w->data[i];
        for (int turn = 0; left > 0.0 && turn < most_single + most_leaps; ++turn) {
            double z = theta[x.cols];
            for (std::int64_t j = 0; j < x.cols; ++j) z += theta[j] * row[j];
            const bool wrong = strict && z == 0.0 ? true : (z >= 0.0) != one;
            if (!wrong) break;  // presenting it again would change nothing
            if (turn >= most_single) {
                const double times = leap(row, x.cols, z, one ? eta : -eta, left, one && !strict, theta);
                left -= times;
                mistakes += std::ceil(times);
                continue;
            }
            const double step = (one ? eta : -eta) * std::min(left, 1.0);
            for (std::int64_t j = 0; j < x.cols; ++j) theta[j] += step * row[j];
            theta[x.cols] += step;
            left -= 1.0;
            mistakes += 1.0;
        }
    }
    return mistakes;
}

}  // namespace

PerceptronPass perceptron_pass(const Matrix<double>& x, const Vector<std::int32_t>& y,
                               const Vector<double>* w, const Vector<double>& coef, double eta, bool strict) {
    check(x, y, w, coef, eta);
    PerceptronPass out{Buffer<double>(coef.size), 0};
    std::copy_n(coef.data, coef.size, out.coef.data());
    // Few enough to take less than a second even if each is presented as often as possible.
    const std::int64_t rows = std::max<std::int64_t>(1, (std::int64_t{1} << 17) / coef.size);
    double mistakes = 0.0;
    for (std::int64_t first = 0; first < x.rows; first += rows) {
        stop_point();
        const std::int64_t last = std::min(first + rows, x.rows);
        mistakes += present_rows(x, y, w, eta, strict, first, last, out.coef.data());
    }
    out.mistakes = static_cast<std::int64_t>(std::min(mistakes, most_counted));
    return out;
}

}  // namespace hornbook
