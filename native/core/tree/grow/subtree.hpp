// A tree while it grows: nodes in the order of their creation, and subtrees grown on other threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/tree/grow/grow_trees.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

struct GrowingNode {
    Split split;  // kind leaf in leaves
    double threshold = 0.0;
    std::int32_t first_child = -1;
    std::int32_t children = 0;
    std::int32_t graft = -1;  // number of the subtree that replaces this node
    std::int32_t n_rows = 0;
    double weight = 0.0;
    double impurity = 0.0;
    double sum = 0.0;  // of numbers times weights
    double share = 1.0;
    std::uint32_t listed = 0;  // levels of a split of few rows, as bits instead of the split's list

    GrowingNode() {}  // not defaulted, so that nodes are not filled with zeros first
};

struct TreePart {
    std::vector<GrowingNode> nodes;
    std::vector<double> values;  // of all nodes, one after the other

    // The value of a node that has just been added; zeros until they are written.
    double* value_of(std::int32_t node, int value_size) {
        const std::size_t size = nodes.size() * static_cast<std::size_t>(value_size);
        if (values.size() < size) values.resize(size);
        return values.data() + node * static_cast<std::ptrdiff_t>(value_size);
    }
    void set_value(std::int32_t node, const std::vector<double>& value) {
        std::copy(value.begin(), value.end(), value_of(node, static_cast<int>(value.size())));
    }
};

// The gain of every split, from the statistics of its children. Searches score splits in different ways,
// equal up to rounding; what a tree reports must not depend on which of them found the split.
void settle_gains(TreePart& trunk, std::vector<TreePart>& grafts, const TreeOptions& options);

// Of the finished tree.
std::size_t count_nodes(const TreePart& trunk, const std::vector<TreePart>& grafts);

// The number that each node of a part without grafts gets in the finished tree.
std::vector<std::int32_t> numbers_of(const TreePart& part);

// The finished tree of a part that grew depth first, on one thread.
Tree copied(const TreePart& part, int value_size);

// The finished tree: numbered from the root downward, left to right, whatever the order of growth was.
Tree flatten(const TreePart& trunk, const std::vector<TreePart>& grafts, int value_size);

}  // namespace hornbook
