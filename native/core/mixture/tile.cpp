#include "core/mixture/tile.hpp"

#include <cmath>

#include "core/base/exponent.hpp"

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

// Two rows of the matrix at once: each number of the tile is loaded once for both.
HORNBOOK_WIDE void wide_squares(const double* gap, const double* whiten, std::int64_t cols, double* out) {
    const auto* x = reinterpret_cast<const Lanes*>(gap);
    Lanes square[steps] = {};
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
        for (std::int64_t s = 0; s < steps; ++s) {
            y[s] += lower[i + 1] * x[(i + 1) * steps + s];
            square[s] += z[s] * z[s];
            square[s] += y[s] * y[s];
        }
    }
    if (i < cols) {
        Lanes z[steps] = {};
        for (std::int64_t j = 0; j <= i; ++j)
            for (std::int64_t s = 0; s < steps; ++s) z[s] += whiten[i * cols + j] * x[j * steps + s];
        for (std::int64_t s = 0; s < steps; ++s) square[s] += z[s] * z[s];
    }
    store_squares(square, out);
}

HORNBOOK_WIDE void wide_diagonal_squares(const double* gap, const double* whiten, std::int64_t cols,
                                         double* out) {
    const auto* x = reinterpret_cast<const Lanes*>(gap);
    Lanes square[steps] = {};
    for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t s = 0; s < steps; ++s) {
            const Lanes z = whiten[j] * x[j * steps + s];
            square[s] += z * z;
        }
    store_squares(square, out);
}

// totals[row] = the largest, sums[row] = the sum of exp(log density - the largest)
HORNBOOK_WIDE void wide_exponentials(double* joint, std::int64_t components, std::int64_t stride,
                                     double* totals, double* sums) {
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
        reinterpret_cast<Lanes*>(totals)[s] = top;
        reinterpret_cast<Lanes*>(sums)[s] = sum;
    }
}

HORNBOOK_WIDE void wide_scale(double* joint, std::int64_t components, std::int64_t stride,
                              const double* factors) {
    const auto* factor = reinterpret_cast<const Lanes*>(factors);
    for (std::int64_t k = 0; k < components; ++k) {
        auto* value = reinterpret_cast<Lanes*>(joint + k * stride);
        for (std::int64_t s = 0; s < steps; ++s) value[s] *= factor[s];
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

HORNBOOK_WIDE void wide_diagonal_products(const double* scaled, const double* gap, std::int64_t cols,
                                          double* sums) {
    const auto* a = reinterpret_cast<const Lanes*>(scaled);
    const auto* b = reinterpret_cast<const Lanes*>(gap);
    auto* total = reinterpret_cast<Lanes*>(sums);
    for (std::int64_t j = 0; j < cols; ++j) add_product(a + j * steps, b + j * steps, total[j]);
}

}  // namespace

void subtract(const double* tile, const double* mean, std::int64_t cols, double* gap) {
    wide_subtract(tile, mean, cols, gap);
}

void squares(const double* gap, const double* whiten, std::int64_t cols, bool diagonal, double* out) {
    if (diagonal)
        wide_diagonal_squares(gap, whiten, cols, out);
    else
        wide_squares(gap, whiten, cols, out);
}

void normalize(double* joint, std::int64_t components, std::int64_t stride, const double* weight,
               double* totals) {
    alignas(64) double sums[tile_rows];
    wide_exponentials(joint, components, stride, totals, sums);
    for (std::int64_t r = 0; r < tile_rows; ++r) {
        totals[r] += std::log(sums[r]);
        sums[r] = weight[r] / sums[r];
    }
    wide_scale(joint, components, stride, sums);
}

std::int64_t moment_count(std::int64_t cols, bool diagonal) {
    return 1 + cols + (diagonal ? cols : cols * (cols + 1) / 2);
}

void add_moments(const double* gap, const double* weight, std::int64_t cols, bool diagonal, double* scaled,
                 double* sums) {
    wide_first_moments(gap, weight, cols, scaled, sums);
    double* second = sums + (1 + cols) * lanes;
    if (diagonal)
        wide_diagonal_products(scaled, gap, cols, second);
    else
        wide_products(scaled, gap, cols, second);
}

double total_of(const double* v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }

}  // namespace hornbook::mixture
