#include "core/distance/density.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/disjoint_sets.hpp"
#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/distance/rough_tiles.hpp"
#include "core/distance/tile_boxes.hpp"
#include "core/neighbors/kdtree.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t most_known = 64;  // neighbors of a row that are remembered

// The largest power of a distance within the radius, so that powers can be compared instead of distances.
double powered_limit(double radius, double power) {
    switch (power_of(power)) {
        case Power::two: {
            double limit = radius * radius;
            if (!(limit < infinity)) return std::numeric_limits<double>::max();
            while (limit > 0.0 && std::sqrt(limit) > radius) limit = std::nextafter(limit, 0.0);
            for (double more = std::nextafter(limit, infinity); std::sqrt(more) <= radius;
                 more = std::nextafter(limit, infinity))
                limit = more;
            return limit;
        }
        case Power::any:
            return std::pow(radius, power) * (1.0 + 1e-9);  // generous; the root decides
        default:
            return radius;
    }
}

std::vector<std::int64_t> order_of(const MixedRows& rows, const Metric& metric, int threads) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows.numbers.rows));
    std::iota(order.begin(), order.end(), 0);
    if (!TileBoxes::possible(rows, metric)) return order;
    const Tree tree = kd_build(rows.numbers, threads);
    std::copy_n(tree.order.data(), rows.numbers.rows, order.begin());
    return order;
}

// The rows in tiles of neighbors. Places are row numbers in the order of the tiles.
class Neighborhoods {
  public:
    Neighborhoods(const MixedRows& rows, const Metric& metric, const Vector<double>& weights, double radius,
                  int threads)
        : rows_(rows),
          metric_(metric),
          radius_(radius),
          limit_(powered_limit(radius, metric.power)),
          by_root_(power_of(metric.power) == Power::any),
          threads_(threads),
          order_(order_of(rows, metric, threads)),
          tiles_(rows, order_.data(), threads),
          boxes_(rows, metric, order_, limit_),
          rough_(rows, metric, order_, limit_, threads),
          weights_(static_cast<std::size_t>(weights.size)),
          core_(static_cast<std::size_t>(tiles_.count())),
          linked_(core_.size()),
          known_(core_.size()),
          searched_(core_.size()),
          sets_(rows.numbers.rows) {
        for (std::int64_t i = 0; i < weights.size; ++i)
            weights_[static_cast<std::size_t>(i)] = weights.data[order_[static_cast<std::size_t>(i)]];
    }

    DensityClusters clusters(double least) {
        each_tile([&](Visit& visit) { find_cores(visit, least); });
        for (std::int64_t tile = 0; tile < tiles_.count(); ++tile) link_known(tile);
        each_tile([&](Visit& visit) { link_inside(visit); });
        each_tile([&](Visit& visit) { link_outside(visit); });
        return result();
    }

  private:
    // What a thread needs to look around from one tile.
    struct Visit {
        std::int64_t tile;
        DistanceComputer computer;
        std::vector<std::int64_t> near;  // tiles that may have rows within the radius; its own comes first
        std::int64_t row = 0;            // of the tile: the one it looks at
        std::vector<RoughQuery> rough = {};  // one for each row of the tile
        Pace pace = {};
        alignas(64) double powered[Tiles::size] = {};
    };

    // Rows of a tile within the radius of one row of another.
    struct Known {
        int row;
        std::int64_t tile;
        std::uint32_t mask;
    };

    template <class Work>
    void each_tile(const Work& work) {
        parallel_for(tiles_.count(), threads_, [&](std::int64_t tile) {
            Visit visit{tile, DistanceComputer(metric_, rows_, tiles_.complete()), {}};
            if (!rough_.empty()) visit.rough.resize(static_cast<std::size_t>(tiles_.filled(tile)));
            for (std::size_t r = 0; r < visit.rough.size(); ++r)
                rough_.set_query(visit.rough[r],
                                 rows_.numbers.row(row_at(tile, static_cast<std::int64_t>(r))));
            work(visit);
        });
    }

