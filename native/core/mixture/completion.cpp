#include "core/mixture/completion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/simd.hpp"
#include "core/mixture/tile.hpp"
#include "core/stop.hpp"

namespace hornbook::mixture {

namespace {

const double log_two_pi = std::log(2.0 * std::numbers::pi);

// gap[missing] = sum over known columns of map[column] * gap[column]
HORNBOOK_WIDE void wide_combination(const double* map, const std::int64_t* known, std::int64_t count,
                                    const double* gap, double* out) {
    const auto* x = reinterpret_cast<const Lanes*>(gap);
    Lanes sum[steps] = {};
    for (std::int64_t j = 0; j < count; ++j)
        for (std::int64_t s = 0; s < steps; ++s) sum[s] += map[j] * x[known[j] * steps + s];
    for (std::int64_t s = 0; s < steps; ++s) reinterpret_cast<Lanes*>(out)[s] = sum[s];
}

// (whiten' whiten)[a, b] for a lower triangular matrix.
double precision(const double* whiten, std::int64_t cols, std::int64_t a, std::int64_t b) {
    double sum = 0.0;
    for (std::int64_t i = std::max(a, b); i < cols; ++i) sum += whiten[i * cols + a] * whiten[i * cols + b];
    return sum;
}

}  // namespace

Completion::Completion(const Components& components, std::int64_t k, const Group& group)
    : group_(group),
      diagonal_(components.diagonal),
      scale_(0.5 * static_cast<double>(group.missing.size()) * log_two_pi) {
    if (diagonal_)
        from_diagonal(components.matrix(k));
    else
        from_triangle(components.matrix(k), components.cols());
}

void Completion::from_diagonal(const double* whiten) {
    for (const std::int64_t j : group_.missing) {
        scale_ -= std::log(whiten[j]);
        covariance_.push_back(1.0 / (whiten[j] * whiten[j]));
    }
}

void Completion::from_triangle(const double* whiten, std::int64_t cols) {
    const auto m = static_cast<std::int64_t>(group_.missing.size());
    const auto n = static_cast<std::int64_t>(group_.known.size());
    Pace pace;
    for (const std::int64_t a : group_.missing) {
        pace.spend(m * cols);
        for (const std::int64_t b : group_.missing) covariance_.push_back(precision(whiten, cols, a, b));
    }
    invert(covariance_.data(), m);
    std::vector<double> across;
    for (const std::int64_t a : group_.missing) {
        pace.spend(n * cols);
        for (const std::int64_t b : group_.known) across.push_back(precision(whiten, cols, a, b));
    }
    map_.assign(static_cast<std::size_t>(m * n), 0.0);
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t l = 0; l < m; ++l) {
            pace.spend(n);
            const double factor = covariance_[static_cast<std::size_t>(i * m + l)];
            for (std::int64_t j = 0; j < n; ++j)
                map_[static_cast<std::size_t>(i * n + j)] -=
                    factor * across[static_cast<std::size_t>(l * n + j)];
        }
}

// Replaces a positive definite matrix by its inverse, through its Cholesky factor L, and takes half the log
// of its determinant from the scale.
void Completion::invert(double* p, std::int64_t m) {
    constexpr double smallest = std::numeric_limits<double>::epsilon();
    Pace pace;
    for (std::int64_t i = 0; i < m; ++i) {
        pace.spend(i * i / 2 + 1);
        const double whole = p[i * m + i];
        for (std::int64_t j = 0; j <= i; ++j) {
            double sum = p[i * m + j];
            for (std::int64_t l = 0; l < j; ++l) sum -= p[i * m + l] * p[j * m + l];
            // Rounding may leave nothing of a pivot that is positive by definition.
            p[i * m + j] = i == j ? std::sqrt(std::max(sum, smallest * whole)) : sum / p[j * m + j];
        }
        scale_ -= std::log(p[i * m + i]);
    }
    std::vector<double> inverse(static_cast<std::size_t>(m * m), 0.0);  // of L
    for (std::int64_t i = 0; i < m; ++i) {
        pace.spend(i * i / 2 + 1);
        for (std::int64_t j = 0; j <= i; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (std::int64_t l = j; l < i; ++l)
                sum -= p[i * m + l] * inverse[static_cast<std::size_t>(l * m + j)];
            inverse[static_cast<std::size_t>(i * m + j)] = sum / p[i * m + i];
        }
    }
    for (std::int64_t i = 0; i < m; ++i) {
        pace.spend(i * m + 1);
        for (std::int64_t j = 0; j <= i; ++j)
            p[i * m + j] = p[j * m + i] = precision(inverse.data(), m, i, j);
    }
}

void Completion::complete(double* gap) const {
    const auto n = static_cast<std::int64_t>(group_.known.size());
    for (std::size_t i = 0; i < group_.missing.size(); ++i) {
        double* to = gap + group_.missing[i] * tile_rows;
        if (diagonal_)
            std::fill_n(to, tile_rows, 0.0);
        else
            wide_combination(map_.data() + static_cast<std::int64_t>(i) * n, group_.known.data(), n, gap, to);
    }
}

void Completion::add_covariance(double mass, double* second) const {
    const std::size_t m = group_.missing.size();
    for (std::size_t i = 0; i < m; ++i) {
        const std::int64_t a = group_.missing[i];
        if (diagonal_) {
            second[a] += mass * covariance_[i];
            continue;
        }
        for (std::size_t j = 0; j <= i; ++j)  // missing columns ascend
            second[a * (a + 1) / 2 + group_.missing[j]] += mass * covariance_[i * m + j];
    }
}

}  // namespace hornbook::mixture
