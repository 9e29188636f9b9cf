#include "core/neighbors/kdtree.hpp"

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
constexpr std::int64_t fanout = lanes;  // children of a node
static_assert(box_numbers == 2 * fanout);
constexpr std::int64_t run_queries = 64;

// Boxes are the caller's memory, which need not be aligned to a vector.
typedef double LooseLanes __attribute__((vector_size(64), may_alias, aligned(8)));

// How many nodes each level has, and where they begin: level 0 is above the tiles, the last has one node.
struct Levels {
    std::vector<std::int64_t> counts;  // of the tiles, then of the nodes of each level
    std::vector<std::int64_t> first;
    std::int64_t nodes = 0;

    explicit Levels(std::int64_t n_rows) : counts{(n_rows + Tiles::size - 1) / Tiles::size} {
        do {
            counts.push_back((counts.back() + fanout - 1) / fanout);
            first.push_back(nodes);
            nodes += counts.back();
        } while (counts.back() > 1);
    }

    std::int64_t top() const { return static_cast<std::int64_t>(first.size()) - 1; }
    std::int64_t node(std::int64_t level, std::int64_t i) const {
        return first[static_cast<std::size_t>(level)] + i;
    }
    // Parts of the i-th node of a level; tiles are the parts of level 0.
    std::int64_t parts(std::int64_t level, std::int64_t i) const {
        return std::min(fanout, counts[static_cast<std::size_t>(level)] - i * fanout);
    }
};

struct Builder {
    const Matrix<double>& rows;
    const Levels& levels;
    std::int64_t* order;
    double* boxes;
    Pace pace = {};

    void box(std::int64_t first, std::int64_t last, std::vector<double>& low, std::vector<double>& high) {
        pace.spend((last - first) * rows.cols);
        std::fill(low.begin(), low.end(), infinity);
        std::fill(high.begin(), high.end(), -infinity);
        for (std::int64_t i = first; i < last; ++i) {
            const double* x = rows.row(order[i]);
            for (std::size_t j = 0; j < low.size(); ++j) {
                low[j] = std::min(low[j], x[j]);
                high[j] = std::max(high[j], x[j]);
            }
        }
    }

    // Cuts the rows [first, last) into parts of `step` rows each, the last of which may be shorter.
    void cut(std::int64_t first, std::int64_t last, std::int64_t step) {
        const std::int64_t parts = (last - first + step - 1) / step;
        if (parts <= 1) return;
        std::vector<double> low(static_cast<std::size_t>(rows.cols));
        std::vector<double> high(low.size());
        box(first, last, low, high);
        std::size_t widest = 0;
        for (std::size_t j = 1; j < low.size(); ++j)
            if (high[j] - low[j] > high[widest] - low[widest]) widest = j;
        const std::int64_t mid = first + parts / 2 * step;
        std::nth_element(order + first, order + mid, order + last, [&](std::int64_t one, std::int64_t other) {
            const double x = rows.row(one)[widest];
            const double y = rows.row(other)[widest];
            return x != y ? x < y : one < other;
        });
        cut(first, mid, step);
        cut(mid, last, step);
    }

