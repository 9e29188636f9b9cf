#include "core/cluster/cluster_distances.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/cluster/distance_products.hpp"
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

HORNBOOK_WIDE void add_weighted(const double* numbers, double weight, double* sums) {
    const auto* x = reinterpret_cast<const Lanes*>(numbers);
    auto* out = reinterpret_cast<Lanes*>(sums);
    for (std::int64_t g = 0; g < groups; ++g) out[g] += weight * x[g];
}

// Rows of one cluster, by their places in the order of clusters.
struct Part {
    std::int64_t first;
    std::int64_t last;
    std::int64_t cluster;
};

constexpr std::int64_t part_rows = 1024;
constexpr std::int64_t numbers_at_once = std::int64_t{1} << 22;
constexpr std::int64_t cells_at_once = std::int64_t{1} << 14;  // of tiles, 128 KB of numbers
constexpr std::int64_t product_columns = 16;

std::vector<Part> parts_of(const ClusteredRows& clusters, const SortedClusters& sorted) {
    std::vector<Part> out;
    for (std::int64_t place = 0; place < clusters.labels.size; ++place) {
        const std::int64_t cluster = clusters.labels.data[sorted.order[static_cast<std::size_t>(place)]];
        if (out.empty() || out.back().cluster != cluster || place - out.back().first == part_rows)
            out.push_back({place, place, cluster});
        out.back().last = place + 1;
    }
    return out;
}

// The sums of distances of all rows to all clusters, where every distance is computed once and counts twice:
// for the row of the query, and for the rows of later tiles, whose sums a part has for its own cluster. Those
// are added up part after part, however many threads there are.
class SumsOfPairs {
  public:
    SumsOfPairs(const ClusteredRows& clusters, const Metric& metric, int threads)
        : clusters_(clusters),
          metric_(metric),
          threads_(threads),
          sorted_(clusters),
          tiles_(clusters.rows, sorted_.order.data(), threads),
          out_(clusters.labels.size, clusters.n_clusters, 0.0) {}

    Buffer<double> all() {
        const std::vector<Part> parts = parts_of(clusters_, sorted_);
        const std::int64_t width = sorted_.weights.size();
        const auto n_parts = static_cast<std::int64_t>(parts.size());
        const std::int64_t most = std::max<std::int64_t>(numbers_at_once / std::max<std::int64_t>(width, 1),
                                                         std::int64_t{4} * threads_);
        for (std::int64_t start = 0; start < n_parts; start += most) {
            const std::int64_t count = std::min(most, n_parts - start);
            const Part* some = parts.data() + start;
            Buffer<double> later(count, width, 0.0);
            parallel_for(count, threads_, [&](std::int64_t i) { add(some[i], later.data() + i * width); });
            parallel_rows(clusters_.labels.size, part_rows, threads_,
                          [&](std::int64_t first, std::int64_t last) {
                              for (std::int64_t i = 0; i < count; ++i)
                                  for (std::int64_t place = first; place < last; ++place)
                                      *sum(place, some[i].cluster) += later[i * width + place];
                          });
        }
        return std::move(out_);
    }

  private:
    double* sum(std::int64_t place, std::int64_t cluster) {
        return out_.data() + sorted_.order[static_cast<std::size_t>(place)] * clusters_.n_clusters + cluster;
    }

    // Whether products may be used: they pay where there are many columns.
    bool by_products() const {
        return power_of(metric_.power) == Power::two && tiles_.complete() && clusters_.rows.codes.cols == 0 &&
               clusters_.rows.numbers.cols >= product_columns;
    }

