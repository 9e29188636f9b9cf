#include "core/distance/rough_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/base/simd.hpp"
#include "core/rounding/centering.hpp"
#include "core/rounding/single_precision.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t least_cols = 6;  // with fewer, exact distances take as long
constexpr std::int64_t wide = 16;
constexpr std::int64_t halves = Tiles::size / wide;
constexpr std::int64_t apart = 4;  // sums of every fourth column, because a sum waits for the one before

typedef float Floats __attribute__((vector_size(64), may_alias, aligned(4)));
typedef std::int32_t Ints __attribute__((vector_size(64), may_alias));

std::uint32_t bits_of(const Ints* flags) {
    std::uint32_t bits = 0;
    for (std::int64_t h = 0; h < halves; ++h)
        for (std::int64_t r = 0; r < wide; ++r)
            bits |= static_cast<std::uint32_t>(flags[h][r] & 1) << (h * wide + r);
    return bits;
}

// Both masks in one number: written as two and read as one, they would have to wait for memory.
HORNBOOK_WIDE std::uint64_t classify(const float* tile, const float* possible, const float* certain,
                                     std::int64_t cols, const RoughQuery& query) {
    Floats parts[apart][halves] = {};
    const float* q = query.numbers.data();
    const Floats* x = reinterpret_cast<const Floats*>(tile);
    for (std::int64_t j = 0; j < cols; j += apart)
        for (std::int64_t a = 0; a < apart; ++a, x += halves)
            for (std::int64_t h = 0; h < halves; ++h) parts[a][h] += x[h] * q[j + a];
    Floats sums[halves];
    for (std::int64_t h = 0; h < halves; ++h)
        sums[h] = (parts[0][h] + parts[1][h]) + (parts[2][h] + parts[3][h]);
    const Floats* low = reinterpret_cast<const Floats*>(possible);
    Ints near[halves];
    Ints any{};
    for (std::int64_t h = 0; h < halves; ++h) {
        near[h] = sums[h] - low[h] >= query.possible;
        any |= near[h];
    }
    std::int64_t doubtful = 0;
    const auto* pairs = reinterpret_cast<const std::int64_t*>(&any);
    for (std::int64_t r = 0; r < wide / 2; ++r) doubtful |= pairs[r];
    if (doubtful == 0) [[likely]]
        return 0;
    const Floats* high = reinterpret_cast<const Floats*>(certain);
    Ints sure[halves];
    for (std::int64_t h = 0; h < halves; ++h) sure[h] = sums[h] - high[h] >= query.certain;
    return bits_of(near) | std::uint64_t{bits_of(sure)} << 32;
}

// The same for several queries. Each has sums of its own, so that none waits for another.
HORNBOOK_WIDE void classify_together(const float* tile, const float* possible, const float* certain,
                                     std::int64_t cols, const RoughQuery* const* queries, RoughMask* masks) {
    constexpr std::int64_t count = RoughTiles::together;
    Floats sums[count][halves] = {};
    const float* q[count];
    for (std::int64_t i = 0; i < count; ++i) q[i] = queries[i]->numbers.data();
    const Floats* x = reinterpret_cast<const Floats*>(tile);
    for (std::int64_t j = 0; j < cols; ++j, x += halves)
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t h = 0; h < halves; ++h) sums[i][h] += x[h] * q[i][j];
    const Floats* low = reinterpret_cast<const Floats*>(possible);
    const Floats* high = reinterpret_cast<const Floats*>(certain);
    for (std::int64_t i = 0; i < count; ++i) {
        Ints near[halves];
        Ints any{};
        for (std::int64_t h = 0; h < halves; ++h) {
            near[h] = sums[i][h] - low[h] >= queries[i]->possible;
            any |= near[h];
        }
        std::int64_t doubtful = 0;
        const auto* pairs = reinterpret_cast<const std::int64_t*>(&any);
        for (std::int64_t r = 0; r < wide / 2; ++r) doubtful |= pairs[r];
        masks[i] = {0, 0};
        if (doubtful == 0) [[likely]]
            continue;
        Ints sure[halves];
        for (std::int64_t h = 0; h < halves; ++h) sure[h] = sums[i][h] - high[h] >= queries[i]->certain;
        masks[i] = {bits_of(near), bits_of(sure)};
    }
}

}  // namespace

