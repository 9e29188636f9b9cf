// Trees of clusters that are merged two at a time, the nearest first.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

enum class Linkage { single, complete, average };

Linkage linkage_of(std::string_view name);

// Two rows whose clusters are merged, and how far apart these are.
struct Merge {
    std::int64_t one;
    std::int64_t other;
    double height;
};

// The tree: merge i joins the nodes children[i] and makes the node n_rows + i; heights do not fall.
struct MergeTree {
    Buffer<std::int64_t> children;  // (merges, 2), the lower node first
    Buffer<double> heights;
};

// Reject masses other than one number above 0 for each row.
void check_masses(const Vector<double>& masses, std::int64_t n_rows);

// Merges in any order to the tree; of equally high merges, those found first come first.
MergeTree tree_of_merges(std::vector<Merge>&& merges, std::int64_t n_rows);

// The distances of rows i < j, one after the other: (0, 1), (0, 2), ..., (1, 2), ...
Buffer<double> pairwise_condensed(const MixedRows& rows, const Metric& metric, int threads);

// By the smallest or largest distance of two rows, or by the mean of all, weighted by the masses. `condensed`
// has the distances of all rows and is overwritten.
MergeTree linkage_condensed(double* condensed, std::int64_t n_distances, const Vector<double>& masses,
                            Linkage linkage);

// By the smallest distance of two rows: the edges of the shortest spanning tree, without a matrix.
MergeTree linkage_single(const MixedRows& rows, const Metric& metric);

// By the growth of the sum of squares around the means: twice that is the square of the height. Without a
// matrix.
MergeTree linkage_ward(const Matrix<double>& rows, const Vector<double>& masses);

}  // namespace hornbook