    std::int64_t row_at(std::int64_t tile, std::int64_t r) const {
        return order_[static_cast<std::size_t>(tile * Tiles::size + r)];
    }

    void look(Visit& visit, std::int64_t r) const {
        visit.row = r;
        if (rough_.empty()) visit.computer.set_query(row_at(visit.tile, r));
    }

    // Which rows of a tile are within the radius of the row that the visit looks at.
    std::uint32_t within(Visit& visit, std::int64_t tile) const {
        visit.pace.spend(tiles_.cells());
        if (!rough_.empty())
            return settled(visit, tile,
                           rough_.measure(visit.rough[static_cast<std::size_t>(visit.row)], tile));
        return exactly_within(visit, tile);
    }

    // Exact distances decide where the rough ones do not.
    std::uint32_t settled(Visit& visit, std::int64_t tile, RoughMask rough) const {
        if (rough.possible == rough.certain) return rough.certain & tiles_.places(tile);
        visit.computer.set_query(row_at(visit.tile, visit.row));
        return exactly_within(visit, tile);
    }

    std::uint32_t exactly_within(Visit& visit, std::int64_t tile) const {
        std::uint32_t mask = visit.computer.measure(tiles_, tile, limit_, visit.powered);
        if (by_root_)
            for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
                if (const int r = std::countr_zero(rest); !(root(visit.powered[r], metric_.power) <= radius_))
                    mask &= ~(1U << r);
        return mask;
    }

    std::uint32_t& core(std::int64_t tile) { return core_[static_cast<std::size_t>(tile)]; }

    double weight(std::int64_t tile, std::uint32_t mask) const {
        if (weights_.empty()) return std::popcount(mask);
        double sum = 0.0;
        for (; mask != 0; mask &= mask - 1)
            sum += weights_[static_cast<std::size_t>(tile * Tiles::size + std::countr_zero(mask))];
        return sum;
    }