bool RoughTiles::possible(const MixedRows& rows, const Metric& metric) {
    if (power_of(metric.power) != Power::two || rows.codes.cols > 0 || rows.numbers.cols < least_cols)
        return false;
    const std::int64_t cells = rows.numbers.rows * rows.numbers.cols;
    return std::all_of(rows.numbers.data, rows.numbers.data + cells,
                       [](double x) { return std::abs(x) < 1e100; });
}

RoughTiles::RoughTiles(const MixedRows& rows, const Metric& metric, const std::vector<std::int64_t>& order,
                       double limit, int threads)
    : cols_(rows.numbers.cols),
      width_((cols_ + apart - 1) / apart * apart),
      limit_(limit),
      slack_(4.0 * product_error(cols_)) {
    if (!possible(rows, metric)) return;
    const std::int64_t n = rows.numbers.rows;
    const std::int64_t tiles = (n + Tiles::size - 1) / Tiles::size;
    center_ = rough_center(rows.numbers);
    scale_ = unit_scale(largest_gap(rows.numbers, center_));
    // Beyond these, single precision over- or underflows.
    const double scaled = limit * scale_ * scale_;
    if (!(scaled > 1e-25 && scaled < 1e25 && scale_ < 1e100)) return;
    limit_ = scaled;
    numbers_.resize(static_cast<std::size_t>(tiles * Tiles::size * width_));  // further columns are 0
    possible_.resize(static_cast<std::size_t>(tiles * Tiles::size));
    certain_.resize(possible_.size());
    parallel_for(tiles, threads, [&](std::int64_t tile) {
        for (std::int64_t r = 0; r < Tiles::size; ++r) {
            const std::int64_t place = std::min(tile * Tiles::size + r, n - 1);
            const double* x = rows.numbers.row(order[static_cast<std::size_t>(place)]);
            double square = 0.0;
            for (std::int64_t j = 0; j < cols_; ++j) {
                const double number = (x[j] - center_[static_cast<std::size_t>(j)]) * scale_;
                square += number * number;
                numbers_[static_cast<std::size_t>((tile * width_ + j) * Tiles::size + r)] =
                    static_cast<float>(number);
            }
            const auto i = static_cast<std::size_t>(tile * Tiles::size + r);
            possible_[i] = static_cast<float>((1.0 - slack_) * square / 2.0);
            certain_[i] = static_cast<float>((1.0 + slack_) * square / 2.0);
        }
    });
}

void RoughTiles::set_query(RoughQuery& query, const double* x) const {
    query.numbers.resize(static_cast<std::size_t>(width_));
    double square = 0.0;
    for (std::int64_t j = 0; j < cols_; ++j) {
        const double number = (x[j] - center_[static_cast<std::size_t>(j)]) * scale_;
        square += number * number;
        query.numbers[static_cast<std::size_t>(j)] = static_cast<float>(number);
    }
    query.possible = static_cast<float>(((1.0 - slack_) * square - (1.0 + slack_) * limit_) / 2.0);
    query.certain = static_cast<float>(((1.0 + slack_) * square - (1.0 - slack_) * limit_) / 2.0);
}

RoughMask RoughTiles::measure(const RoughQuery& query, std::int64_t tile) const {
    const std::uint64_t masks =
        classify(numbers_.data() + tile * Tiles::size * width_, possible_.data() + tile * Tiles::size,
                 certain_.data() + tile * Tiles::size, width_, query);
    return {static_cast<std::uint32_t>(masks), static_cast<std::uint32_t>(masks >> 32)};
}

void RoughTiles::measure(const RoughQuery* const* queries, std::int64_t tile, RoughMask* masks) const {
    classify_together(numbers_.data() + tile * Tiles::size * width_, possible_.data() + tile * Tiles::size,
                      certain_.data() + tile * Tiles::size, width_, queries, masks);
}

}  // namespace hornbook
