#include "core/cluster/linkage.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/cluster/chain.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_mass = 1e150;

// Where the distances of a row to the rows after it begin, less the number of the first.
std::int64_t row_start(std::int64_t i, std::int64_t n) { return i * n - i * (i + 1) / 2 - i - 1; }

class CondensedClusters {
  public:
    CondensedClusters(double* distances, const Vector<double>& masses, Linkage linkage)
        : n_(masses.size),
          distances_(distances),
          masses_(masses.data, masses.data + masses.size),
          linkage_(linkage),
          left_(static_cast<std::size_t>(masses.size)) {
        std::iota(left_.begin(), left_.end(), 0);
    }

    std::int64_t first() const { return left_.front(); }

    Nearby nearest(std::int64_t cluster, std::int64_t preferred) {
        pace_.spend(static_cast<std::int64_t>(left_.size()));
        // Distances may all be infinite, where rows have no column in common.
        Nearby best{preferred, preferred < 0 ? infinity : at(cluster, preferred)};
        const auto take = [&](std::int64_t other, double distance) {
            if (distance < best.distance || best.cluster < 0) best = {other, distance};
        };
        const auto own = std::lower_bound(left_.begin(), left_.end(), cluster);
        const double* column = distances_ + cluster;
        const double* row = distances_ + row_start(cluster, n_);
        for (auto other = left_.begin(); other != own; ++other) take(*other, column[row_start(*other, n_)]);
        for (auto other = own + 1; other != left_.end(); ++other) take(*other, row[*other]);
        return best;
    }

    void merge(std::int64_t one, std::int64_t other) {
        const std::int64_t kept = std::min(one, other);
        const std::int64_t gone = std::max(one, other);
        left_.erase(std::lower_bound(left_.begin(), left_.end(), gone));
        const double mine = mass(kept);
        const double theirs = mass(gone);
        for (const std::int64_t i : left_) {
            if (i == kept) continue;
            double& distance = at(kept, i);
            distance = joined(distance, mine, at(gone, i), theirs);
        }
        mass(kept) = mine + theirs;
    }

    double height(double distance) const { return distance; }

  private:
    // The distance to a merger, by those to its parts.
    double joined(double one, double mass, double other, double other_mass) const {
        switch (linkage_) {
            case Linkage::single:
                return std::min(one, other);
            case Linkage::complete:
                return std::max(one, other);
            default:
                return (mass * one + other_mass * other) / (mass + other_mass);
        }
    }

    double& at(std::int64_t i, std::int64_t j) {
        return i < j ? distances_[row_start(i, n_) + j] : distances_[row_start(j, n_) + i];
    }
    double& mass(std::int64_t i) { return masses_[static_cast<std::size_t>(i)]; }

    std::int64_t n_;
    double* distances_;
    std::vector<double> masses_;
    Linkage linkage_;
    std::vector<std::int64_t> left_;  // ascending
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
            for (std::int64_t r = 0; r < tiles.filled(tile); ++r)
                if (const std::int64_t j = tile * Tiles::size + r; j > i)
                    row[j] = root(powered[r], metric.power);
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
    CondensedClusters clusters(condensed, masses, linkage);
    return tree_of_merges(merge_along_chain(clusters, masses.size), masses.size);
}

// Prim (1957): the tree grows by the row that is nearest to it.
MergeTree linkage_single(const MixedRows& rows, const Metric& metric) {
    check_metric(rows, metric);
    const std::int64_t n = rows.numbers.rows;
    if (n < 1) refuse("there must be at least one row.");
    const Tiles tiles(rows, nullptr, 1);
    DistanceComputer computer(metric, rows, tiles.complete());
    std::vector<double> nearest(static_cast<std::size_t>(tiles.count() * Tiles::size), infinity);  // powered
    std::vector<std::int64_t> via(nearest.size(), 0);
    std::vector<std::uint32_t> outside(static_cast<std::size_t>(tiles.count()));
    for (std::int64_t tile = 0; tile < tiles.count(); ++tile)
        outside[static_cast<std::size_t>(tile)] = tiles.places(tile);
    std::vector<Merge> merges;
    alignas(64) double powered[Tiles::size];
    Pace pace;
    for (std::int64_t newest = 0; newest >= 0;) {
        outside[static_cast<std::size_t>(newest / Tiles::size)] &= ~(1U << (newest % Tiles::size));
        computer.set_query(newest);
        std::int64_t next = -1;
        for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
            std::uint32_t rest = outside[static_cast<std::size_t>(tile)];
            if (rest == 0) continue;
            pace.spend(tiles.cells());
            computer.measure(tiles, tile, infinity, powered);
            for (; rest != 0; rest &= rest - 1) {
                const int r = std::countr_zero(rest);
                const auto i = static_cast<std::size_t>(tile * Tiles::size + r);
                if (powered[r] < nearest[i]) {
                    nearest[i] = powered[r];
                    via[i] = newest;
                }
                if (next < 0 || nearest[i] < nearest[static_cast<std::size_t>(next)])
                    next = static_cast<std::int64_t>(i);
            }
        }
        if (next >= 0) {
            const auto i = static_cast<std::size_t>(next);
            merges.push_back({via[i], next, root(nearest[i], metric.power)});
        }
        newest = next;
    }
    return tree_of_merges(std::move(merges), n);
}

}  // namespace hornbook