    // Tile by tile for all rows that are not known to be core rows, so that a tile stays in the cache.
    void find_cores(Visit& visit, double least) {
        boxes_.near(visit.tile, tiles_.count(), visit.near);
        std::uint32_t open = tiles_.places(visit.tile);
        // A row that weighs nothing is no row: it is reached, but reaches nothing.
        for (std::uint32_t rest = open; rest != 0; rest &= rest - 1)
            if (weight(visit.tile, rest & -rest) == 0.0) open &= ~(rest & -rest);
        std::uint32_t cores = 0;
        double sums[Tiles::size] = {};
        std::int64_t kept[Tiles::size] = {};
        const auto count = [&](std::int64_t tile, int r, std::uint32_t mask) {
            if (mask == 0) return;
            if ((kept[r] += std::popcount(mask)) <= most_known)
                known_[static_cast<std::size_t>(visit.tile)].push_back({r, tile, mask});
            sums[r] += weight(tile, mask);
            if (sums[r] < least) return;
            cores |= 1U << r;  // weights are not negative: further rows change nothing
            open &= ~(1U << r);
        };
        if (rough_.empty()) {  // row by row: to turn to a row takes time
            for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
                const int r = std::countr_zero(rest);
                look(visit, r);
                for (auto tile = visit.near.begin(); tile != visit.near.end() && (open >> r & 1U) != 0;
                     ++tile)
                    count(*tile, r, within(visit, *tile));
            }
        } else {
            for (const std::int64_t tile : visit.near) count_together(visit, tile, open, count);
        }
        core(visit.tile) = cores;
        std::uint32_t& searched = searched_[static_cast<std::size_t>(visit.tile)];
        for (std::uint32_t rest = open; rest != 0; rest &= rest - 1)
            if (kept[std::countr_zero(rest)] <= most_known) searched |= rest & -rest;
    }

    // What is within the radius of the rows of a tile that are open, some of these at a time.
    template <class Count>
    void count_together(Visit& visit, std::int64_t tile, const std::uint32_t& open, const Count& count) {
        constexpr std::int64_t most = RoughTiles::together;
        for (std::uint32_t rest = open; rest != 0;) {
            int rows[most];
            std::int64_t n_open = 0;
            for (; rest != 0 && n_open < most; rest &= rest - 1) rows[n_open++] = std::countr_zero(rest);
            const RoughQuery* queries[most];
            for (std::int64_t i = 0; i < most; ++i)
                queries[i] = &visit.rough[static_cast<std::size_t>(rows[std::min(i, n_open - 1)])];
            RoughMask masks[most];
            visit.pace.spend(n_open * tiles_.cells());
            rough_.measure(queries, tile, masks);
            for (std::int64_t i = 0; i < n_open; ++i) {
                if (masks[i].possible == 0) continue;
                look(visit, rows[i]);
                count(tile, rows[i], settled(visit, tile, masks[i]));
            }
        }
    }

    // Core rows that were found near each other on the way.
    void link_known(std::int64_t tile) {
        for (const Known& known : known_[static_cast<std::size_t>(tile)]) {
            if ((core(tile) >> known.row & 1U) == 0) continue;
            for (std::uint32_t mask = known.mask & core(known.tile); mask != 0; mask &= mask - 1)
                sets_.unite(tile * Tiles::size + known.row,
                            known.tile * Tiles::size + std::countr_zero(mask));
        }
    }

    void link_inside(Visit& visit) {
        const std::int64_t first = visit.tile * Tiles::size;
        const std::uint32_t cores = core(visit.tile);
        for (std::uint32_t rest = cores; rest != 0; rest &= rest - 1) {
            const int r = std::countr_zero(rest);
            look(visit, r);
            for (std::uint32_t mask = within(visit, visit.tile) & rest; mask != 0; mask &= mask - 1)
                sets_.unite(first + r, first + std::countr_zero(mask));
        }
    }

    // Whether the core rows of a tile are in one set; sets only grow, so that it stays true once it is.
    bool linked(std::int64_t tile) {
        std::atomic<bool>& known = linked_[static_cast<std::size_t>(tile)];
        if (known.load(std::memory_order_relaxed)) return true;
        std::uint32_t rest = core(tile);
        const std::int64_t set = sets_.find(tile * Tiles::size + std::countr_zero(rest));
        for (rest &= rest - 1; rest != 0; rest &= rest - 1)
            if (sets_.find(tile * Tiles::size + std::countr_zero(rest)) != set) return false;
        known.store(true, std::memory_order_relaxed);
        return true;
    }

    void link_outside(Visit& visit) {
        if (core(visit.tile) == 0) return;
        boxes_.near(visit.tile, visit.tile, visit.near);
        for (const std::int64_t other : visit.near)
            if (other != visit.tile && core(other) != 0) link(visit, other);
    }

    // Unites the core rows of two tiles. Once those of both tiles are in one set, nothing is left to find.
    void link(Visit& visit, std::int64_t other) {
        const bool here = linked(visit.tile);
        const bool there = linked(other);
        const std::int64_t mine = visit.tile * Tiles::size;
        const std::int64_t theirs = other * Tiles::size;
        const std::uint32_t cores = core(other);
        for (std::uint32_t rest = core(visit.tile); rest != 0; rest &= rest - 1) {
            const int r = std::countr_zero(rest);
            if (there && sets_.find(mine + r) == sets_.find(theirs + std::countr_zero(cores))) {
                if (here) return;
                continue;
            }
            look(visit, r);
            for (std::uint32_t mask = within(visit, other) & cores; mask != 0; mask &= mask - 1) {
                sets_.unite(mine + r, theirs + std::countr_zero(mask));
                if (there) break;
            }
        }
    }

    DensityClusters result() {
        const std::int64_t n = rows_.numbers.rows;
        DensityClusters out{Buffer<std::uint8_t>(n), Buffer<std::int64_t>(n)};
        std::vector<std::int64_t> lowest(static_cast<std::size_t>(n), n);  // row of the set, by its root
        for (std::int64_t place = 0; place < n; ++place) {
            const std::int64_t row = order_[static_cast<std::size_t>(place)];
            out.core[row] = core(place / Tiles::size) >> (place % Tiles::size) & 1U;
            if (out.core[row] == 0) continue;
            std::int64_t& best = lowest[static_cast<std::size_t>(sets_.find(place))];
            best = std::min(best, row);
        }
        each_tile([&](Visit& visit) { number(visit, lowest, out); });
        return out;
    }

    void number(Visit& visit, const std::vector<std::int64_t>& lowest, DensityClusters& out) {
        const std::uint32_t all = tiles_.places(visit.tile);
        const std::uint32_t searched = searched_[static_cast<std::size_t>(visit.tile)];
        if ((core(visit.tile) | searched) != all) boxes_.near(visit.tile, tiles_.count(), visit.near);
        for (std::uint32_t rest = all; rest != 0; rest &= rest - 1) {
            const int r = std::countr_zero(rest);
            const std::int64_t place = visit.tile * Tiles::size + r;
            std::int64_t& first = out.first[order_[static_cast<std::size_t>(place)]];
            if ((core(visit.tile) >> r & 1U) != 0)
                first = lowest[static_cast<std::size_t>(sets_.find(place))];
            else if ((searched >> r & 1U) == 0)
                first = lowest_near(visit, r, lowest);
            else
                first = -1;
        }
        for (const Known& known : known_[static_cast<std::size_t>(visit.tile)]) {
            if ((searched >> known.row & 1U) == 0) continue;
            const std::int64_t place = visit.tile * Tiles::size + known.row;
            std::int64_t& first = out.first[order_[static_cast<std::size_t>(place)]];
            for (std::uint32_t mask = known.mask & core(known.tile); mask != 0; mask &= mask - 1) {
                const std::int64_t root = sets_.find(known.tile * Tiles::size + std::countr_zero(mask));
                const std::int64_t row = lowest[static_cast<std::size_t>(root)];
                first = first < 0 ? row : std::min(first, row);
            }
        }
    }

    std::int64_t lowest_near(Visit& visit, std::int64_t r, const std::vector<std::int64_t>& lowest) {
        const std::int64_t n = rows_.numbers.rows;
        std::int64_t best = n;
        look(visit, r);
        for (const std::int64_t tile : visit.near) {
            if (core(tile) == 0) continue;
            for (std::uint32_t mask = within(visit, tile) & core(tile); mask != 0; mask &= mask - 1) {
                const std::int64_t root = sets_.find(tile * Tiles::size + std::countr_zero(mask));
                best = std::min(best, lowest[static_cast<std::size_t>(root)]);
            }
        }
        return best == n ? -1 : best;
    }

    const MixedRows& rows_;
    const Metric& metric_;
    const double radius_;
    const double limit_;
    const bool by_root_;
    const int threads_;
    const std::vector<std::int64_t> order_;
    const Tiles tiles_;
    const TileBoxes boxes_;
    const RoughTiles rough_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> core_;  // one bit for each row of a tile
    std::vector<std::atomic<bool>> linked_;
    // By tile: what was found while counting, unless it was much, and the rows without core of which that is
    // all there is.
    std::vector<std::vector<Known>> known_;
    std::vector<std::uint32_t> searched_;
    DisjointSets sets_;
};

}  // namespace

DensityClusters density_clusters(const MixedRows& rows, const Metric& metric, const Vector<double>& weights,
                                 double radius, double least, int threads) {
    check_metric(rows, metric);
    if (rows.numbers.rows < 1) refuse("there must be at least one row.");
    if (weights.size != 0 && weights.size != rows.numbers.rows)
        refuse("weights must have one entry per row, or none; it has ", weights.size, " for ",
               rows.numbers.rows, " rows.");
    for (std::int64_t i = 0; i < weights.size; ++i)
        if (!(weights.data[i] >= 0.0 && weights.data[i] < infinity))
            refuse("weights must be 0 or above and finite; row ", i, " has ", weights.data[i], ".");
    if (!(radius >= 0.0 && radius < infinity))
        refuse("radius must be 0 or above and finite; got ", radius, ".");
    if (std::isnan(least)) refuse("least must be a number; got ", least, ".");
    return Neighborhoods(rows, metric, weights, radius, threads).clusters(least);
}

}  // namespace hornbook
