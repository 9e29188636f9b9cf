// A fitted tree, and the functions that grow it.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/grow/options.hpp"
#include "core/tree/search/several_targets.hpp"

namespace hornbook {

// Parallel arrays, one entry per node. Node 0 is the root; children follow their parent, side by side.
struct Tree {
    Buffer<std::uint8_t> kind{0};           // SplitKind
    Buffer<std::int32_t> feature{0};        // column; -1 in leaves
    Buffer<double> threshold{0};            // values <= it go to child 0; NaN where there is none
    Buffer<std::int32_t> first_child{0};    // the node itself in leaves
    Buffer<std::int32_t> missing_child{0};  // number of the child for missing values; -1: all, in fractions
    Buffer<std::int32_t> level_offset{0};   // n_nodes + 1: where the levels of each node are
    Buffer<std::int32_t> levels{0};         // sorted within a node
    Buffer<std::int32_t> n_rows{0};
    Buffer<double> weight{0};
    Buffer<double> impurity{0};
    Buffer<double> gain{0};   // of the split by the criterion; 0 in leaves
    Buffer<double> share{0};  // of the parent's weight; of rows with a value, if others go to all children
    Buffer<double> value{0};  // n_nodes x value_size
    int value_size = 1;

    std::int64_t size() const { return kind.size(); }
};

// One of label (classes 0, ..., n_classes - 1) and sum is null. `sum` holds weight times number; under
// absolute_error the number itself. `weight` is null for weights of 1.
struct TreeTarget {
    const std::int32_t* label = nullptr;
    int n_classes = 0;
    const double* sum = nullptr;
    const double* weight = nullptr;
    double square_unit = 0.0;                 // of exact sums: see Spread
    const SeveralTargets* several = nullptr;  // in the place of label and sum
};

struct RowStore;
struct TargetInfo;

// Fills the columns of a store whose rows are chosen: those of the target that its search needs. `count` is
// how often each row was drawn (null: once).
void fill_rows(const TreeTarget& target, const std::uint32_t* count, const TargetInfo& info,
               const TreeOptions& options, RowStore& store);

// Grows one tree on the rows of positive weight; `count` says how often each row was drawn (null: once). The
// same key gives the same tree on any number of threads. `leaf`, if there is one, gets the leaf of each row
// of the table: -1 for rows outside its sample. Each row must end in one leaf.
Tree grow_tree(const CodedTable& table, const TreeTarget& target, const std::uint32_t* count,
               const TreeOptions& options, const TreeKey& key, int threads, std::int32_t* leaf = nullptr);

// How often each of n rows is among `draws` rows drawn with replacement. Row i is drawn in proportion to
// until[i] - until[i - 1]; all are equally likely when `until` is null. Whole weights thus give what repeated
// rows give.
void draw_counts(const TreeKey& key, std::int64_t n, std::int64_t draws, const std::int64_t* until,
                 std::uint32_t* counts);

void check_target(const CodedTable& table, const TreeTarget& target, const TreeOptions& options);

}  // namespace hornbook
