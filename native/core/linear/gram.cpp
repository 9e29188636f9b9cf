#include "core/linear/gram.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t block = 4;  // columns times columns per step: 16 products stay in registers
constexpr std::int64_t steps = RowTile::most_rows / lanes;
constexpr std::int64_t few_cols = 32;  // columns whose lines stay in the cache
constexpr std::int64_t together = 8;   // of more, columns transposed at a time: a line of each row

double sum_of(const Lanes& v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }

HORNBOOK_WIDE void wide_scores(const double* tile, std::int64_t width, const double* coef, double* out) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    auto* z = reinterpret_cast<Lanes*>(out);
    for (std::int64_t s = 0; s < steps; ++s) z[s] = Lanes{};
    for (std::int64_t j = 0; j < width; ++j)
        for (std::int64_t s = 0; s < steps; ++s) z[s] += coef[j] * x[j * steps + s];
}

// The same for four scores at once: every number of the tile is read once for all of them.
HORNBOOK_WIDE void wide_block_scores(const double* tile, std::int64_t width, const double* coef,
                                     double* out) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    auto* z = reinterpret_cast<Lanes*>(out);
    for (std::int64_t s = 0; s < steps; s += 2) {
        Lanes sum[block * 2] = {};
        for (std::int64_t j = 0; j < width; ++j)
            for (std::int64_t k = 0; k < block; ++k) {
                sum[2 * k] += coef[k * width + j] * x[j * steps + s];
                sum[2 * k + 1] += coef[k * width + j] * x[j * steps + s + 1];
            }
        for (std::int64_t k = 0; k < block; ++k) {
            z[k * steps + s] = sum[2 * k];
            z[k * steps + s + 1] = sum[2 * k + 1];
        }
    }
}

HORNBOOK_WIDE void wide_products(const double* tile, std::int64_t width, const double* rows, double* sums) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    const auto* r = reinterpret_cast<const Lanes*>(rows);
    for (std::int64_t j = 0; j < width; ++j) {
        Lanes sum{};
        for (std::int64_t s = 0; s < steps; ++s) sum += r[s] * x[j * steps + s];
        sums[j] += sum_of(sum);
    }
}

HORNBOOK_WIDE void wide_scale(double* tile, std::int64_t width, const double* factor) {
    auto* x = reinterpret_cast<Lanes*>(tile);
    const auto* f = reinterpret_cast<const Lanes*>(factor);
    for (std::int64_t j = 0; j < width; ++j)
        for (std::int64_t s = 0; s < steps; ++s) x[j * steps + s] *= f[s];
}

// products[4 j + k] = sum over rows of a[j] * b[k], for four columns a and four columns b
HORNBOOK_WIDE void wide_block(const double* first, const double* second, double* products) {
    const auto* a = reinterpret_cast<const Lanes*>(first);
    const auto* b = reinterpret_cast<const Lanes*>(second);
    Lanes sum[block * block] = {};
    for (std::int64_t s = 0; s < steps; ++s)
        for (std::int64_t j = 0; j < block; ++j)
            for (std::int64_t k = 0; k < block; ++k)
                sum[block * j + k] += a[j * steps + s] * b[k * steps + s];
    for (std::int64_t i = 0; i < block * block; ++i) products[i] = sum_of(sum[i]);
}

}  // namespace

RowTile::RowTile(std::int64_t cols)
    : width_(cols + 1), blocks_(cols / block + 1), tile_(blocks_ * block, most_rows, 0.0) {}

void RowTile::load(const double* __restrict x, std::int64_t rows, const double* __restrict center) {
    double* __restrict tile = tile_.data();
    const std::int64_t cols = width_ - 1;
    clear(rows);
    // Columns of the tile lie in the same few sets of the cache: writing a whole row of many columns would
    // evict each line before its next number comes.
    const std::int64_t step = cols <= few_cols ? cols : together;
    for (std::int64_t first = 0; first < cols; first += step) {
        const std::int64_t last = std::min(first + step, cols);
        for (std::int64_t r = 0; r < rows; ++r) {
            const double* __restrict row = x + r * cols;
            if (center == nullptr)
                for (std::int64_t j = first; j < last; ++j) tile[j * most_rows + r] = row[j];
            else
                for (std::int64_t j = first; j < last; ++j) tile[j * most_rows + r] = row[j] - center[j];
        }
    }
}

