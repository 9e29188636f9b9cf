#include "core/stats/multinormal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/base/transpose_tiles.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

const double log_two_pi = std::log(2.0 * std::numbers::pi);

// Cholesky factorization: replaces the lower triangle of a by L with L L' = a; false if a is not positive
// definite.
bool factorize(double* a, std::int64_t d) {
    Pace pace;
    for (std::int64_t i = 0; i < d; ++i) {
        pace.spend(i * i / 2);
        for (std::int64_t j = 0; j <= i; ++j) {
            double sum = a[i * d + j];
            for (std::int64_t k = 0; k < j; ++k) sum -= a[i * d + k] * a[j * d + k];
            if (i != j)
                a[i * d + j] = sum / a[j * d + j];
            else if (sum > 0.0 && std::isfinite(sum))
                a[i * d + i] = std::sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

// Replaces the lower triangle of L by that of its inverse, row by row from the top.
void invert(double* l, std::int64_t d) {
    std::vector<double> row(static_cast<std::size_t>(d));
    Pace pace;
    for (std::int64_t i = 0; i < d; ++i) {
        pace.spend(i * i / 2);
        const double rate = 1.0 / l[i * d + i];
        for (std::int64_t j = 0; j < i; ++j) {
            double sum = 0.0;
            for (std::int64_t k = j; k < i; ++k) sum += l[i * d + k] * l[k * d + j];
            row[static_cast<std::size_t>(j)] = -sum * rate;
        }
        std::copy_n(row.data(), i, l + i * d);
        l[i * d + i] = rate;
    }
}

double log_scale(const double* l, std::int64_t d) {
    double total = -0.5 * static_cast<double>(d) * log_two_pi;
    for (std::int64_t i = 0; i < d; ++i) total -= std::log(l[i * d + i]);
    return total;
}

// The densities ready for use: log N(x) = scale - |W (x - mean)|^2 / 2 with W the inverse of L.
struct Densities {
    std::int64_t classes;
    std::int64_t cols;
    const double* mean;
    const double* cov;
    Buffer<double> whiten;
    std::vector<double> scales;
};

Densities prepare(const Matrix<double>& x, const Matrix<double>& mean, const Matrix<double>& cov) {
    const std::int64_t d = x.cols;
    if (mean.cols != d)
        refuse("mean must have one column per column of X; it has ", mean.cols, " for ", d, ".");
    if (cov.cols != d || cov.rows != checked_product(mean.rows, d))
        refuse("cov must hold one ", d, " x ", d, " matrix per class; it is ", cov.rows, " x ", cov.cols,
               " for ", mean.rows, " classes.");
    for (std::int64_t i = 0; i < mean.rows * d; ++i)
        if (!std::isfinite(mean.data[i]))
            refuse("mean must be finite; class ", i / d, ", column ", i % d, " has ", mean.data[i], ".");
    Densities out{mean.rows, d, mean.data, cov.data, Buffer<double>(cov.rows, d), {}};
    std::copy_n(cov.data, cov.rows * d, out.whiten.data());
    for (std::int64_t c = 0; c < mean.rows; ++c) {
        double* l = out.whiten.data() + c * d * d;
        if (!factorize(l, d)) refuse("cov must be positive definite; that of class ", c, " is not.");
        out.scales.push_back(log_scale(l, d));
        invert(l, d);
    }
    return out;
}

// squares[row] = |W (x - mean)|^2, every sum in the order of the columns.
HORNBOOK_WIDE void sum_squares(const double* tile, std::int64_t cols, const double* __restrict mean,
                               const double* __restrict whiten, double* deviations, double* squares) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    auto* gap = reinterpret_cast<Lanes*>(deviations);
    for (std::int64_t j = 0; j < cols; ++j) {
        gap[2 * j] = x[2 * j] - mean[j];
        gap[2 * j + 1] = x[2 * j + 1] - mean[j];
    }
    Lanes square0{};
    Lanes square1{};
    for (std::int64_t i = 0; i < cols; ++i) {
        const double* w = whiten + i * cols;
        Lanes z0{};
        Lanes z1{};
        for (std::int64_t j = 0; j <= i; ++j) {
            z0 += w[j] * gap[2 * j];
            z1 += w[j] * gap[2 * j + 1];
        }
        square0 += z0 * z0;
        square1 += z1 * z1;
    }
    reinterpret_cast<Lanes*>(squares)[0] = square0;
    reinterpret_cast<Lanes*>(squares)[1] = square1;
}

// NaN comes from differences of overflowing numbers: infinitely far away.
double log_density(double scale, double square) {
    return std::isnan(square) ? -std::numeric_limits<double>::infinity() : scale - 0.5 * square;
}

// Rows with missing numbers: the marginal density of the others, from their block of the covariance matrix.
class Marginals {
  public:
    explicit Marginals(const Densities& densities) : all_(densities) {}

    void joint(const double* x, double* out) {
        select_columns(x);
        const auto d = static_cast<std::int64_t>(known_.size());
        for (std::int64_t c = 0; c < all_.classes; ++c)
            out[c] =
                log_density(scales_[static_cast<std::size_t>(c)], square(x, c, factors_.data() + c * d * d));
    }

  private:
    // Consecutive rows often miss the same columns; the factors are kept until a row differs.
    void select_columns(const double* x) {
        std::vector<std::int64_t> known;
        for (std::int64_t j = 0; j < all_.cols; ++j)
            if (x[j] == x[j]) known.push_back(j);
        if (!scales_.empty() && known == known_) return;
        known_ = std::move(known);
        const auto d = static_cast<std::int64_t>(known_.size());
        factors_.resize(static_cast<std::size_t>(all_.classes * d * d));
        scales_.clear();
        for (std::int64_t c = 0; c < all_.classes; ++c) {
            double* l = factors_.data() + c * d * d;
            const double* cov = all_.cov + c * all_.cols * all_.cols;
            for (const std::int64_t j : known_)
                for (const std::int64_t k : known_) *l++ = cov[j * all_.cols + k];
            l = factors_.data() + c * d * d;
            if (!factorize(l, d)) refuse("cov must be positive definite; that of class ", c, " is not.");
            scales_.push_back(log_scale(l, d));
        }
    }

    double square(const double* x, std::int64_t c, const double* l) {
        const std::size_t d = known_.size();
        solved_.resize(d);
        double total = 0.0;
        for (std::size_t i = 0; i < d; ++i) {
            double z = x[known_[i]] - all_.mean[c * all_.cols + known_[i]];
            for (std::size_t j = 0; j < i; ++j) z -= l[i * d + j] * solved_[j];
            solved_[i] = z / l[i * d + i];
            total += solved_[i] * solved_[i];
        }
        return total;
    }

    const Densities& all_;
    std::vector<std::int64_t> known_;
    std::vector<double> factors_;
    std::vector<double> scales_;
    std::vector<double> solved_;
};

void tile_joint(const Densities& densities, const double* tile, std::int64_t rows, double* deviations,
                double* out) {
    alignas(64) double squares[tile_rows];
    for (std::int64_t c = 0; c < densities.classes; ++c) {
        sum_squares(tile, densities.cols, densities.mean + c * densities.cols,
                    densities.whiten.data() + c * densities.cols * densities.cols, deviations, squares);
        for (std::int64_t r = 0; r < rows; ++r)
            out[r * densities.classes + c] =
                log_density(densities.scales[static_cast<std::size_t>(c)], squares[r]);
    }
}

}  // namespace

Buffer<double> multinormal_joint(const Matrix<double>& x, const Matrix<double>& mean,
                                 const Matrix<double>& cov, int threads) {
    const Densities densities = prepare(x, mean, cov);
    Buffer<double> out(x.rows, mean.rows);
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        Buffer<double> tile(tile_rows, x.cols);
        Buffer<double> deviations(tile_rows, x.cols);
        Marginals marginals(densities);
        Pace pace;
        for (std::int64_t i = first; i < last; i += tile_rows) {
            const std::int64_t rows = std::min(tile_rows, last - i);
            double* to = out.data() + i * mean.rows;
            const bool missing = transpose_tile(x.row(i), rows, x.cols, tile.data());
            tile_joint(densities, tile.data(), rows, deviations.data(), to);
            pace.spend(mean.rows * x.cols * x.cols);
            for (std::int64_t r = 0; missing && r < rows; ++r) {
                const double* row = x.row(i + r);
                if (!std::any_of(row, row + x.cols, [](double v) { return v != v; })) continue;
                pace.spend(mean.rows * x.cols * x.cols);
                marginals.joint(row, to + r * mean.rows);
            }
        }
    });
    return out;
}

}  // namespace hornbook
