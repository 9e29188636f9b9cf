#include "core/cluster/linkage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/cluster/chain.hpp"
#include "core/cluster/cluster_matrix.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_mass = 1e150;

// Where the distances of a row to the rows after it begin, less the number of the first.
std::int64_t row_start(std::int64_t i, std::int64_t n) { return i * n - i * (i + 1) / 2 - i - 1; }

typedef double LooseLanes __attribute__((vector_size(64), may_alias, aligned(8)));
typedef std::int64_t LooseInts __attribute__((vector_size(64), may_alias, aligned(8)));
typedef std::int64_t IntLanes __attribute__((vector_size(64), may_alias));

// The nearest row so far, one for each lane, and its place.
struct Closest {
    Lanes distance;
    IntLanes place;
};

// Rows of a tile that are nearer to the newest row of the tree than to the others in it take note of it.
HORNBOOK_WIDE void approach(const double* powered, std::int64_t newest, std::int64_t first,
                            const double* barrier, double* nearest, std::int64_t* via, Closest& closest) {
    const IntLanes row = IntLanes{} + newest;
    IntLanes place = IntLanes{0, 1, 2, 3, 4, 5, 6, 7} + first;
    for (std::int64_t i = 0; i < Tiles::size; i += lanes, place += lanes) {
        const Lanes now = *reinterpret_cast<const LooseLanes*>(powered + i);
        const Lanes before = *reinterpret_cast<const LooseLanes*>(nearest + i);
        const Lanes least = now < before ? now : before;
        LooseInts& end = *reinterpret_cast<LooseInts*>(via + i);
        end = now < before ? row : end;
        *reinterpret_cast<LooseLanes*>(nearest + i) = least;
        const Lanes distance = least + *reinterpret_cast<const LooseLanes*>(barrier + i);
        closest.place = distance < closest.distance ? place : closest.place;
        closest.distance = distance < closest.distance ? distance : closest.distance;
    }
}

// Rows that are not in the spanning tree yet, and how near each is to it.
class OutsideRows {
  public:
    OutsideRows(const MixedRows& rows, const Metric& metric)
        : rows_(rows), metric_(metric), order_(static_cast<std::size_t>(rows.numbers.rows)) {
        std::iota(order_.begin(), order_.end(), 0);
        arrange();
    }

    // Whatever row is newest in the tree is no longer outside.
    void leave(std::int64_t row) {
        const auto place = std::lower_bound(order_.begin(), order_.end(), row) - order_.begin();
        barrier_[static_cast<std::size_t>(place)] = infinity;
        const auto count = static_cast<std::int64_t>(order_.size());
        if (--left_ > Tiles::size && 4 * left_ < 3 * count) arrange();
    }

    // The row outside that is nearest to the tree, the lowest of equally near ones, with the row it is near
    // to and the powered distance.
    Merge next(std::int64_t newest) {
        DistanceComputer computer(metric_, rows_, tiles_->complete());
        computer.set_query(newest);
        Closest closest{Lanes{} + infinity, IntLanes{}};
        alignas(64) double powered[Tiles::size];
        for (std::int64_t tile = 0; tile < tiles_->count(); ++tile) {
            pace_.spend(tiles_->cells());
            computer.measure(*tiles_, tile, infinity, powered);
            const std::int64_t first = tile * Tiles::size;
            approach(powered, newest, first, barrier_.data() + first, nearest_.data() + first,
                     via_.data() + first, closest);
        }
        // Distances may all be infinite, where rows have no column in common.
        auto place =
            static_cast<std::int64_t>(std::find(barrier_.begin(), barrier_.end(), 0.0) - barrier_.begin());
        double best = infinity;
        for (std::int64_t r = 0; r < lanes; ++r)
            if (closest.distance[r] < best ||
                (closest.distance[r] == best && best < infinity && closest.place[r] < place)) {
                best = closest.distance[r];
                place = closest.place[r];
            }
        const auto i = static_cast<std::size_t>(place);
        return {via_[i], order_[i], nearest_[i]};
    }

  private:
    // Tiles of the rows that are left.
    void arrange() {
        std::size_t count = 0;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (!barrier_.empty() && barrier_[i] > 0.0) continue;
            order_[count] = order_[i];
            if (!barrier_.empty()) nearest_[count] = nearest_[i];
            if (!barrier_.empty()) via_[count] = via_[i];
            ++count;
        }
        order_.resize(count);
        left_ = static_cast<std::int64_t>(count);
        MixedRows some = rows_;
        some.numbers.rows = some.codes.rows = left_;
        tiles_.emplace(some, order_.data(), 1);
        const auto places = static_cast<std::size_t>(tiles_->count() * Tiles::size);
        nearest_.resize(places, infinity);
        via_.resize(places, 0);
        barrier_.assign(places, 0.0);
        std::fill(barrier_.begin() + left_, barrier_.end(), infinity);
    }

    const MixedRows& rows_;
    const Metric& metric_;
    std::vector<std::int64_t> order_;  // the row at each place, ascending
    std::int64_t left_ = 0;
    std::optional<Tiles> tiles_;
    std::vector<double> nearest_;    // powered distance to the tree
    std::vector<std::int64_t> via_;  // the row of the tree at that distance
    std::vector<double> barrier_;    // 0 where a row is outside, else infinity
    Pace pace_;
};

}  // namespace