void RowTile::clear(std::int64_t rows) {
    pace_.spend(width_ * most_rows);
    if (rows < most_rows) std::fill_n(tile_.data(), width_ * most_rows, 0.0);
    std::fill_n(tile_.data() + (width_ - 1) * most_rows, rows, 1.0);
}

void RowTile::put(std::int64_t row, std::int64_t first, const double* __restrict x,
                  const double* __restrict mean, std::int64_t cols, double factor) {
    double* __restrict tile = tile_.data() + first * most_rows + row;
    if (factor == 0.0)
        for (std::int64_t j = 0; j < cols; ++j) tile[j * most_rows] = 0.0;
    else
        for (std::int64_t j = 0; j < cols; ++j) tile[j * most_rows] = factor * (x[j] - mean[j]);
}

void RowTile::scores(const double* coef, double* out) const { wide_scores(tile_.data(), width_, coef, out); }

void RowTile::add_products(const double* r, double* sums) const {
    wide_products(tile_.data(), width_, r, sums);
}

void RowTile::scale(const double* factor) { wide_scale(tile_.data(), width_, factor); }

void RowTile::scores(const double* coef, std::int64_t n, double* out) {
    pace_.spend(n * width_ * (most_rows / lanes));
    std::int64_t k = 0;
    for (; k + block <= n; k += block)
        wide_block_scores(tile_.data(), width_, coef + k * width_, out + k * most_rows);
    for (; k < n; ++k) scores(coef + k * width_, out + k * most_rows);
}

void RowTile::add_products(const double* r, std::int64_t n, double* sums) {
    double products[block * block];
    pace_.spend(n * width_ * (most_rows / lanes));
    std::int64_t k = 0;
    for (; k + block <= n; k += block)
        for (std::int64_t p = 0; p < blocks_; ++p) {
            wide_block(r + k * most_rows, tile_.data() + p * block * most_rows, products);
            const std::int64_t count = std::min(block, width_ - p * block);
            for (std::int64_t i = 0; i < block; ++i)
                for (std::int64_t j = 0; j < count; ++j)
                    sums[(k + i) * width_ + p * block + j] += products[block * i + j];
        }
    for (; k < n; ++k) add_products(r + k * most_rows, sums + k * width_);
}

void RowTile::add_gram(const RowTile& other, double* sums, std::int64_t stride) {
    double products[block * block];
    for (std::int64_t p = 0; p < blocks_; ++p) {
        pace_.spend((blocks_ - p) * most_rows);
        for (std::int64_t q = p; q < blocks_; ++q) {
            wide_block(tile_.data() + p * block * most_rows, other.tile_.data() + q * block * most_rows,
                       products);
            const std::int64_t last_j = std::min(width_, (p + 1) * block);
            const std::int64_t last_k = std::min(width_, (q + 1) * block);
            for (std::int64_t j = p * block; j < last_j; ++j)
                for (std::int64_t k = std::max(j, q * block); k < last_k; ++k)
                    sums[j * stride + k] += products[block * (j - p * block) + (k - q * block)];
        }
    }
}

void RowTile::add_gram(const double* factor, RowTile& scaled, double* sums, std::int64_t stride) const {
    std::copy_n(tile_.data(), width_ * most_rows, scaled.tile_.data());
    scaled.scale(factor);
    scaled.add_gram(*this, sums, stride);
}

void mirror(double* sums, std::int64_t width) {
    for (std::int64_t j = 0; j < width; ++j)
        for (std::int64_t k = j + 1; k < width; ++k) sums[k * width + j] = sums[j * width + k];
}

Buffer<double> weighted_gram(const Matrix<double>& x, const Vector<double>& h) {
    if (h.size != x.rows)
        refuse("h must have one entry per row of X; it has ", h.size, " for ", x.rows, " rows.");
    RowTile tile(x.cols);
    Buffer<double> sums(tile.width(), tile.width(), 0.0);
    alignas(64) double root[RowTile::most_rows] = {};
    for (std::int64_t i = 0; i < x.rows; i += RowTile::most_rows) {
        const std::int64_t rows = std::min(RowTile::most_rows, x.rows - i);
        for (std::int64_t r = 0; r < rows; ++r) {
            if (!(h.data[i + r] >= 0.0))
                refuse("h must be 0 or more; row ", i + r, " has ", h.data[i + r], ".");
            root[r] = std::sqrt(h.data[i + r]);
        }
        tile.load(x.row(i), rows);
        tile.scale(root);
        tile.add_gram(sums.data());
    }
    mirror(sums.data(), tile.width());
    return sums;
}

}  // namespace hornbook
