// Leaf values that a forest keeps of a grown tree, and column importances.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/tree/grow/grow_trees.hpp"

namespace hornbook {

struct LeafAnswers {
    Buffer<std::int32_t> first_child;  // in leaves, the row in `value`
    Buffer<double> value;              // leaves x columns
    std::int64_t leaves;
};

// Values of the leaves alone, in the order of the nodes; with `shares`, scaled to sum to 1.
LeafAnswers leaf_answers(const Vector<std::uint8_t>& kind, const Vector<std::int32_t>& first_child,
                         const Matrix<double>& value, bool shares);

// Nodes as parallel arrays; level_offset gives the number of children of multiway nodes.
struct SplitNodes {
    Vector<std::uint8_t> kind;
    Vector<std::int32_t> feature;
    Vector<std::int32_t> first_child;
    Vector<std::int32_t> level_offset;
    Vector<double> weight;
    Vector<double> impurity;
};

// Share of each column in the decrease of impurity, weighted by rows; all 0 for a single leaf.
Buffer<double> impurity_shares(const SplitNodes& nodes, std::int64_t columns);

// What a forest keeps of a grown tree besides its nodes: the values of its leaves, their weights, and the
// importance of each column.
struct KeptLeaves {
    LeafAnswers answers;
    Buffer<double> weight;
    Buffer<double> importances;
};
KeptLeaves kept_leaves(const Tree& tree, std::int64_t columns, bool shares);

}  // namespace hornbook
