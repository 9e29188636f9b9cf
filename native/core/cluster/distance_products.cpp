#include "core/cluster/distance_products.hpp"

#include <algorithm>

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

// Below this part of |x|^2 + |q|^2 more than three of its sixteen digits cancel out.
constexpr double accurate = 1e-3;
constexpr std::int64_t pair = 2;
constexpr std::int64_t parts = 4;  // of a vector, for each query: all sums stay in registers
constexpr std::int64_t side = parts * half_lanes;

HORNBOOK_WIDE std::uint32_t sweep_pair(const double* tile, const double* norms, std::int64_t cols,
                                       const double* queries, const double* query_norms, double* out) {
    Mask sound[pair] = {Mask{} - 1, Mask{} - 1};
    for (std::int64_t first = 0; first < Tiles::size; first += side) {
        Numbers sums[pair][parts] = {};
        const double* x = tile + first;
        for (std::int64_t j = 0; j < cols; ++j, x += Tiles::size)
            for (std::int64_t g = 0; g < parts; ++g) {
                const Numbers number = *reinterpret_cast<const Numbers*>(x + g * half_lanes);
                for (std::int64_t q = 0; q < pair; ++q) sums[q][g] += number * queries[pair * j + q];
            }
        for (std::int64_t q = 0; q < pair; ++q)
            for (std::int64_t g = 0; g < parts; ++g) {
                const std::int64_t row = first + g * half_lanes;
                const Numbers norm = *reinterpret_cast<const Numbers*>(norms + row) + query_norms[q];
                const Numbers square = norm - 2.0 * sums[q][g];
                sound[q] &= square >= accurate * norm;
                *reinterpret_cast<Numbers*>(out + q * Tiles::size + row) = square;
            }
    }
    std::uint32_t bits = 0;
    for (std::int64_t q = 0; q < pair; ++q)
        if ((sound[q][0] & sound[q][1] & sound[q][2] & sound[q][3]) != 0) bits |= std::uint32_t{1} << q;
    return bits;
}

}  // namespace

DistanceProducts::DistanceProducts(const Matrix<double>& rows, const std::int64_t* queries,
                                   std::int64_t n_queries, std::int64_t most_tiles)
    : cols_(rows.cols),
      center_(static_cast<std::size_t>(cols_), 0.0),
      queries_(static_cast<std::size_t>((n_queries + 1) / pair * pair * cols_), 0.0),
      query_norms_(static_cast<std::size_t>((n_queries + 1) / pair * pair), 0.0),
      numbers_(checked_product(most_tiles, Tiles::size), cols_),
      norms_(most_tiles, Tiles::size) {
    for (std::int64_t i = 0; i < n_queries; ++i)
        for (std::int64_t j = 0; j < cols_; ++j)
            center_[static_cast<std::size_t>(j)] += rows.row(queries[i])[j] / static_cast<double>(n_queries);
    for (std::int64_t i = 0; i < n_queries; ++i)
        for (std::int64_t j = 0; j < cols_; ++j) {
            const double gap = rows.row(queries[i])[j] - center_[static_cast<std::size_t>(j)];
            queries_[static_cast<std::size_t>(i / pair * pair * cols_ + j * pair + i % pair)] = gap;
            query_norms_[static_cast<std::size_t>(i)] += gap * gap;
        }
}

void DistanceProducts::set_tiles(const Tiles& tiles, std::int64_t first, std::int64_t last) {
    first_ = first;
    std::fill_n(norms_.data(), (last - first) * Tiles::size, 0.0);
    for (std::int64_t tile = first; tile < last; ++tile) {
        const double* from = tiles.numbers(tile);
        double* to = numbers_.data() + (tile - first) * Tiles::size * cols_;
        double* norms = norms_.data() + (tile - first) * Tiles::size;
        for (std::int64_t j = 0; j < cols_; ++j, from += Tiles::size, to += Tiles::size)
            for (std::int64_t r = 0; r < Tiles::size; ++r) {
                to[r] = from[r] - center_[static_cast<std::size_t>(j)];
                norms[r] += to[r] * to[r];
            }
    }
}

std::uint32_t DistanceProducts::measure(std::int64_t i, std::int64_t tile, double* out) const {
    const std::int64_t place = (tile - first_) * Tiles::size;
    return sweep_pair(numbers_.data() + place * cols_, norms_.data() + place, cols_,
                      queries_.data() + i * cols_, query_norms_.data() + i, out);
}

}  // namespace hornbook
