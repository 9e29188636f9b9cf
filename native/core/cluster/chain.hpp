// The nearest-neighbor chain (Benzécri 1982, Juan 1982; Murtagh 1983): from any cluster to its nearest, and
// on to the nearest of that, until two are nearest to each other. They are merged, and the chain goes on from
// what is left of it. For linkages under which a merger is no nearer to others than its parts were, these are
// the merges of the greedy algorithm.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cluster/linkage.hpp"
#include "core/stop.hpp"

namespace hornbook {

struct Nearby {
    std::int64_t cluster;
    double distance;
};

// `Clusters` has: first(), any cluster that is left; nearest(cluster, preferred), where of equally near ones
// the preferred wins, then the lowest; merge(one, other), after which the lower number is that of both;
// height(distance). A cluster has the number of its lowest row.
template <class Clusters>
std::vector<Merge> merge_along_chain(Clusters& clusters, std::int64_t n_rows) {
    std::vector<Merge> merges;
    std::vector<std::int64_t> chain;
    std::vector<bool> chained(static_cast<std::size_t>(n_rows));
    const auto push = [&](std::int64_t cluster) {
        chain.push_back(cluster);
        chained[static_cast<std::size_t>(cluster)] = true;
    };
    const auto pop = [&] {
        chained[static_cast<std::size_t>(chain.back())] = false;
        chain.pop_back();
    };
    while (static_cast<std::int64_t>(merges.size()) < n_rows - 1) {
        stop_point();
        if (chain.empty()) push(clusters.first());
        const std::int64_t tip = chain.back();
        const std::int64_t before = chain.size() > 1 ? chain[chain.size() - 2] : -1;
        const Nearby next = clusters.nearest(tip, before);
        if (!chained[static_cast<std::size_t>(next.cluster)]) {
            push(next.cluster);
            continue;
        }
        // Farther back in the chain only by rounding, when a merger came nearer than its parts were. Those
        // two are merged as well, so that every step makes the chain longer or the clusters fewer.
        while (chain.back() != next.cluster) pop();
        pop();
        clusters.merge(tip, next.cluster);
        merges.push_back({tip, next.cluster, clusters.height(next.distance)});
    }
    return merges;
}

}  // namespace hornbook
