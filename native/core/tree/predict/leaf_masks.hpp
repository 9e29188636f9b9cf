// Small trees for many rows: the leaf of a row from one comparison with every node, without branches
// (QuickScorer of Lucchese, Nardini, Orlando, Perego, Tonellotto and Venturini 2015, for eight rows at once).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/tree/predict/prediction.hpp"

namespace hornbook {

class LeafMasks {
  public:
    // Finds the leaf of row r in tree t by going down the tree: for rows that single precision cannot decide.
    using Slowly = std::function<std::int32_t(std::int64_t r, std::int64_t t)>;

    // None if a tree has more than 64 leaves, several branches at a node, or rows that go to all of them.
    // Trees and rows must have been checked; reachable nodes are checked here.
    static std::optional<LeafMasks> of(const TreeArrays& trees, const TreeRows& rows, std::int64_t values);

    // Adds the values of all leaves that the rows are in, tree after tree.
    void add(const TreeRows& rows, const Matrix<double>& value, int threads, const Slowly& slowly,
             double* out) const;

  private:
    // Rows whose key is above the cut go to the right: they are in none of the leaves on the left, which are
    // the bits of `left`. With a set, rows of the levels that it does not hold go to the right.
    struct Node {
        std::int32_t cut;
        std::int32_t place;  // of the column among keys
        std::int32_t left[2];
        std::int32_t missing;  // all bits if missing values go to the right
        std::int32_t set;      // -1 for none
    };
    struct TreePlan {
        std::size_t first, last;  // nodes
        std::size_t answers;
        bool wide;  // more than 32 leaves
    };
    struct Tile;

    bool plan(const TreeArrays& trees, const TreeRows& rows, std::int64_t values, std::int32_t root);
    template <bool Plain>
    void walk(const TreePlan& tree, const Tile& tile, std::int32_t* masks, std::int32_t* unsure) const;
    void walk_plain(const TreePlan& tree, const Tile& tile, std::int32_t* masks) const;
    void walk_any(const TreePlan& tree, const Tile& tile, std::int32_t* masks, std::int32_t* unsure) const;

    std::vector<Node> nodes_;
    std::vector<TreePlan> trees_;
    std::vector<std::int32_t> answers_;    // row of the values of each leaf
    std::vector<std::vector<bool>> sets_;  // levels that go to the left
};

}  // namespace hornbook
