// A tree packed for many rows: compact nodes that compare keys.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tree/predict/keys.hpp"

namespace hornbook {

constexpr std::uint32_t levels_in_set = 64;

inline bool in_set(std::uint64_t set, WholeKey key) {
    const auto level = static_cast<std::uint32_t>(key) / 2;
    return (level < levels_in_set) & (set >> (level % levels_in_set) & 1);
}

// Keys above `cut` go to child `child` + 1, others to `child`; where `place` is negative, the levels
// of a set go to `child`. Where a path ends, `child` is the node itself. Nodes are counted from the root.
template <class Key>
struct PackedNode {
    static constexpr std::int32_t second_if_missing = std::numeric_limits<std::int32_t>::min();

    Key cut;  // or the number of the set
    std::int32_t place;
    std::int32_t child;  // with a bit that says where missing keys go

    bool is_end(std::int32_t here) const { return child == here; }
};

template <class Key>
class PackedTree {
  public:
    PackedTree(const TreeArrays& trees, const TreeRows& rows, std::int64_t values)
        : trees_(trees), rows_(rows), values_(values) {}

    // Packs the nodes begin, ..., end - 1 in place of the previous tree, and rejects invalid ones. Paths end
    // in leaves, which have one of `values` values, and in nodes that keys cannot decide.
    void pack(std::int64_t begin, std::int64_t end, bool with_gaps);

    const PackedNode<Key>* nodes() const { return nodes_.data(); }
    const std::vector<std::uint64_t>& sets() const { return sets_; }
    double threshold(std::int32_t node) const { return trees_.threshold.data[begin_ + node]; }
    // -1 if it is not a leaf.
    std::int32_t answer(std::int32_t node) const { return answer_[node]; }

  private:
    void pack_slowly(std::int64_t i, std::int64_t end, bool with_gaps);

    const TreeArrays& trees_;
    const TreeRows& rows_;
    std::int64_t values_, begin_ = 0;
    Buffer<PackedNode<Key>> nodes_{0};
    Buffer<std::int32_t> answer_{0};
    std::vector<std::uint64_t> sets_;
};

}  // namespace hornbook
