// Contributions of one tree to eight rows at a time.
//
// If each column is known with probability t, a row reaches the end of a path with probability P(t), the
// product over the columns of f(t) = (1 - t) z + t o: z is the share of the training weight that takes the
// column's edges on this path, o says whether the row does. The Shapley value of a column is the integral
// over t from 0 to 1 of the derivative of the expected prediction, (o - z) / f(t) * P(t) * value summed over
// the paths (Owen 1972); that of a pair of columns is the integral of the second derivative. Both are
// polynomials in t, which Gauss-Legendre quadrature integrates exactly. Sums over the paths below an edge
// serve all columns above it (Yu et al. 2022, Linear TreeShap), so that a tree costs its edges times half the
// depth.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/base/simd.hpp"
#include "core/tree/contributions/path_edges.hpp"
#include "core/tree/contributions/quadrature.hpp"

namespace hornbook {

constexpr int most_points = 8;  // of one walk; a rule with more takes several

// Smallest number of points, at least n, that a walk is compiled for: of pairs and of parts, fewer are.
constexpr int fitting_points(int n, bool plain) {
    if (plain && (n == 1 || n == 3)) return n;
    return n <= 2 ? 2 : n <= 4 ? 4 : plain && n <= 6 ? 6 : most_points;
}

// What a walk reads.
struct WalkTree {
    const PathEdges& tree;
    const Matrix<double>& value;
    const double* point;   // of the quadrature
    const double* weight;  // times the weight of the tree
    int points;
    const double* factors;  // of the edges, from edge_factors; null where rows go everywhere
};

// Sums for eight rows: `single` has lanes for each column and output, `pairs` for each pair of columns and
// output, or is null. The tree adds to outputs first, first + 1, ...
struct WalkSums {
    Lanes* single;
    Lanes* pairs;
    std::int64_t columns, outputs, first;
};

// Memory of the current path.
class PathMemory {
  public:
    void reserve(std::int32_t depth, std::int64_t outputs, int points);

    Lanes* held() { return wide(held_); }      // o, or a mask, at each depth
    Lanes* passed() { return wide(passed_); }  // P, at each depth and point
    Lanes* below() { return wide(below_); }    // sums over paths, at each depth, output and point
    Lanes* slopes() { return wide(slopes_); }  // (o - z) / f, at each depth and point
    std::int32_t* edge() { return edge_.data(); }
    std::int32_t* slot() { return slot_.data(); }      // place of each depth among the columns of the path
    std::int32_t* latest() { return latest_.data(); }  // depth of the last edge of each of those columns

  private:
    static Lanes* wide(Buffer<double>& memory) { return reinterpret_cast<Lanes*>(memory.data()); }

    Buffer<double> held_{0}, passed_{0}, below_{0}, slopes_{0};
    Buffer<std::int32_t> edge_{0}, slot_{0}, latest_{0};
};

// For each edge, how P and (o - z) / f change on the way down, at each point, where the row has taken all
// edges of the column so far, and where it takes this one no longer.
void edge_factors(const PathEdges& tree, const double* point, int points, Buffer<double>& factors);

// Adds the contributions of a tree to eight rows. `cells` has lanes for each column, NaN for missing values.
void walk_paths(const WalkTree& tree, const Lanes* cells, PathMemory& memory, const WalkSums& sums);

}  // namespace hornbook
