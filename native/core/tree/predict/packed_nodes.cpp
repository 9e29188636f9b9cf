#include "core/tree/predict/packed_nodes.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/simd.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/predict/check_nodes.hpp"

namespace hornbook {

namespace {

constexpr std::int32_t at_once = 256;  // nodes

// The levels that a node lists, if they fit into a word.
std::optional<std::uint64_t> level_bits(const TreeArrays& trees, std::int64_t i) {
    std::uint64_t bits = 0;
    for (std::int32_t k = trees.level_offset.data[i]; k < trees.level_offset.data[i + 1]; ++k) {
        const auto level = static_cast<std::uint32_t>(trees.levels.data[k]);
        if (level >= levels_in_set) return std::nullopt;
        bits |= std::uint64_t{1} << level;
    }
    return bits;
}

// Some nodes of a tree, and the bounds they are checked against.
struct Part {
    const std::uint8_t* kind;
    const std::int32_t* feature;
    const double* threshold;
    const std::int32_t* first_child;
    const std::int32_t* missing_child;
    const std::int32_t* place;
    std::int32_t columns, values, size;
    std::int32_t first, begin, end;  // first node of this part, of the tree, and where the tree ends
    bool with_gaps;
};

// Packs leaves and nodes with thresholds; others, and invalid ones, are marked. Branchless, so that it
// vectorizes. Returns whether a node was marked.
template <class Key>
[[gnu::always_inline]] inline bool pack_part(const Part& part, PackedNode<Key>* __restrict nodes,
                                             std::int32_t* __restrict answer,
                                             std::int32_t* __restrict marks) {
    const auto [kind, feature, threshold, first_child, missing_child, place, columns, values, size, first,
                begin, end, with_gaps] = part;
    const std::int32_t bit = with_gaps ? PackedNode<Key>::second_if_missing : 0;
    std::int32_t any = 0;
    for (std::int32_t k = 0; k < size; ++k) {
        const std::int32_t child = first_child[k], split_column = feature[k], to = missing_child[k];
        const bool leaf = kind[k] == static_cast<std::uint8_t>(SplitKind::leaf);
        const bool known = static_cast<std::uint32_t>(split_column) < static_cast<std::uint32_t>(columns);
        const std::int32_t column = place[choose(known, split_column, 0)];
        nodes[k].cut = cut_of<Key>(threshold[k], leaf);
        nodes[k].place = choose(leaf, 0, column);
        nodes[k].child = choose(leaf, first + k, child) - begin;
        nodes[k].child |= choose(leaf | (to != 1), 0, bit);
        answer[k] = choose(leaf, child, -1);
        const bool no_leaf = static_cast<std::uint32_t>(child) >= static_cast<std::uint32_t>(values);
        const bool no_question = (kind[k] != static_cast<std::uint8_t>(SplitKind::threshold)) | !known |
                                 (column < 0) | (child <= first + k) | (child >= end - 1) |
                                 (static_cast<std::uint32_t>(to) > 1u);
        marks[k] = choose(leaf, no_leaf, no_question);
        any |= marks[k];
    }
    return any != 0;
}

HORNBOOK_WIDE bool pack_quickly(const Part& part, PackedNode<WholeKey>* nodes, std::int32_t* answer,
                                std::int32_t* marks) {
    return pack_part(part, nodes, answer, marks);
}

HORNBOOK_WIDE bool pack_quickly(const Part& part, PackedNode<double>* nodes, std::int32_t* answer,
                                std::int32_t* marks) {
    return pack_part(part, nodes, answer, marks);
}

}  // namespace

template <class Key>
void PackedTree<Key>::pack(std::int64_t begin, std::int64_t end, bool with_gaps) {
    begin_ = begin;
    sets_.clear();
    if (nodes_.size() < end - begin) {
        nodes_ = Buffer<PackedNode<Key>>(end - begin);
        answer_ = Buffer<std::int32_t>(end - begin);
    }
    for (std::int64_t i = begin; i < end; i += at_once) {
        const auto size = static_cast<std::int32_t>(std::min<std::int64_t>(at_once, end - i));
        const Part part{trees_.kind.data + i,
                        trees_.feature.data + i,
                        trees_.threshold.data + i,
                        trees_.first_child.data + i,
                        trees_.missing_child.data + i,
                        rows_.place.data,
                        static_cast<std::int32_t>(rows_.place.size),
                        static_cast<std::int32_t>(
                            std::min<std::int64_t>(values_, std::numeric_limits<std::int32_t>::max())),
                        size,
                        static_cast<std::int32_t>(i),
                        static_cast<std::int32_t>(begin),
                        static_cast<std::int32_t>(end),
                        with_gaps};
        std::int32_t marks[at_once];
        if (rows_.place.size == 0)
            std::fill_n(marks, size, 1);
        else if (!pack_quickly(part, nodes_.data() + (i - begin), answer_.data() + (i - begin), marks))
            continue;
        for (std::int32_t k = 0; k < size; ++k)
            if (marks[k]) pack_slowly(i + k, end, with_gaps);
    }
}

template <class Key>
void PackedTree<Key>::pack_slowly(std::int64_t i, std::int64_t end, bool with_gaps) {
    check_node(trees_, rows_, i, end, values_);
    const auto kind = static_cast<SplitKind>(trees_.kind.data[i]);
    const std::int32_t child = trees_.first_child.data[i], to = trees_.missing_child.data[i];
    answer_[i - begin_] = kind == SplitKind::leaf ? child : -1;
    PackedNode<Key>& node = nodes_[i - begin_];
    node = {cut_of<Key>(0.0, true), 0, static_cast<std::int32_t>(i - begin_)};
    if (kind == SplitKind::leaf || kind == SplitKind::multiway || (to < 0 && with_gaps)) return;
    const std::int32_t place = rows_.place.data[trees_.feature.data[i]];
    const auto column = static_cast<std::int32_t>(place >= 0 ? place : rows_.numbers.cols + (-1 - place));
    if (kind == SplitKind::threshold) {
        const double last = trees_.threshold.data[i];
        node.cut = place >= 0 ? cut_of<Key>(last, false) : cut_of_levels(last);
        node.place = column;
    } else if (const std::optional<std::uint64_t> bits = level_bits(trees_, i)) {
        node.cut = static_cast<std::int32_t>(sets_.size());
        node.place = -1 - column;
        sets_.push_back(*bits);
    } else {
        return;
    }
    node.child = static_cast<std::int32_t>(child - begin_);
    if (with_gaps && to == 1) node.child |= PackedNode<Key>::second_if_missing;
}

template class PackedTree<WholeKey>;
template class PackedTree<double>;

}  // namespace hornbook
