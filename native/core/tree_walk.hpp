// Many rows sent down one tree at once.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tree_predict.hpp"

namespace hornbook {

// Rows first, ..., last - 1, counted from 0 here. Their keys are whole numbers in the order of what they
// stand for, which takes half the memory: numbers in single precision, so that those that differ here are in
// their true order; codes doubled, to leave odd numbers for the cuts between them.
class KeyRows {
  public:
    using Key = std::int32_t;

    KeyRows(const TreeRows& rows, std::int64_t first, std::int64_t last);

    std::int64_t size() const { return size_; }
    const Key* row(std::int64_t r) const { return keys_.data() + r * width_; }
    double exact(std::int64_t r, std::int32_t place) const { return rows_.numbers.row(first_ + r)[place]; }
    bool has_gaps() const { return has_gaps_; }

  private:
    const TreeRows& rows_;
    std::int64_t first_, size_, width_;
    Buffer<Key> keys_;
    bool has_gaps_;
};

// The same with the numbers themselves as keys, for trees so few that it is not worth it to make others.
// There must be numbers, and no codes.
class ExactRows {
  public:
    using Key = double;

    ExactRows(const TreeRows& rows, std::int64_t first, std::int64_t last)
        : numbers_{rows.numbers.row(first), last - first, rows.numbers.cols} {}

    std::int64_t size() const { return numbers_.rows; }
    const Key* row(std::int64_t r) const { return numbers_.row(r); }
    double exact(std::int64_t r, std::int32_t place) const { return row(r)[place]; }
    bool has_gaps() const { return true; }  // for all that is known

  private:
    Matrix<double> numbers_;
};

// Sends the rows down one tree after the other.
template <class KeysOfRows>
class TreeWalk {
  public:
    // Leaves have one of `values` answers.
    TreeWalk(const TreeArrays& trees, const TreeRows& rows, const KeysOfRows& keys, std::int64_t values)
        : trees_(trees), rows_(rows), keys_(keys), values_(values), ends_(keys.size()) {}

    // Down the tree of nodes begin, ..., end - 1, which are checked one by one, to a leaf, or to a node that
    // asks for something that cannot be told by a key.
    void follow(std::int64_t begin, std::int64_t end);
    // Not beyond this node.
    void stay(std::int64_t node);

    std::int64_t size() const { return keys_.size(); }
    // Where the way of row r ended, and the answer there; -1 if it is not a leaf.
    std::int32_t end(std::int64_t r) const { return static_cast<std::int32_t>(begin_) + ends_[r]; }
    std::int32_t answer(std::int64_t r) const { return answer_[ends_[r]]; }

  private:
    using Key = typename KeysOfRows::Key;

    // Keys above `cut` go to the child behind `child`, others to `child`; where `place` is negative, the
    // levels of a set go to `child`. Where the way ends, `child` is the node itself.
    struct Node {
        Key cut;  // or the number of the set
        std::int32_t place;
        std::int32_t child;  // negative if missing keys go to the second child
    };

    bool pack_quick(std::int64_t i);
    void pack_slow(std::int64_t i);
    template <bool Gaps, bool Sets>
    std::int32_t next(std::int32_t at, std::int64_t r, const Key* row) const;
    template <bool Gaps, bool Sets>
    void walk();

    const TreeArrays& trees_;
    const TreeRows& rows_;
    const KeysOfRows& keys_;
    std::int64_t values_, begin_ = 0, end_ = 0;
    Buffer<Node> nodes_{1};
    Buffer<std::int32_t> answer_{1};
    std::vector<std::uint64_t> sets_;
    Buffer<std::int32_t> ends_;
};

}  // namespace hornbook
