#include "core/neighbors/kdtree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/neighbors/float_tiles.hpp"
#include "core/neighbors/kd_levels.hpp"
#include "core/neighbors/nearest_products.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t run_queries = 64;

// Boxes are the caller's memory, which need not be aligned to a vector.
typedef double LooseLanes __attribute__((vector_size(64), may_alias, aligned(8)));

// Below or at the powered distance from the query to any row in each of eight boxes. The terms are rounded
// and joined like those of a row, each of which is at least as large: so this holds to the last bit.
template <class Step>
[[gnu::always_inline]] inline void bound(const double* boxes, std::int64_t cols, const double* query,
                                         double* out, const Step& step) {
    // Spelled out, because `auto` would drop the alignment.
    const LooseLanes* box = reinterpret_cast<const LooseLanes*>(boxes);
    const Lanes nothing{};
    Lanes sum{};
    for (std::int64_t j = 0; j < cols; ++j) {
        const Lanes under = box[2 * j] - query[j];
        const Lanes over = query[j] - box[2 * j + 1];
        const Lanes side = under > over ? under : over;
        const Lanes gap = side > nothing ? side : nothing;
        step(sum, gap);
    }
    *reinterpret_cast<Lanes*>(out) = sum;
}

HORNBOOK_WIDE void bound_two(const double* boxes, std::int64_t cols, const double* query, double* out) {
    bound(boxes, cols, query, out, [](Lanes& sum, const Lanes& gap) { sum += gap * gap; });
}

HORNBOOK_WIDE void bound_one(const double* boxes, std::int64_t cols, const double* query, double* out) {
    bound(boxes, cols, query, out, [](Lanes& sum, const Lanes& gap) { sum += gap; });
}

HORNBOOK_WIDE void bound_largest(const double* boxes, std::int64_t cols, const double* query, double* out) {
    bound(boxes, cols, query, out, [](Lanes& sum, const Lanes& gap) { sum = gap > sum ? gap : sum; });
}

void bound_any(const double* boxes, std::int64_t cols, const double* query, double power, double* out) {
    // std::pow is not monotone to the last bit, so the bound is lowered a little.
    constexpr double slack = 1.0 - 1e-12;
    std::fill_n(out, fanout, 0.0);
    for (std::int64_t j = 0; j < cols; ++j, boxes += 2 * fanout)
        for (std::int64_t part = 0; part < fanout; ++part) {
            const double gap = std::max({boxes[part] - query[j], query[j] - boxes[fanout + part], 0.0});
            out[part] += std::pow(gap, power) * slack;
        }
}

