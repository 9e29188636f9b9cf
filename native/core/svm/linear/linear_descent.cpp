#include "core/svm/linear/linear_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"
#include "core/svm/linear/row_order.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
typedef double Loose __attribute__((vector_size(64), aligned(8), may_alias));

// Products with the rows of a matrix.
struct DenseRow {
    const double* x;
    std::int64_t n;

    [[gnu::always_inline]] inline double product(const double* w) const {
        Loose sum{};
        std::int64_t j = 0;
        for (; j + lanes <= n; j += lanes)
            sum += *reinterpret_cast<const Loose*>(x + j) * *reinterpret_cast<const Loose*>(w + j);
        double rest = 0.0;
        for (; j < n; ++j) rest += x[j] * w[j];
        return (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))) + rest;
    }
    [[gnu::always_inline]] inline double square() const { return product(x); }
    [[gnu::always_inline]] inline void add(double step, double* w) const {
        std::int64_t j = 0;
        for (; j + lanes <= n; j += lanes)
            *reinterpret_cast<Loose*>(w + j) += step * *reinterpret_cast<const Loose*>(x + j);
        for (; j < n; ++j) w[j] += step * x[j];
    }
};

// Products with the stored numbers of a sparse row.
struct SparseRow {
    const double* x;
    const std::int32_t* columns;
    std::int64_t n;

    double product(const double* w) const {
        double sum = 0.0;
        for (std::int64_t j = 0; j < n; ++j) sum += x[j] * w[columns[j]];
        return sum;
    }
    double square() const {
        double sum = 0.0;
        for (std::int64_t j = 0; j < n; ++j) sum += x[j] * x[j];
        return sum;
    }
    void add(double step, double* w) const {
        for (std::int64_t j = 0; j < n; ++j) w[columns[j]] += step * x[j];
    }
};

// What one variable gains from rising and from falling: minus the slopes of the objective, which has a kink
// where the variable is 0.
struct Gains {
    double up;
    double down;
};

[[gnu::always_inline]] inline Gains gains(double b, double low, double high, double slope, double width) {
    return {b < high ? -(slope + (b >= 0.0 ? width : -width)) : -infinity,
            b > low ? slope + (b > 0.0 ? width : -width) : -infinity};
}

// The best value of one variable while the others stay.
[[gnu::always_inline]] inline double best_value(double b, double low, double high, double slope, double width,
                                                double curvature) {
    if (!(curvature > 0.0)) return slope + width < 0.0 ? high : (slope - width > 0.0 ? low : 0.0);
    const double free = b - slope / curvature;
    const double less = width / curvature;
    const double shrunk = free > less ? free - less : (free < -less ? free + less : 0.0);
    return std::min(std::max(shrunk, low), high);
}

template <class RowAt>
[[gnu::always_inline]] inline LinearPass pass_over(const RowAt& row_at, const LinearRows& rows,
                                                   const LinearTerms& terms, double* values, double* weights,
                                                   std::int64_t* order, std::int64_t n_active,
                                                   double shrink_above) {
    LinearPass result{0.0, n_active};
    Pace pace;
    double* bias = weights + rows.cols;
    const double constant = rows.constant;
    for (std::int64_t k = 0; k < result.active;) {
        const std::int64_t i = order[k];
        const auto row = row_at(i);
        pace.spend(row.n + 8);
        const double low = terms.low.data[i];
        const double high = terms.high.data[i];
        const double b = values[i];
        const double slope =
            row.product(weights) + constant * *bias - terms.target.data[i] + terms.ridge.data[i] * b;
        const Gains gain = gains(b, low, high, slope, terms.width);
        if (gain.up < -shrink_above && gain.down < -shrink_above) {
            std::swap(order[k], order[--result.active]);
            continue;
        }
        ++k;
        const double most = std::max(gain.up, gain.down);
        if (!(most > 0.0)) continue;
        result.violation = std::max(result.violation, most);
        const double curvature = row.square() + constant * constant + terms.ridge.data[i];
        const double next = best_value(b, low, high, slope, terms.width, curvature);
        const double step = next - b;
        if (step == 0.0) continue;
        values[i] = next;
        row.add(step, weights);
        *bias += step * constant;
    }
    return result;
}

HORNBOOK_WIDE LinearPass dense_pass(const LinearRows& rows, const LinearTerms& terms, double* values,
                                    double* weights, std::int64_t* order, std::int64_t n_active,
                                    double shrink_above) {
    return pass_over([&](std::int64_t i) { return DenseRow{rows.values + i * rows.cols, rows.cols}; }, rows,
                     terms, values, weights, order, n_active, shrink_above);
}

}  // namespace

LinearPass linear_descent_pass(const LinearRows& rows, const LinearTerms& terms, double* values,
                               double* weights, std::int64_t* order, std::int64_t n_active,
                               double shrink_above, std::uint64_t seed, std::uint64_t pass) {
    for (const auto* numbers : {&terms.low, &terms.high, &terms.target, &terms.ridge})
        if (numbers->size != rows.rows) refuse("every row needs bounds, a target and a ridge.");
    check_order(order, n_active, rows.rows);
    shuffle_rows(order, n_active, seed, pass);
    if (!rows.sparse()) return dense_pass(rows, terms, values, weights, order, n_active, shrink_above);
    return pass_over(
        [&](std::int64_t i) {
            const std::int64_t first = rows.offsets[i];
            return SparseRow{rows.values + first, rows.columns + first, rows.offsets[i + 1] - first};
        },
        rows, terms, values, weights, order, n_active, shrink_above);
}

}  // namespace hornbook
