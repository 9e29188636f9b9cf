// A k-d tree (Bentley 1975; Friedman, Bentley and Finkel 1977): rows split along the widest column again and
// again, every part with its bounding box.
//
// The rows, in the tree's order, are cut into tiles; eight tiles make a node of the lowest level, eight of
// those a node of the next, up to the root. The shape follows from the number of rows, so that only the order
// and the boxes are stored.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/neighbors/nearest.hpp"

namespace hornbook {

constexpr std::int64_t box_numbers = 16;  // of a node, for each column: eight lowest, then eight highest

struct Tree {
    Buffer<std::int64_t> order;  // of the rows
    Buffer<double> boxes;        // (nodes, box_numbers * columns)
};

struct TreeView {
    Vector<std::int64_t> order;
    Matrix<double> boxes;
};

Tree kd_build(const Matrix<double>& rows, int threads);

// The same results as brute force, to the last bit. Where most of the tree would have to be searched, the
// nearest come from products.
Nearest kd_nearest(const Matrix<double>& rows, const TreeView& tree, const Matrix<double>& queries,
                   double power, std::int64_t k, int threads);
Within kd_within(const Matrix<double>& rows, const TreeView& tree, const Matrix<double>& queries,
                 double power, double radius, int threads);

}  // namespace hornbook