// Batcher's odd-even merge sort.
void sort_eight(std::uint64_t* keys) {
    constexpr std::uint8_t pairs[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6},
                                           {5, 7}, {1, 2}, {5, 6}, {0, 4}, {1, 5}, {2, 6}, {3, 7},
                                           {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
#pragma GCC unroll 19
    for (int p = 0; p < 19; ++p) {
        const std::uint64_t one = keys[pairs[p][0]];
        const std::uint64_t other = keys[pairs[p][1]];
        keys[pairs[p][0]] = one < other ? one : other;
        keys[pairs[p][1]] = one < other ? other : one;
    }
}

// Depth-first search of the tree for one query, nearest child first.
class Traversal {
  public:
    Traversal(const Levels& levels, const TreeView& tree, const Matrix<double>& queries, double power)
        : levels_(levels), boxes_(tree.boxes), queries_(queries), power_(power), kind_(power_of(power)) {}

    void start(std::int64_t query) { query_ = queries_.row(query); }

    // Calls leaf(tile) for every tile whose box is within reach(), of each node the nearest part first.
    template <class Reach, class Leaf>
    void visit(std::int64_t level, std::int64_t i, const Reach& reach, const Leaf& leaf) const {
        alignas(64) double bounds[fanout];
        measure(level, i, bounds);
        // Nearest first. The bits of numbers that are not negative are ordered as the numbers are; the last
        // three make room for the part. A network, because branches that depend on distances are guesses.
        std::uint64_t keys[fanout];
        for (std::int64_t part = 0; part < fanout; ++part)
            keys[part] = (std::bit_cast<std::uint64_t>(bounds[part]) & ~std::uint64_t{fanout - 1}) |
                         static_cast<std::uint64_t>(part);
        sort_eight(keys);
        const std::int64_t parts = levels_.parts(level, i);
        for (std::int64_t c = 0; c < fanout; ++c) {
            const auto part = static_cast<std::int64_t>(keys[c] & (fanout - 1));
            if (!(bounds[part] <= reach())) return;
            if (part >= parts) continue;  // an empty box within a reach that is still infinite
            if (level > 0)
                visit(level - 1, i * fanout + part, reach, leaf);
            else
                leaf(i * fanout + part);
        }
    }

    // The tile in whose box the query lies, or nearly.
    std::int64_t home_tile() const {
        std::int64_t place = 0;
        for (std::int64_t level = levels_.top(); level >= 0; --level) {
            alignas(64) double bounds[fanout];
            measure(level, place, bounds);
            place =
                place * fanout + (std::min_element(bounds, bounds + levels_.parts(level, place)) - bounds);
        }
        return place;
    }

  private:
    void measure(std::int64_t level, std::int64_t i, double* bounds) const {
        const double* boxes = boxes_.row(levels_.node(level, i));
        switch (kind_) {
            case Power::two:
                return bound_two(boxes, queries_.cols, query_, bounds);
            case Power::one:
                return bound_one(boxes, queries_.cols, query_, bounds);
            case Power::largest:
                return bound_largest(boxes, queries_.cols, query_, bounds);
            default:
                return bound_any(boxes, queries_.cols, query_, power_, bounds);
        }
    }

    const Levels& levels_;
    const Matrix<double> boxes_;
    const Matrix<double>& queries_;
    const double power_;
    const Power kind_;
    const double* query_ = nullptr;
};

void check_tree(const Matrix<double>& rows, const TreeView& tree, const Levels& levels,
                const Matrix<double>& queries) {
    if (rows.rows < 1 || tree.order.size != rows.rows)
        refuse("order must have one entry per row; it has ", tree.order.size, " for ", rows.rows, ".");
    if (tree.boxes.rows != levels.nodes || tree.boxes.cols != box_numbers * rows.cols)
        refuse("boxes must be ", levels.nodes, " x ", box_numbers * rows.cols, "; it is ", tree.boxes.rows,
               " x ", tree.boxes.cols, ".");
    if (queries.cols != rows.cols)
        refuse("queries must have the ", rows.cols, " columns of the rows; they have ", queries.cols, ".");
    for (std::int64_t i = 0; i < rows.rows; ++i)
        if (tree.order.data[i] < 0 || tree.order.data[i] >= rows.rows)
            refuse("order must hold rows from 0 to ", rows.rows - 1, "; place ", i, " has ",
                   tree.order.data[i], ".");
    for (std::int64_t i = 0; i < queries.rows * queries.cols; ++i)
        if (std::isnan(queries.data[i])) refuse("queries must not have missing numbers.");
}

// How a search looks at the rows of a tile: which may be near, and how far they are.
class DoubleLeaf {
  public:
    DoubleLeaf(const Tiles& tiles, const Metric& metric, const MixedRows& queries)
        : tiles_(tiles), computer_(metric, queries, true) {}

    void start(std::int64_t query) { computer_.set_query(query); }
    std::uint32_t near(std::int64_t tile, double reach) {
        return computer_.measure(tiles_, tile, reach, powered_);
    }
    double powered(std::int64_t, std::int64_t r) const { return powered_[r]; }

  private:
    const Tiles& tiles_;
    DistanceComputer computer_;
    alignas(64) double powered_[Tiles::size];
};

class FloatLeaf {
  public:
    FloatLeaf(const FloatTiles& tiles, const Matrix<double>& queries) : tiles_(tiles), queries_(queries) {}

    void start(std::int64_t query) {
        query_ = queries_.row(query);
        tiles_.round(query_, numbers_);
        reach_ = infinity;
        limit_ = tiles_.limit(infinity);
    }
    std::uint32_t near(std::int64_t tile, double reach) {
        if (reach != reach_) limit_ = tiles_.limit(reach_ = reach);
        return tiles_.near(tile, numbers_.data(), limit_);
    }
    double powered(std::int64_t tile, std::int64_t r) const { return tiles_.square(tile, r, query_); }

  private:
    const FloatTiles& tiles_;
    const Matrix<double>& queries_;
    const double* query_ = nullptr;
    std::vector<float> numbers_ = {};
    double reach_ = infinity;
    float limit_ = 0.0F;
};

// What a search has looked at: tiles, and rows that may be within reach.
struct Visits {
    std::int64_t tiles = 0;
    std::int64_t rows = 0;
};

// A tree, the rows in its order, and the queries.
struct Search {
    Levels levels;
    TreeView tree;
    std::vector<double> shares;
    Metric metric;
    FloatTiles floats;
    Tiles tiles;  // empty where single precision says enough
    MixedRows queries;
    int threads;

    Search(const Matrix<double>& rows, const TreeView& view, const Matrix<double>& query_rows, double power,
           int team)
        : levels((check_tree_rows(rows), rows.rows)),
          tree((check_tree(rows, view, levels, query_rows), view)),
          shares(static_cast<std::size_t>(rows.cols), 1.0),
          metric{power, {shares.data(), rows.cols}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0, 0}},
          floats(rows, view.order.data, query_rows, power, team),
          tiles({{rows.data, floats.usable() ? 0 : rows.rows, rows.cols}, {nullptr, 0, 0}}, view.order.data,
                team),
          queries{query_rows, {nullptr, query_rows.rows, 0}},
          threads(team) {
        if (power_of(power) == Power::count) refuse("a tree cannot search with power 0; use brute force.");
    }

    // Queries sorted by the tile they fall into: consecutive queries then read the same rows from the cache.
    std::vector<std::int64_t> queries_by_tile() const {
        const std::int64_t count = queries.numbers.rows;
        std::vector<std::int64_t> tiles_of_queries(static_cast<std::size_t>(count));
        parallel_rows(count, run_queries, threads, [&](std::int64_t first, std::int64_t last) {
            Traversal traversal(levels, tree, queries.numbers, metric.power);
            for (std::int64_t i = first; i < last; ++i) {
                traversal.start(i);
                tiles_of_queries[static_cast<std::size_t>(i)] = traversal.home_tile();
            }
        });
        std::vector<std::int64_t> order(tiles_of_queries.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int64_t one, std::int64_t other) {
            return tiles_of_queries[static_cast<std::size_t>(one)] <
                   tiles_of_queries[static_cast<std::size_t>(other)];
        });
        return order;
    }

    // For every query calls begin(query), then, while the tree has tiles within reach(),
    // take(powered distance, row) for each row within reach(), then end(query).
    template <class Finder, class Make>
    void run(const Make& make) const {
        const std::vector<std::int64_t> order = queries_by_tile();
        parallel_rows(queries.numbers.rows, run_queries, threads, [&](std::int64_t first, std::int64_t last) {
            Traversal traversal(levels, tree, queries.numbers, metric.power);
            Finder finder = make();
            if (floats.usable())
                look_up(order, first, last, traversal, finder, FloatLeaf(floats, queries.numbers));
            else
                look_up(order, first, last, traversal, finder, DoubleLeaf(tiles, metric, queries));
        });
    }

    template <class Finder, class Leaf>
    Visits look_up(const std::vector<std::int64_t>& order, std::int64_t first, std::int64_t last,
                   Traversal& traversal, Finder& finder, Leaf leaf) const {
        Pace pace;
        Visits visits;
        for (std::int64_t place = first; place < last; ++place) {
            const std::int64_t i = order[static_cast<std::size_t>(place)];
            leaf.start(i);
            traversal.start(i);
            finder.begin(i);
            traversal.visit(
                levels.top(), 0, [&] { return finder.reach(); },
                [&](std::int64_t tile) {
                    pace.spend(Tiles::size * queries.numbers.cols);
                    ++visits.tiles;
                    std::uint32_t near = leaf.near(tile, finder.reach());
                    visits.rows += std::popcount(near);
                    for (; near != 0; near &= near - 1) {
                        const std::int64_t r = std::countr_zero(near);
                        finder.take(leaf.powered(tile, r), tree.order.data[tile * Tiles::size + r]);
                    }
                });
            finder.end(i);
        }
        return visits;
    }

    // Whether products with all rows would take less time, judged by a sample of the queries: the more
    // columns vary independently, the more tiles are within reach. Nanoseconds, as measured.
    template <class Finder>
    bool products_are_faster(Finder finder) const {
        constexpr std::int64_t sample = 16;
        const std::int64_t count = queries.numbers.rows;
        if (!floats.usable() || count < 16 * sample) return false;
        std::vector<std::int64_t> some(sample);
        for (std::int64_t s = 0; s < sample; ++s) some[static_cast<std::size_t>(s)] = s * count / sample;
        Traversal traversal(levels, tree, queries.numbers, metric.power);
        const Visits visits = look_up(some, 0, sample, traversal, finder, FloatLeaf(floats, queries.numbers));
        const auto cols = static_cast<double>(queries.numbers.cols);
        const double by_tree =
            static_cast<double>(visits.tiles) * (42.0 + 3.5 * cols) + static_cast<double>(visits.rows) * 8.0;
        const double by_products = 900.0 + static_cast<double>(tree.order.size) * (0.2 + 0.021 * cols);
        return by_tree > static_cast<double>(sample) * by_products;
    }
};

