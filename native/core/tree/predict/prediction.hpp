// Predictions of fitted trees.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// Trees as parallel arrays, one after the other; children are numbered within the whole. In a leaf,
// first_child is its row in `value`. share and levels may be empty when no node needs them.
struct TreeArrays {
    Vector<std::int32_t> roots;
    Vector<std::uint8_t> kind;
    Vector<std::int32_t> feature;
    Vector<double> threshold;
    Vector<std::int32_t> first_child;
    Vector<std::int32_t> missing_child;
    Vector<std::int32_t> level_offset;
    Vector<std::int32_t> levels;
    Vector<double> share;
};

// Rows as numbers and codes; column j of the trees is column place[j] of the numbers or -1 - place[j] of the
// codes.
struct TreeRows {
    Matrix<double> numbers;
    Matrix<std::int32_t> codes;
    Vector<std::int32_t> place;
};

// The node (a leaf, unless a level has no branch) that each row reaches in each tree: rows x trees. A row
// that goes to all children is followed to the heaviest.
Buffer<std::int32_t> tree_apply(const TreeArrays& trees, const TreeRows& rows, int threads);

// Sum over the trees of their predictions: rows x (turns * value.cols), where trees add to each value.cols of
// the columns in turn, so that trees t, t + turns, t + 2 * turns, ... are summed. Rows that lack a value
// where missing_child is -1 get the weighted values of all children. `value` has a row for each node, or,
// when no node is multiway, for each leaf.
Buffer<double> tree_predict(const TreeArrays& trees, const Matrix<double>& value, const TreeRows& rows,
                            std::int64_t turns, int threads);

}  // namespace hornbook
