// How far rows are from the rows of each cluster.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

// Rows, and the cluster of each.
struct ClusteredRows {
    MixedRows rows;
    Vector<std::int32_t> labels;  // at least 0
    Vector<double> weights;
    std::int64_t n_clusters;
};

enum class ClusterStatistic { sum, smallest, largest };

// For each query and each cluster the weighted sum, the smallest or the largest of the distances to the rows
// of the cluster: one row of the result for each query. Sums over no rows are 0, the smallest of none is
// infinite, the largest of none is 0.
Buffer<double> cluster_distances(const ClusteredRows& clusters, const MixedRows& queries,
                                 const Metric& metric, ClusterStatistic statistic, int threads);

}  // namespace hornbook