    // The i-th node of a level over the rows [first, last); parts that are not there keep an empty box.
    void grow(std::int64_t level, std::int64_t i, std::int64_t first, std::int64_t last, std::int64_t step) {
        cut(first, last, step);
        double* mine = boxes + levels.node(level, i) * box_numbers * rows.cols;
        std::vector<double> low(static_cast<std::size_t>(rows.cols));
        std::vector<double> high(low.size());
        for (std::int64_t part = 0; part < fanout; ++part) {
            const std::int64_t from = std::min(first + part * step, last);
            const std::int64_t to = std::min(from + step, last);
            box(from, to, low, high);
            for (std::int64_t j = 0; j < rows.cols; ++j) {
                mine[2 * fanout * j + part] = low[static_cast<std::size_t>(j)];
                mine[2 * fanout * j + fanout + part] = high[static_cast<std::size_t>(j)];
            }
            if (from == to) continue;
            if (level > 0)
                grow(level - 1, i * fanout + part, from, to, step / fanout);
            else
                std::sort(order + from, order + to);  // ties then offer the lower index first
        }
    }
};

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
        std::uint32_t left = 0;
        for (std::int64_t part = 0; part < levels_.parts(level, i); ++part)
            left |= static_cast<std::uint32_t>(bounds[part] <= reach()) << part;
        while (left != 0) {
            std::int64_t nearest = std::countr_zero(left);
            for (std::uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
                if (bounds[std::countr_zero(rest)] < bounds[nearest]) nearest = std::countr_zero(rest);
            if (!(bounds[nearest] <= reach())) return;
            left &= ~(1U << nearest);
            if (level > 0)
                visit(level - 1, i * fanout + nearest, reach, leaf);
            else
                leaf(i * fanout + nearest);
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

// A tree, the rows in its order, and the queries.
struct Search {
    Levels levels;
    TreeView tree;
    std::vector<double> shares;
    Metric metric;
    Tiles tiles;
    MixedRows queries;
    int threads;

    Search(const Matrix<double>& rows, const TreeView& view, const Matrix<double>& query_rows, double power,
           int team)
        : levels((check_rows(rows), rows.rows)),
          tree((check_tree(rows, view, levels, query_rows), view)),
          shares(static_cast<std::size_t>(rows.cols), 1.0),
          metric{power, {shares.data(), rows.cols}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0, 0}},
          tiles({rows, {nullptr, rows.rows, 0}}, view.order.data, team),
          queries{query_rows, {nullptr, query_rows.rows, 0}},
          threads(team) {
        if (power_of(power) == Power::count) refuse("a tree cannot search with power 0; use brute force.");
    }

    static void check_rows(const Matrix<double>& rows) {
        if (rows.rows < 1 || rows.cols < 1) refuse("a tree needs at least one row and one column.");
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
            DistanceComputer computer(metric, queries, true);
            Traversal traversal(levels, tree, queries.numbers, metric.power);
            Finder finder = make();
            alignas(64) double powered[Tiles::size];
            Pace pace;
            for (std::int64_t place = first; place < last; ++place) {
                const std::int64_t i = order[static_cast<std::size_t>(place)];
                computer.set_query(i);
                traversal.start(i);
                finder.begin(i);
                traversal.visit(
                    levels.top(), 0, [&] { return finder.reach(); },
                    [&](std::int64_t tile) {
                        pace.spend(tiles.cells());
                        std::uint32_t near = computer.measure(tiles, tile, finder.reach(), powered);
                        for (; near != 0; near &= near - 1) {
                            const std::int64_t r = std::countr_zero(near);
                            finder.take(powered[r], tree.order.data[tile * Tiles::size + r]);
                        }
                    });
                finder.end(i);
            }
        });
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

Tree kd_build(const Matrix<double>& rows) {
    Search::check_rows(rows);
    for (std::int64_t i = 0; i < rows.rows * rows.cols; ++i)
        if (std::isnan(rows.data[i])) refuse("a tree cannot have rows with missing numbers.");
    const Levels levels(rows.rows);
    Tree tree{Buffer<std::int64_t>(rows.rows), Buffer<double>(levels.nodes, box_numbers * rows.cols)};
    std::iota(tree.order.data(), tree.order.data() + rows.rows, 0);
    std::int64_t step = Tiles::size;
    for (std::int64_t level = 0; level < levels.top(); ++level) step *= fanout;
    Builder{rows, levels, tree.order.data(), tree.boxes.data()}.grow(levels.top(), 0, 0, rows.rows, step);
    return tree;
}

Nearest kd_nearest(const Matrix<double>& rows, const TreeView& tree, const Matrix<double>& queries,
                   double power, std::int64_t k, int threads) {
    if (k < 1 || k > rows.rows) refuse("k must be from 1 to the ", rows.rows, " rows; got ", k, ".");
    const Search search(rows, tree, queries, power, threads);
    Nearest out{Buffer<double>(queries.rows, k), Buffer<std::int64_t>(queries.rows, k)};
    search.run<NearestFinder>([&] { return NearestFinder{Best(k), out, k, power}; });
    return out;
}

Within kd_within(const Matrix<double>& rows, const TreeView& tree, const Matrix<double>& queries,
                 double power, double radius, int threads) {
    const Search search(rows, tree, queries, power, threads);
    std::vector<std::vector<Neighbor>> neighbors(static_cast<std::size_t>(queries.rows));
    const double limit = std::isinf(power) ? radius : std::pow(radius, power) * (1.0 + 1e-9);
    search.run<WithinFinder>([&] { return WithinFinder{neighbors, radius, power, limit, nullptr}; });
    return concatenate(std::move(neighbors), power, threads);
}

}  // namespace hornbook