    // Some tiles at a time, which stay in the cache for all rows of the part. A sum gets its distances in the
    // same order all the same.
    void add(const Part& part, double* later) {
        DistanceComputer computer(metric_, clusters_.rows, tiles_.complete());
        const std::int64_t most =
            std::max<std::int64_t>(cells_at_once / std::max<std::int64_t>(tiles_.cells(), 1), 1);
        std::optional<DistanceProducts> products;
        if (by_products())
            products.emplace(clusters_.rows.numbers, sorted_.order.data() + part.first,
                             part.last - part.first, std::min(most, tiles_.count()));
        Pace pace;
        for (std::int64_t start = part.first / Tiles::size; start < tiles_.count(); start += most) {
            const std::int64_t end = std::min(start + most, tiles_.count());
            std::int64_t place = part.first;
            if (products) {
                products->set_tiles(tiles_, start, end);
                Span span{part.first, start, end, later};
                for (; place + 1 < part.last && span.worthwhile(); place += 2)
                    add_pair(computer, *products, place, span, pace);
                // Rows that repeat each other often: never mind products in the tiles that are left.
                if (!span.worthwhile()) products.reset();
            }
            for (; place < part.last; ++place)
                add_row(computer, place, std::max(start, place / Tiles::size), end, later, pace);
        }
    }

    // A row to the tiles from `first` to before `last`.
    void add_row(DistanceComputer& computer, std::int64_t place, std::int64_t first, std::int64_t last,
                 double* later, Pace& pace) {
        alignas(64) double distances[Tiles::size];
        computer.set_query(sorted_.order[static_cast<std::size_t>(place)]);
        for (std::int64_t tile = first; tile < last; ++tile) {
            pace.spend(tiles_.cells());
            computer.measure(tiles_, tile, infinity, distances);
            add(distances, place, tile, later);
        }
    }

    // What the pairs of rows of a part are compared with, and how often products were not accurate.
    struct Span {
        std::int64_t origin;  // the first row of the part
        std::int64_t first;   // tiles
        std::int64_t last;
        double* later;
        std::int64_t tried = 0;
        std::int64_t failed = 0;

        bool worthwhile() const { return failed < 64 || failed < tried / 8; }
    };

    // Two neighboring rows to the tiles of a span, by products where these are accurate.
    void add_pair(DistanceComputer& computer, const DistanceProducts& products, std::int64_t place,
                  Span& span, Pace& pace) {
        alignas(64) double distances[2 * Tiles::size];
        // Not for their own tiles: products of a row with itself cancel out.
        const std::int64_t common = std::max(span.first, (place + 1) / Tiles::size + 1);
        for (std::int64_t q = place; q < place + 2; ++q)
            add_row(computer, q, std::max(span.first, q / Tiles::size), std::min(common, span.last),
                    span.later, pace);
        for (std::int64_t tile = common; tile < span.last; ++tile) {
            pace.spend(2 * tiles_.cells());
            const std::uint32_t sound = products.measure(place - span.origin, tile, distances);
            for (std::int64_t q = 0; q < 2; ++q) {
                double* numbers = distances + q * Tiles::size;
                ++span.tried;
                if ((sound >> q & 1) == 0) {
                    ++span.failed;
                    computer.set_query(sorted_.order[static_cast<std::size_t>(place + q)]);
                    computer.measure(tiles_, tile, infinity, numbers);
                }
                add(numbers, place + q, tile, span.later);
            }
        }
    }

    // The powered distances of a row to those of its own tile or a later one.
    void add(double* distances, std::int64_t place, std::int64_t tile, double* later) {
        take_roots(distances, metric_.power);
        const std::int64_t first = tile * Tiles::size;
        for (const Segment& segment : sorted_.segments[static_cast<std::size_t>(tile)])
            add_segment(ClusterStatistic::sum, distances, sorted_.weights.data() + first, segment,
                        *sum(place, segment.cluster));
        if (tile > place / Tiles::size) add_weighted(distances, sorted_.weights[place], later + first);
    }

    const ClusteredRows& clusters_;
    const Metric& metric_;
    const int threads_;
    const SortedClusters sorted_;
    const Tiles tiles_;
    Buffer<double> out_;
};

bool same_rows(const MixedRows& one, const MixedRows& other) {
    return one.numbers.data == other.numbers.data && one.codes.data == other.codes.data &&
           one.numbers.rows == other.numbers.rows;
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
    if (statistic == ClusterStatistic::sum && same_rows(clusters.rows, queries))
        return SumsOfPairs(clusters, metric, threads).all();
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
