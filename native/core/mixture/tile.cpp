#include "core/mixture/tile.hpp"

#include "core/base/exponent.hpp"
#include "core/base/logarithm.hpp"

namespace hornbook::mixture {

namespace {

// Squares beyond this are all the same: densities that are 0 for every purpose, in numbers that stay finite.
constexpr double farthest = 0x1p1000;

HORNBOOK_WIDE void wide_subtract(const double* tile, const double* mean, std::int64_t cols, double* gap) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    auto* out = reinterpret_cast<Lanes*>(gap);
    for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t s = 0; s < steps; ++s) out[j * steps + s] = x[j * steps + s] - mean[j];
}

// Also replaces NaN, a difference of overflowing numbers, by the bound.
__attribute__((always_inline)) inline void store_squares(const Lanes* square, double* out) {
    const Lanes bound = Lanes{} + farthest;
    auto* to = reinterpret_cast<Lanes*>(out);
    for (std::int64_t s = 0; s < steps; ++s) to[s] = square[s] < bound ? square[s] : bound;
}

// Calls use(row, z) with z = the row of the matrix times gap, for all rows. Two rows at once: each number of
// the tile is loaded once for both.
template <class Use>
[[gnu::always_inline]] inline void times_gap(const double* gap, const double* whiten, std::int64_t cols,
                                             const Use& use) {
    const auto* x = reinterpret_cast<const Lanes*>(gap);
    std::int64_t i = 0;
    for (; i + 1 < cols; i += 2) {
        const double* upper = whiten + i * cols;
        const double* lower = upper + cols;
        Lanes z[steps] = {};
        Lanes y[steps] = {};
        for (std::int64_t j = 0; j <= i; ++j)
            for (std::int64_t s = 0; s < steps; ++s) {
                z[s] += upper[j] * x[j * steps + s];
                y[s] += lower[j] * x[j * steps + s];
            }
        for (std::int64_t s = 0; s < steps; ++s) y[s] += lower[i + 1] * x[(i + 1) * steps + s];
        use(i, z);
        use(i + 1, y);
    }
    if (i < cols) {
        Lanes z[steps] = {};
        for (std::int64_t j = 0; j <= i; ++j)
            for (std::int64_t s = 0; s < steps; ++s) z[s] += whiten[i * cols + j] * x[j * steps + s];
        use(i, z);
    }
}

HORNBOOK_WIDE void wide_squares(const double* gap, const double* whiten, std::int64_t cols, double* out) {
    Lanes square[steps] = {};
    times_gap(gap, whiten, cols, [&](std::int64_t, const Lanes* z) {
        for (std::int64_t s = 0; s < steps; ++s) square[s] += z[s] * z[s];
    });
    store_squares(square, out);
}

HORNBOOK_WIDE void wide_whiten(const double* gap, const double* whiten, std::int64_t cols, double* out) {
    auto* to = reinterpret_cast<Lanes*>(out);
    times_gap(gap, whiten, cols, [&](std::int64_t i, const Lanes* z) {
        for (std::int64_t s = 0; s < steps; ++s) to[i * steps + s] = z[s];
    });
}

HORNBOOK_WIDE void wide_square_gaps(const double* tile, const double* mean, std::int64_t cols, double* out) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    Lanes square[steps] = {};
    for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t s = 0; s < steps; ++s) {
            const Lanes z = x[j * steps + s] - mean[j];
            square[s] += z * z;
        }
    store_squares(square, out);
}

HORNBOOK_WIDE void wide_diagonal_squares(const double* tile, const double* mean, const double* whiten,
                                         std::int64_t cols, double* out) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    Lanes square[steps] = {};
    for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t s = 0; s < steps; ++s) {
            const Lanes z = whiten[j] * (x[j * steps + s] - mean[j]);
            square[s] += z * z;
        }
    store_squares(square, out);
}

// totals[row] = log of the sum of the densities, which become probabilities times weights.
HORNBOOK_WIDE void wide_normalize(double* joint, std::int64_t components, std::int64_t stride,
                                  const double* weight, double* totals) {
    for (std::int64_t s = 0; s < steps; ++s) {
        double* place = joint + s * lanes;
        Lanes top = *reinterpret_cast<Lanes*>(place);
        for (std::int64_t k = 1; k < components; ++k) {
            const Lanes value = *reinterpret_cast<Lanes*>(place + k * stride);
            top = value > top ? value : top;
        }
        Lanes sum{};
        for (std::int64_t k = 0; k < components; ++k) {
            auto& value = *reinterpret_cast<Lanes*>(place + k * stride);
            Lanes power = value - top;
            exponentiate(power);
            sum += power;
            value = power;
        }
        const Lanes factor = reinterpret_cast<const Lanes*>(weight)[s] / sum;
        for (std::int64_t k = 0; k < components; ++k) *reinterpret_cast<Lanes*>(place + k * stride) *= factor;
        logarithm(sum);  // from 1 to the number of components
        reinterpret_cast<Lanes*>(totals)[s] = top + sum;
    }
}

