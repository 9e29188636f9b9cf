#include "core/cluster/cluster_distances.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t groups = Tiles::size / lanes;

// Neighboring rows of one tile that belong to one cluster.
struct Segment {
    std::int64_t first;
    std::int64_t last;
    std::int64_t cluster;
};

// The rows, sorted by cluster, so that most tiles belong to one cluster and are summed up as a whole.
struct SortedClusters {
    std::vector<std::int64_t> order;
    std::vector<std::vector<Segment>> segments;  // of each tile
    Buffer<double> weights;                      // in that order, 0 in the padding of the last tile

    explicit SortedClusters(const ClusteredRows& clusters);
};

SortedClusters::SortedClusters(const ClusteredRows& clusters)
    : order(static_cast<std::size_t>(clusters.labels.size)),
      weights((clusters.labels.size + Tiles::size - 1) / Tiles::size * Tiles::size, 1, 0.0) {
    std::vector<std::int64_t> next(static_cast<std::size_t>(clusters.n_clusters) + 1, 0);
    const std::int32_t* labels = clusters.labels.data;
    for (std::int64_t i = 0; i < clusters.labels.size; ++i) ++next[static_cast<std::size_t>(labels[i]) + 1];
    for (std::size_t c = 1; c < next.size(); ++c) next[c] += next[c - 1];
    for (std::int64_t i = 0; i < clusters.labels.size; ++i) {
        const std::int64_t place = next[static_cast<std::size_t>(labels[i])]++;
        order[static_cast<std::size_t>(place)] = i;
        weights[place] = clusters.weights.data[i];
    }
    segments.resize(static_cast<std::size_t>(weights.size() / Tiles::size));
    for (std::int64_t place = 0; place < clusters.labels.size; ++place) {
        auto& tile = segments[static_cast<std::size_t>(place / Tiles::size)];
        const std::int64_t r = place % Tiles::size;
        const std::int64_t cluster = labels[order[static_cast<std::size_t>(place)]];
        if (tile.empty() || tile.back().cluster != cluster) tile.push_back({r, r, cluster});
        tile.back().last = r + 1;
    }
}

// The sum of a whole tile, in the same order on every machine.
HORNBOOK_WIDE double weighted_sum(const double* numbers, const double* weights) {
    const auto* x = reinterpret_cast<const Lanes*>(numbers);
    const auto* w = reinterpret_cast<const Lanes*>(weights);
    Lanes sum{};
    for (std::int64_t g = 0; g < groups; ++g) sum += x[g] * w[g];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

void add_segment(ClusterStatistic statistic, const double* distances, const double* weights,
                 const Segment& segment, double& out) {
    if (statistic == ClusterStatistic::sum) {
        if (segment.last - segment.first == Tiles::size) {
            out += weighted_sum(distances, weights);
            return;
        }
        for (std::int64_t r = segment.first; r < segment.last; ++r) out += distances[r] * weights[r];
    } else {
        const auto [low, high] = std::minmax_element(distances + segment.first, distances + segment.last);
        out = statistic == ClusterStatistic::smallest ? std::min(out, *low) : std::max(out, *high);
    }
}

void check_clusters(const ClusteredRows& clusters) {
    const std::int64_t n = clusters.rows.numbers.rows;
    if (clusters.labels.size != n || clusters.weights.size != n)
        refuse("labels and weights must have one entry per row; they have ", clusters.labels.size, " and ",
               clusters.weights.size, " for ", n, " rows.");
    if (clusters.n_clusters < 1) refuse("n_clusters must be at least 1; got ", clusters.n_clusters, ".");
    for (std::int64_t i = 0; i < n; ++i)
        if (clusters.labels.data[i] < 0 || clusters.labels.data[i] >= clusters.n_clusters)
            refuse("labels must be from 0 to ", clusters.n_clusters - 1, "; row ", i, " has ",
                   clusters.labels.data[i], ".");
}

}  // namespace

Buffer<double> cluster_distances(const ClusteredRows& clusters, const MixedRows& queries,
                                 const Metric& metric, ClusterStatistic statistic, int threads) {
    constexpr std::int64_t run = 16;
    const std::int64_t k = clusters.n_clusters;
    check_alike(clusters.rows, queries);
    check_metric(clusters.rows, metric);
    check_metric(queries, metric);
    check_clusters(clusters);
    const double nothing = statistic == ClusterStatistic::smallest ? infinity : 0.0;
    Buffer<double> out(queries.numbers.rows, k, nothing);
    const SortedClusters sorted(clusters);
    const Tiles tiles(clusters.rows, sorted.order.data(), threads);
    parallel_rows(queries.numbers.rows, run, threads, [&](std::int64_t first, std::int64_t last) {
        DistanceComputer computer(metric, queries, tiles.complete());
        alignas(64) double distances[Tiles::size];
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            computer.set_query(i);
            for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
                pace.spend(tiles.cells());
                computer.measure(tiles, tile, infinity, distances);
                take_roots(distances, metric.power);
                for (const Segment& segment : sorted.segments[static_cast<std::size_t>(tile)])
                    add_segment(statistic, distances, sorted.weights.data() + tile * Tiles::size, segment,
                                out[i * k + segment.cluster]);
            }
        }
    });
    return out;
}

}  // namespace hornbook
