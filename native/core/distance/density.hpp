// Core rows and the clusters that they form (DBSCAN; Ester, Kriegel, Sander and Xu 1996).
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

struct DensityClusters {
    Buffer<std::uint8_t> core;  // whether a row weighs something, and the rows within the radius enough
    // Of a core row the lowest core row of its cluster; of another row the lowest such number among the core
    // rows within the radius, -1 without any.
    Buffer<std::int64_t> first;
};

// `weights` may be empty: every row then weighs 1. The result does not depend on the number of threads.
DensityClusters density_clusters(const MixedRows& rows, const Metric& metric, const Vector<double>& weights,
                                 double radius, double least, int threads);

}  // namespace hornbook