// scaled = weight * gap; sums[0] += weight, sums[1 + column] += scaled
HORNBOOK_WIDE void wide_first_moments(const double* gap, const double* weight, std::int64_t cols,
                                      double* scaled, double* sums) {
    const auto* x = reinterpret_cast<const Lanes*>(gap);
    const auto* w = reinterpret_cast<const Lanes*>(weight);
    auto* out = reinterpret_cast<Lanes*>(scaled);
    auto* total = reinterpret_cast<Lanes*>(sums);
    total[0] += (w[0] + w[1]) + (w[2] + w[3]);
    for (std::int64_t j = 0; j < cols; ++j) {
        for (std::int64_t s = 0; s < steps; ++s) out[j * steps + s] = w[s] * x[j * steps + s];
        const Lanes* v = out + j * steps;
        total[1 + j] += (v[0] + v[1]) + (v[2] + v[3]);
    }
}

__attribute__((always_inline)) inline void add_product(const Lanes* a, const Lanes* b, Lanes& total) {
    total += (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

// The lower triangle, row after row; two rows at once, for which each number of the tile is loaded once.
HORNBOOK_WIDE void wide_products(const double* scaled, const double* gap, std::int64_t cols, double* sums) {
    const auto* a = reinterpret_cast<const Lanes*>(scaled);
    const auto* b = reinterpret_cast<const Lanes*>(gap);
    auto* total = reinterpret_cast<Lanes*>(sums);
    std::int64_t j = 0;
    for (; j + 1 < cols; j += 2) {
        Lanes first[steps];
        Lanes second[steps];
        for (std::int64_t s = 0; s < steps; ++s) first[s] = a[j * steps + s];
        for (std::int64_t s = 0; s < steps; ++s) second[s] = a[(j + 1) * steps + s];
        Lanes* upper = total;
        Lanes* lower = total + j + 1;
        for (std::int64_t l = 0; l <= j; ++l) {
            add_product(first, b + l * steps, upper[l]);
            add_product(second, b + l * steps, lower[l]);
        }
        add_product(second, b + (j + 1) * steps, lower[j + 1]);
        total += 2 * j + 3;
    }
    if (j < cols)
        for (std::int64_t l = 0; l <= j; ++l) add_product(a + j * steps, b + l * steps, total[l]);
}

// All moments of independent columns, in one reading of the tile.
HORNBOOK_WIDE void wide_diagonal_moments(const double* tile, const double* mean, const double* weight,
                                         std::int64_t cols, double* sums) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    const auto* w = reinterpret_cast<const Lanes*>(weight);
    auto* total = reinterpret_cast<Lanes*>(sums);
    total[0] += (w[0] + w[1]) + (w[2] + w[3]);
    Lanes* first = total + 1;
    Lanes* second = first + cols;
    for (std::int64_t j = 0; j < cols; ++j) {
        Lanes gap[steps];
        Lanes scaled[steps];
        for (std::int64_t s = 0; s < steps; ++s) {
            gap[s] = x[j * steps + s] - mean[j];
            scaled[s] = w[s] * gap[s];
        }
        first[j] += (scaled[0] + scaled[1]) + (scaled[2] + scaled[3]);
        add_product(scaled, gap, second[j]);
    }
}

}  // namespace

void subtract(const double* tile, const double* mean, std::int64_t cols, double* gap) {
    wide_subtract(tile, mean, cols, gap);
}

void whiten_gap(const double* gap, const double* whiten, std::int64_t cols, double* out) {
    wide_whiten(gap, whiten, cols, out);
}

void squares(const double* gap, const double* whiten, std::int64_t cols, double* out) {
    wide_squares(gap, whiten, cols, out);
}

void square_gaps(const double* tile, const double* mean, std::int64_t cols, double* out) {
    wide_square_gaps(tile, mean, cols, out);
}

void diagonal_squares(const double* tile, const double* mean, const double* whiten, std::int64_t cols,
                      double* out) {
    wide_diagonal_squares(tile, mean, whiten, cols, out);
}

void normalize(double* joint, std::int64_t components, std::int64_t stride, const double* weight,
               double* totals) {
    wide_normalize(joint, components, stride, weight, totals);
}

std::int64_t moment_count(std::int64_t cols, bool diagonal) {
    return 1 + cols + (diagonal ? cols : cols * (cols + 1) / 2);
}

void add_moments(const double* gap, const double* weight, std::int64_t cols, double* scaled, double* sums) {
    wide_first_moments(gap, weight, cols, scaled, sums);
    wide_products(scaled, gap, cols, sums + (1 + cols) * lanes);
}

void add_diagonal_moments(const double* tile, const double* mean, const double* weight, std::int64_t cols,
                          double* sums) {
    wide_diagonal_moments(tile, mean, weight, cols, sums);
}

double total_of(const double* v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }

}  // namespace hornbook::mixture
