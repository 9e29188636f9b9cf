#include "core/distance/tile_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hornbook {

namespace {

constexpr std::int64_t group_tiles = 32;

}  // namespace

bool TileBoxes::possible(const MixedRows& rows, const Metric& metric) {
    if (rows.numbers.cols < 1 || power_of(metric.power) == Power::count) return false;
    const std::int64_t cells = rows.numbers.rows * rows.numbers.cols;
    const std::int64_t codes = rows.codes.rows * rows.codes.cols;
    return std::none_of(rows.numbers.data, rows.numbers.data + cells,
                        [](double x) { return std::isnan(x); }) &&
           std::none_of(rows.codes.data, rows.codes.data + codes, [](std::int32_t code) { return code < 0; });
}

TileBoxes::TileBoxes(const MixedRows& rows, const Metric& metric, const std::vector<std::int64_t>& order,
                     double limit)
    : cols_(rows.numbers.cols),
      tiles_((rows.numbers.rows + Tiles::size - 1) / Tiles::size),
      power_(metric.power),
      kind_(power_of(metric.power)),
      limit_(limit) {
    if (!possible(rows, metric)) return;
    std::vector<double> points;
    points.reserve(order.size() * 2 * static_cast<std::size_t>(cols_));
    for (const std::int64_t i : order)
        for (int twice = 0; twice < 2; ++twice)
            points.insert(points.end(), rows.numbers.row(i), rows.numbers.row(i) + cols_);
    boxes_ = merged(points, Tiles::size);
    groups_ = merged(boxes_, group_tiles);
}

std::vector<double> TileBoxes::merged(const std::vector<double>& parts, std::int64_t size) const {
    const std::int64_t width = 2 * cols_;
    const std::int64_t count = static_cast<std::int64_t>(parts.size()) / width;
    std::vector<double> out;
    for (std::int64_t first = 0; first < count; first += size) {
        const std::int64_t last = std::min(first + size, count);
        for (std::int64_t j = 0; j < width; ++j) {
            double extreme = parts[static_cast<std::size_t>(first * width + j)];
            for (std::int64_t i = first + 1; i < last; ++i) {
                const double x = parts[static_cast<std::size_t>(i * width + j)];
                extreme = j < cols_ ? std::min(extreme, x) : std::max(extreme, x);
            }
            out.push_back(extreme);
        }
    }
    return out;
}

// The gaps are rounded and joined like the terms of rows, each of which is at least as large: so this holds
// to the last bit. std::pow is not monotone to the last bit; its terms are lowered a little.
bool TileBoxes::apart(const double* one, const double* other) const {
    double sum = 0.0;
    for (std::int64_t j = 0; j < cols_; ++j) {
        const double gap = std::max({other[j] - one[cols_ + j], one[j] - other[cols_ + j], 0.0});
        switch (kind_) {
            case Power::two:
                sum += gap * gap;
                break;
            case Power::largest:
                sum = std::max(sum, gap);
                break;
            case Power::any:
                sum += std::pow(gap, power_) * (1.0 - 1e-12);
                break;
            default:
                sum += gap;
        }
    }
    return sum > limit_;
}

void TileBoxes::near(std::int64_t tile, std::int64_t end, std::vector<std::int64_t>& out) const {
    out.clear();
    const std::int64_t width = 2 * cols_;
    const double* mine = boxes_.data() + tile * width;
    for (std::int64_t first = 0; first < end; first += group_tiles) {
        if (!boxes_.empty() && apart(mine, groups_.data() + first / group_tiles * width)) continue;
        for (std::int64_t i = first; i < std::min(first + group_tiles, end); ++i)
            if (boxes_.empty() || !apart(mine, boxes_.data() + i * width)) out.push_back(i);
    }
    // Tiles with near numbers hold near rows, so that a search may end early.
    std::sort(out.begin(), out.end(), [&](std::int64_t one, std::int64_t other) {
        const std::int64_t a = std::abs(one - tile);
        const std::int64_t b = std::abs(other - tile);
        return a != b ? a < b : one < other;
    });
}

}  // namespace hornbook