Linkage linkage_of(std::string_view name) {
    if (name == "single") return Linkage::single;
    if (name == "complete") return Linkage::complete;
    if (name == "average") return Linkage::average;
    refuse("linkage must be single, complete or average; got ", name, ".");
}

void check_masses(const Vector<double>& masses, std::int64_t n_rows) {
    if (n_rows < 1) refuse("there must be at least one row.");
    if (masses.size != n_rows)
        refuse("masses must have one entry per row; it has ", masses.size, " for ", n_rows, " rows.");
    for (std::int64_t i = 0; i < n_rows; ++i)
        if (!(masses.data[i] > 0.0 && masses.data[i] < infinity))
            refuse("masses must be above 0 and finite; row ", i, " has ", masses.data[i], ".");
    if (!(std::accumulate(masses.data, masses.data + n_rows, 0.0) < largest_mass))
        refuse("masses must be below ", largest_mass, " in all, so that their products are finite.");
}

MergeTree tree_of_merges(std::vector<Merge>&& merges, std::int64_t n_rows) {
    for (const Merge& merge : merges)
        if (std::isnan(merge.height)) refuse("rows are so far apart that distances overflow: rescale them.");
    std::stable_sort(merges.begin(), merges.end(),
                     [](const Merge& a, const Merge& b) { return a.height < b.height; });
    const auto count = static_cast<std::int64_t>(merges.size());
    MergeTree tree{Buffer<std::int64_t>(count, 2), Buffer<double>(count)};
    std::vector<std::int64_t> above(static_cast<std::size_t>(n_rows + count));
    std::iota(above.begin(), above.end(), 0);
    const auto top = [&](std::int64_t i) {
        while (above[static_cast<std::size_t>(i)] != i) {
            std::int64_t& next = above[static_cast<std::size_t>(i)];
            next = above[static_cast<std::size_t>(next)];
            i = next;
        }
        return i;
    };
    for (std::int64_t i = 0; i < count; ++i) {
        const Merge& merge = merges[static_cast<std::size_t>(i)];
        const std::int64_t one = top(merge.one);
        const std::int64_t other = top(merge.other);
        tree.children[2 * i] = std::min(one, other);
        tree.children[2 * i + 1] = std::max(one, other);
        tree.heights[i] = merge.height;
        above[static_cast<std::size_t>(one)] = above[static_cast<std::size_t>(other)] = n_rows + i;
    }
    return tree;
}

Buffer<double> pairwise_condensed(const MixedRows& rows, const Metric& metric, int threads) {
    check_metric(rows, metric);
    const std::int64_t n = rows.numbers.rows;
    if (n < 1) refuse("there must be at least one row.");
    const Tiles tiles(rows, nullptr, threads);
    Buffer<double> out(checked_product(n, n - 1) / 2);
    parallel_for(n, threads, [&](std::int64_t i) {
        DistanceComputer computer(metric, rows, tiles.complete());
        alignas(64) double powered[Tiles::size];
        Pace pace;
        computer.set_query(i);
        double* row = out.data() + row_start(i, n);
        for (std::int64_t tile = (i + 1) / Tiles::size; tile < tiles.count(); ++tile) {
            pace.spend(tiles.cells());
            computer.measure(tiles, tile, infinity, powered);
            take_roots(powered, metric.power);
            const std::int64_t first = std::max(i + 1 - tile * Tiles::size, std::int64_t{0});
            std::copy(powered + first, powered + tiles.filled(tile), row + tile * Tiles::size + first);
        }
    });
    return out;
}

MergeTree linkage_condensed(double* condensed, std::int64_t n_distances, const Vector<double>& masses,
                            Linkage linkage) {
    const std::int64_t n = masses.size;
    check_masses(masses, n);
    if (n_distances != checked_product(n, n - 1) / 2)
        refuse("condensed must have ", n * (n - 1) / 2, " distances of ", n, " rows; it has ", n_distances,
               ".");
    for (std::int64_t i = 0; i < n_distances; ++i)
        if (std::isnan(condensed[i])) refuse("condensed must not have missing distances.");
    ClusterMatrix clusters(condensed, masses, linkage);
    return tree_of_merges(merge_along_chain(clusters, masses.size), masses.size);
}

// Prim (1957): the tree grows by the row that is nearest to it.
MergeTree linkage_single(const MixedRows& rows, const Metric& metric) {
    check_metric(rows, metric);
    const std::int64_t n = rows.numbers.rows;
    if (n < 1) refuse("there must be at least one row.");
    OutsideRows outside(rows, metric);
    std::vector<Merge> merges;
    for (std::int64_t newest = 0; static_cast<std::int64_t>(merges.size()) < n - 1;) {
        outside.leave(newest);
        const Merge edge = outside.next(newest);
        merges.push_back({edge.one, edge.other, root(edge.height, metric.power)});
        newest = edge.other;
    }
    return tree_of_merges(std::move(merges), n);
}

}  // namespace hornbook
