// A tree of one split in one pass over sorted rows: what boosting grows again and again on the same table.
#pragma once

#include <cstdint>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/grow_trees.hpp"
#include "core/tree/grow/options.hpp"
#include "core/tree/stump/sorted_rows.hpp"

namespace hornbook {

// The tree that grow_tree grows with max_depth = 1 and nothing but the criterion set: Gini, misclassification
// of two classes, or squared error. Of cuts whose gains differ by rounding only the first
// is taken. The same on any number of threads. `leaf` gets the leaf of each row; -1 for rows of weight 0.
Tree grow_stump(const CodedTable& table, const SortedRows& rows, const TreeTarget& target,
                Criterion criterion, int threads, std::int32_t* leaf);

}  // namespace hornbook
