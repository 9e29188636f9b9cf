#include "core/neighbors/float_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/base/simd.hpp"
#include "core/distance/distances.hpp"
#include "core/rounding/centering.hpp"
#include "core/rounding/single_precision.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t size = Tiles::size;
constexpr std::int64_t width = 8;
constexpr std::int64_t parts = size / width;
constexpr double largest_usable = 1e15;
constexpr double least_usable = 1e-15;

typedef float FloatLanes __attribute__((vector_size(32), may_alias));
typedef std::int32_t IntLanes __attribute__((vector_size(32), may_alias));
typedef std::int64_t LongLanes __attribute__((vector_size(32), may_alias));
static_assert(sizeof(FloatLanes) == width * sizeof(float));

HORNBOOK_WIDE std::uint32_t mark_near(const float* tile, std::int64_t cols, const float* query, float limit) {
    FloatLanes sums[parts] = {};
    const auto* x = reinterpret_cast<const FloatLanes*>(tile);
    for (std::int64_t j = 0; j < cols; ++j, x += parts)
        for (std::int64_t g = 0; g < parts; ++g) {
            const FloatLanes gap = x[g] - query[j];
            sums[g] += gap * gap;
        }
    IntLanes bits = {1, 2, 4, 8, 16, 32, 64, 128};
    IntLanes marks{};
    for (std::int64_t g = 0; g < parts; ++g, bits <<= width) marks |= (sums[g] <= limit) & bits;
    const auto pairs = reinterpret_cast<const LongLanes&>(marks);
    const auto both = static_cast<std::uint64_t>((pairs[0] | pairs[1]) | (pairs[2] | pairs[3]));
    return static_cast<std::uint32_t>(both | both >> 32);
}

}  // namespace

FloatTiles::FloatTiles(const Matrix<double>& rows, const std::int64_t* order, const Matrix<double>& queries,
                       double power, int threads)
    : rows_(rows.rows),
      cols_(rows.cols),
      arranged_(power == 2.0 ? rows.rows : 0, rows.cols),
      tiles_(power == 2.0 ? (rows.rows + size - 1) / size * size : 0, rows.cols) {
    if (power != 2.0) return;
    center_ = rough_center(rows);
    const double largest = std::max(largest_gap(rows, center_), largest_gap(queries, center_));
    usable_ = largest > least_usable && largest < largest_usable;
    if (!usable_) return;
    error_ = 5.0 * float_rounding * largest * std::sqrt(static_cast<double>(cols_));
    growth_ = 1.0 + 2.0 * product_error(cols_);
    parallel_for((rows_ + size - 1) / size, threads, [&](std::int64_t tile) {
        float* out = tiles_.data() + tile * size * cols_;
        for (std::int64_t r = 0; r < size; ++r) {
            // Padding of the last tile repeats the last row; nobody asks for it.
            const std::int64_t place = std::min(tile * size + r, rows_ - 1);
            const double* x = rows.row(order[place]);
            std::copy_n(x, cols_, arranged_.data() + place * cols_);
            for (std::int64_t j = 0; j < cols_; ++j)
                out[j * size + r] = static_cast<float>(x[j] - center_[static_cast<std::size_t>(j)]);
        }
    });
}

void FloatTiles::round(const double* query, std::vector<float>& out) const {
    out.resize(static_cast<std::size_t>(cols_));
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<float>(query[j] - center_[j]);
}

float FloatTiles::limit(double reach) const {
    const double root = std::sqrt(reach) + error_;
    const double most = root * root * growth_;
    const auto close = static_cast<float>(std::min(most, 1e38));
    return std::nextafter(close, std::numeric_limits<float>::infinity());
}

std::uint32_t FloatTiles::near(std::int64_t tile, const float* query, float limit) const {
    const std::int64_t filled = std::min(size, rows_ - tile * size);
    const std::uint32_t places = ~std::uint32_t{0} >> (size - filled);
    return mark_near(tiles_.data() + tile * size * cols_, cols_, query, limit) & places;
}

double FloatTiles::square(std::int64_t tile, std::int64_t r, const double* query) const {
    const double* x = arranged_.data() + (tile * size + r) * cols_;
    double sum = 0.0;
    for (std::int64_t j = 0; j < cols_; ++j) {
        const double gap = x[j] - query[j];
        sum += gap * gap;
    }
    return sum;
}

}  // namespace hornbook