struct NearestFinder {
    Best best;
    Nearest& out;
    std::int64_t k;
    double power;

    void begin(std::int64_t) { best.clear(); }
    double reach() const { return best.reach(); }
    void take(double powered, std::int64_t row) { best.offer(powered, row); }
    void end(std::int64_t i) { best.write(power, out.distances.data() + i * k, out.indices.data() + i * k); }
};

struct WithinFinder {
    std::vector<std::vector<Neighbor>>& neighbors;
    double radius;
    double power;
    double limit;  // generous by a few roundings: take() checks the distance itself
    std::vector<Neighbor>* mine;

    void begin(std::int64_t i) { mine = &neighbors[static_cast<std::size_t>(i)]; }
    double reach() const { return limit; }
    void take(double powered, std::int64_t row) {
        if (powered < infinity && root(powered, power) <= radius) mine->push_back({powered, row});
    }
    void end(std::int64_t) {}
};

}  // namespace

Nearest kd_nearest(const Matrix<double>& rows, const TreeView& tree, const Matrix<double>& queries,
                   double power, std::int64_t k, int threads) {
    if (k < 1 || k > rows.rows) refuse("k must be from 1 to the ", rows.rows, " rows; got ", k, ".");
    const Search search(rows, tree, queries, power, threads);
    Nearest out{Buffer<double>(queries.rows, k), Buffer<std::int64_t>(queries.rows, k)};
    if (search.products_are_faster(NearestFinder{Best(k), out, k, power}))
        return nearest_products(rows, queries, k, threads);
    search.run<NearestFinder>([&] { return NearestFinder{Best(k), out, k, power}; });
    return out;
}

Within kd_within(const Matrix<double>& rows, const TreeView& tree, const Matrix<double>& queries,
                 double power, double radius, int threads) {
    const Search search(rows, tree, queries, power, threads);
    std::vector<std::vector<Neighbor>> neighbors(static_cast<std::size_t>(queries.rows));
    const double limit = power_within(radius, power);
    search.run<WithinFinder>([&] { return WithinFinder{neighbors, radius, power, limit, nullptr}; });
    return concatenate(std::move(neighbors), power, threads);
}

}  // namespace hornbook
