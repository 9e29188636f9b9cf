// Traversal of a tree by many rows at once.
#pragma once

#include <cstdint>

#include "core/tree/predict/packed_nodes.hpp"

namespace hornbook {

// Sends the rows down one tree after the other.
template <class KeysOfRows>
class TreeWalk {
  public:
    // `values` is the number of rows of leaf values.
    TreeWalk(const TreeArrays& trees, const TreeRows& rows, const KeysOfRows& keys, std::int64_t values)
        : tree_(trees, rows, values), keys_(keys), ends_(keys.size()) {}

    // Traverses the tree of nodes begin, ..., end - 1, as far as keys decide.
    void follow(std::int64_t begin, std::int64_t end);
    // Not beyond this node.
    void stay(std::int32_t node);

    std::int64_t size() const { return keys_.size(); }
    // The node where row r ended, and its row of values; -1 if it is not a leaf.
    std::int32_t end(std::int64_t r) const { return begin_ + ends_[r]; }
    std::int32_t answer(std::int64_t r) const { return followed_ ? tree_.answer(ends_[r]) : -1; }

  private:
    using Key = typename KeysOfRows::Key;

    template <bool Gaps, bool Sets>
    std::int32_t next(std::int32_t at, std::int64_t r, const Key* row) const;
    template <bool Gaps, bool Sets>
    void walk();

    PackedTree<Key> tree_;
    const KeysOfRows& keys_;
    Buffer<std::int32_t> ends_;
    std::int32_t begin_ = 0;
    bool followed_ = false;
};

}  // namespace hornbook
