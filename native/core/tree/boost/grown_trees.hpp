// The trees of boosting so far, one after the other in one set of arrays.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "core/tree/grow/grow_trees.hpp"

namespace hornbook {

// The nodes of some trees as prediction reads them. first_child counts nodes from the first of these trees;
// in leaves it is the entry of the leaf in `step` and `cover`.
struct TreeNodes {
    std::vector<std::int32_t> roots;
    std::vector<std::uint8_t> kind;
    std::vector<std::int32_t> feature;
    std::vector<double> threshold;
    std::vector<std::int32_t> first_child, missing_child;
    std::vector<std::int32_t> level_offset, levels;
    std::vector<double> step;   // what each leaf adds to a score
    std::vector<double> cover;  // rows of each leaf
    std::vector<double> gain;   // decrease of the loss by each node
};

// One tree, as arrays with an entry for each node, and level_offset with one more.
struct NodeArrays {
    const std::uint8_t* kind;
    const std::int32_t* feature;
    const double* threshold;
    const std::int32_t *first_child, *missing_child, *level_offset, *levels, *n_rows;
    const double *weight, *gain, *step;
    std::int64_t size;
};

class GrownTrees {
  public:
    std::int64_t size() const;

    // Rejects a tree whose arrays do not fit together, or that there is no room for.
    void add(const NodeArrays& tree);
    // A tree whose values are multiplied by a rate.
    void add(const Tree& tree, double rate);

    // Trees first, ..., last - 1, level_offset empty if none of them has levels.
    TreeNodes part(std::int64_t first, std::int64_t last) const;
    // Total gain of each column.
    std::vector<double> gains(std::int64_t columns) const;

  private:
    mutable std::mutex mutex_;
    TreeNodes all_;
    std::vector<std::int32_t> first_leaf_;  // of each tree
};

}  // namespace hornbook
