#include "core/neighbors/nearest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t run_queries = 16;

void check_k(std::int64_t k, std::int64_t n_rows) {
    if (k < 1 || k > n_rows) refuse("k must be from 1 to the ", n_rows, " rows; got ", k, ".");
}

}  // namespace

void Best::offer(double powered, std::int64_t index) {
    if (heap_.size() < k_) {
        if (!(powered < infinity)) return;
        heap_.push_back({powered, index});
        std::push_heap(heap_.begin(), heap_.end());
        if (heap_.size() == k_) reach_ = heap_.front().powered;
        return;
    }
    const Neighbor neighbor{powered, index};
    if (!(neighbor < heap_.front())) return;
    Neighbor* heap = heap_.data();
    std::size_t place = 0;
    for (std::size_t child = 1; child < k_; child = 2 * place + 1) {
        if (child + 1 < k_ && heap[child] < heap[child + 1]) ++child;
        if (!(neighbor < heap[child])) break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = neighbor;
    reach_ = heap[0].powered;
}

void Best::write(double power, double* distances, std::int64_t* indices) {
    std::sort(heap_.begin(), heap_.end());
    for (std::size_t i = 0; i < k_; ++i) {
        const bool filled = i < heap_.size();
        distances[i] = filled ? root(heap_[i].powered, power) : infinity;
        indices[i] = filled ? heap_[i].index : -1;
    }
}

namespace {

// Radix sort by powered distance: the bits of nonnegative doubles are ordered as the doubles are.
void sort_by_digits(std::vector<Neighbor>& mine, std::vector<Neighbor>& spare) {
    constexpr int digits = 6, width = 11, values = 1 << width;
    const auto digit = [](const Neighbor& neighbor, int d) {
        return std::bit_cast<std::uint64_t>(neighbor.powered) >> (d * width) & (values - 1);
    };
    std::vector<std::uint32_t> counts(digits * values);
    for (const Neighbor& neighbor : mine)
        for (int d = 0; d < digits; ++d) ++counts[static_cast<std::size_t>(d) * values + digit(neighbor, d)];
    spare.resize(mine.size());
    for (int d = 0; d < digits; ++d) {
        std::uint32_t* place = counts.data() + d * values;
        if (place[digit(mine.front(), d)] == mine.size()) continue;
        std::exclusive_scan(place, place + values, place, 0U);
        for (const Neighbor& neighbor : mine) spare[place[digit(neighbor, d)]++] = neighbor;
        mine.swap(spare);
    }
}

void sort_neighbors(std::vector<Neighbor>& mine, std::vector<Neighbor>& spare) {
    constexpr std::size_t many = 1024;
    if (mine.size() >= many && mine.size() <= std::numeric_limits<std::uint32_t>::max()) {
        sort_by_digits(mine, spare);
        for (auto from = mine.begin(); from != mine.end();) {
            const auto to = std::find_if(from, mine.end(), [&](const Neighbor& neighbor) {
                return neighbor.powered != from->powered;
            });
            if (to - from > 1) std::sort(from, to);
            from = to;
        }
    } else {
        std::sort(mine.begin(), mine.end());
    }
}

}  // namespace

double power_within(double radius, double power) {
    const Power kind = power_of(power);
    if (kind != Power::two && kind != Power::any) return radius;
    // Roots are rounded, which in a power shows as often as the power is large.
    return std::pow(radius, power) * (1.0 + 1e-9 + 4e-15 * power);
}

Within concatenate(std::vector<std::vector<Neighbor>>&& neighbors, double power, int threads) {
    const auto n = std::ssize(neighbors);
    Buffer<std::int64_t> offsets(n + 1);
    offsets[0] = 0;
    for (std::int64_t i = 0; i < n; ++i)
        offsets[i + 1] = offsets[i] + std::ssize(neighbors[static_cast<std::size_t>(i)]);
    const std::int64_t total = offsets[n];
    Within out{std::move(offsets), Buffer<double>(total), Buffer<std::int64_t>(total)};
    parallel_rows(n, run_queries, threads, [&](std::int64_t first, std::int64_t last) {
        std::vector<Neighbor> spare;
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            std::vector<Neighbor>& mine = neighbors[static_cast<std::size_t>(i)];
            pace.spend(16 * std::ssize(mine));
            sort_neighbors(mine, spare);
            std::int64_t place = out.offsets[i];
            for (const Neighbor& neighbor : mine) {
                out.distances[place] = root(neighbor.powered, power);
                out.indices[place++] = neighbor.index;
            }
            std::vector<Neighbor>().swap(mine);
        }
    });
    return out;
}

Nearest nearest_brute(const MixedRows& rows, const MixedRows& queries, const Metric& metric, std::int64_t k,
                      int threads) {
    check_alike(rows, queries);
    check_metric(rows, metric);
    check_metric(queries, metric);
    check_k(k, rows.numbers.rows);
    const Tiles tiles(rows, nullptr, threads);
    const std::int64_t n_queries = queries.numbers.rows;
    Nearest out{Buffer<double>(n_queries, k), Buffer<std::int64_t>(n_queries, k)};
    parallel_rows(n_queries, run_queries, threads, [&](std::int64_t first, std::int64_t last) {
        DistanceComputer computer(metric, queries, tiles.complete());
        Best best(k);
        alignas(64) double powered[Tiles::size];
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            computer.set_query(i);
            best.clear();
            for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
                pace.spend(tiles.cells());
                std::uint32_t near = computer.measure(tiles, tile, best.reach(), powered);
                for (; near != 0; near &= near - 1) {
                    const std::int64_t r = std::countr_zero(near);
                    best.offer(powered[r], tile * Tiles::size + r);
                }
            }
            best.write(metric.power, out.distances.data() + i * k, out.indices.data() + i * k);
        }
    });
    return out;
}

Within within_brute(const MixedRows& rows, const MixedRows& queries, const Metric& metric, double radius,
                    int threads) {
    check_alike(rows, queries);
    check_metric(rows, metric);
    check_metric(queries, metric);
    const Tiles tiles(rows, nullptr, threads);
    const std::int64_t n_queries = queries.numbers.rows;
    std::vector<std::vector<Neighbor>> neighbors(static_cast<std::size_t>(n_queries));
    const double limit = power_within(radius, metric.power);
    parallel_rows(n_queries, run_queries, threads, [&](std::int64_t first, std::int64_t last) {
        DistanceComputer computer(metric, queries, tiles.complete());
        alignas(64) double powered[Tiles::size];
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            computer.set_query(i);
            std::vector<Neighbor>& mine = neighbors[static_cast<std::size_t>(i)];
            for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
                pace.spend(tiles.cells());
                std::uint32_t near = computer.measure(tiles, tile, limit, powered);
                for (; near != 0; near &= near - 1) {
                    const std::int64_t r = std::countr_zero(near);
                    if (powered[r] < infinity && root(powered[r], metric.power) <= radius)
                        mine.push_back({powered[r], tile * Tiles::size + r});
                }
            }
        }
    });
    return concatenate(std::move(neighbors), metric.power, threads);
}

}  // namespace hornbook
