// Trees of clusters of which only neighbors in a graph may be merged.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/cluster/linkage.hpp"

namespace hornbook {

// Two rows for each edge of the graph, which must connect all rows. A merged cluster has the neighbors of
// both; to a neighbor of both its distance is the smallest, the largest or the mean weighted by the masses,
// to a neighbor of one alone it stays what it was. Merges come in the order in which they are made: their
// heights may fall, as two clusters may become neighbors late. Of equally near clusters those with the lowest
// nodes come first.
MergeTree linkage_graph(const Matrix<std::int64_t>& edges, const Vector<double>& distances,
                        const Vector<double>& masses, Linkage linkage);

// By the growth of the sum of squares around the means, as linkage_ward.
MergeTree linkage_graph_ward(const Matrix<double>& rows, const Matrix<std::int64_t>& edges,
                             const Vector<double>& masses);

}  // namespace hornbook
