// Checks of trees that come from outside, before they are traversed.
#pragma once

#include <cstdint>

#include "core/tree/predict/prediction.hpp"

namespace hornbook {

std::int32_t children_of(const TreeArrays& t, std::int64_t node);
// Where the nodes of a tree end: trees follow one another.
std::int64_t end_of_tree(const TreeArrays& t, std::int64_t tree);

// Each rejects invalid arrays. `n` is the number of nodes, `values` that of leaf values.
void check_sizes(const TreeArrays& t, std::int64_t n);
void check_rows(const TreeRows& rows);
void check_node(const TreeArrays& t, const TreeRows& rows, std::int64_t i, std::int64_t n,
                std::int64_t values);
// All nodes of a tree: the usual ones, which split on a number or are leaves, at once.
void check_tree(const TreeArrays& t, const TreeRows& rows, std::int64_t begin, std::int64_t end,
                std::int64_t values);

}  // namespace hornbook
