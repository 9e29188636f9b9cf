// A fitted tree, and how one or many are grown.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tree_codes.hpp"
#include "core/tree_node.hpp"
#include "core/tree_options.hpp"

namespace hornbook {

// Parallel arrays, one entry per node. Node 0 is the root; children follow their parent, side by side.
struct Tree {
    std::vector<std::uint8_t> kind;           // SplitKind
    std::vector<std::int32_t> feature;        // column; -1 in leaves
    std::vector<double> threshold;            // values <= it go to child 0; NaN where there is none
    std::vector<std::int32_t> first_child;    // the node itself in leaves
    std::vector<std::int32_t> missing_child;  // number of the child for missing values; -1: all, in parts
    std::vector<std::int32_t> level_offset;   // n_nodes + 1: where the levels of each node are
    std::vector<std::int32_t> levels;         // sorted within a node
    std::vector<std::int32_t> n_rows;
    std::vector<double> weight;
    std::vector<double> impurity;
    std::vector<double> gain;   // of the split by the criterion; 0 in leaves
    std::vector<double> share;  // part of the parent's weight; of rows that have the value, when in parts
    std::vector<double> value;  // n_nodes x value_size
    int value_size = 1;
};

// One of label (classes 0, ..., n_classes - 1) and sum is null. `sum` holds weight times number; under
// absolute_error the number itself. `weight` is null for weights of 1.
struct TreeTarget {
    const std::int32_t* label = nullptr;
    int n_classes = 0;
    const double* sum = nullptr;
    const double* weight = nullptr;
};

// Grows one tree on the rows of positive weight; `count` says how often each row is there (null: once). The
// same key gives the same tree on any number of threads.
Tree grow_tree(const CodedTable& table, const TreeTarget& target, const std::uint32_t* count,
               const TreeOptions& options, const TreeKey& key, int threads);

// How often each of n rows is among `draws` rows drawn with replacement. Row i is drawn in proportion to
// until[i] - until[i - 1]; all are equally likely when `until` is null. Whole weights thus give what repeated
// rows give.
void draw_counts(const TreeKey& key, std::int64_t n, std::int64_t draws, const std::int64_t* until,
                 std::uint32_t* counts);

// Trees first, ..., first + n_trees - 1 of a forest, a thread for each at a time. Each gets `draws` rows
// drawn with replacement as `draw_counts` does, or, when draws is 0, all rows.
std::vector<Tree> grow_forest(const CodedTable& table, const TreeTarget& target, std::int64_t draws,
                              const std::int64_t* until, const TreeOptions& options, std::uint64_t seed,
                              std::uint64_t first, std::int64_t n_trees, int threads);

void check_target(const CodedTable& table, const TreeTarget& target, const TreeOptions& options);

}  // namespace hornbook
