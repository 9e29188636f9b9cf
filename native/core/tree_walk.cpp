#include "core/tree_walk.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <type_traits>

#include "core/tree_check.hpp"
#include "core/tree_node.hpp"

namespace hornbook {

namespace {

constexpr std::int32_t missing = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t second_if_missing = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t levels_in_word = 64;
constexpr std::int32_t most_levels = 1 << 30;

bool is_missing(std::int32_t key) { return key == missing; }
bool is_missing(double key) { return key != key; }

// One or the other without a branch.
std::int32_t choose(bool which, std::int32_t one, std::int32_t other) {
    const std::int32_t all = -static_cast<std::int32_t>(which);
    return (one & all) | (other & ~all);
}

// The bits of a float, turned so that they are in its order; -0 is 0.
std::int32_t key_of(double number, std::int32_t if_missing) {
    const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(number) + 0.0f);
    return choose(is_missing(number), if_missing, bits ^ ((bits >> 31) & highest));
}

std::int32_t key_of_level(std::int32_t level) {
    return level < 0 ? missing : 2 * std::min(level, most_levels - 1);
}

// No key is above the cut of a leaf, nor above one that is not a number.
template <class Key>
Key cut_of(double threshold, bool leaf) {
    if constexpr (std::is_same_v<Key, double>)
        return leaf ? std::numeric_limits<double>::infinity() : threshold;
    else
        return choose(leaf, highest, key_of(threshold, highest));
}

std::int32_t cut_of_levels(double last) {
    if (!(last >= 0.0)) return -1;
    return 2 * static_cast<std::int32_t>(std::min(last, most_levels - 1.0)) + 1;
}

// The levels that a node lists, if they fit into a word.
std::optional<std::uint64_t> level_bits(const TreeArrays& trees, std::int64_t i) {
    std::uint64_t bits = 0;
    for (std::int32_t k = trees.level_offset.data[i]; k < trees.level_offset.data[i + 1]; ++k) {
        const auto level = static_cast<std::uint32_t>(trees.levels.data[k]);
        if (level >= levels_in_word) return std::nullopt;
        bits |= std::uint64_t{1} << level;
    }
    return bits;
}

bool in_set(std::uint64_t bits, std::int32_t key) {
    const auto level = static_cast<std::uint32_t>(key) / 2;
    return (level < levels_in_word) & (bits >> (level % levels_in_word) & 1);
}

}  // namespace

KeyRows::KeyRows(const TreeRows& rows, std::int64_t first, std::int64_t last)
    : rows_(rows),
      first_(first),
      size_(last - first),
      width_(std::max<std::int64_t>(rows.numbers.cols + rows.codes.cols, 1)),
      keys_(size_, width_) {
    const std::int64_t numbers = rows.numbers.cols, codes = rows.codes.cols;
    Key lowest = 0;
    for (std::int64_t r = 0; r < size_; ++r) {
        Key* out = keys_.data() + r * width_;
        const double* number = rows.numbers.row(first + r);
        const std::int32_t* code = rows.codes.row(first + r);
        out[0] = 0;
        for (std::int64_t j = 0; j < numbers; ++j) out[j] = key_of(number[j], missing);
        for (std::int64_t j = 0; j < codes; ++j) out[numbers + j] = key_of_level(code[j]);
        for (std::int64_t j = 0; j < width_; ++j) lowest = std::min(lowest, out[j]);
    }
    has_gaps_ = is_missing(lowest);
}

template <class KeysOfRows>
void TreeWalk<KeysOfRows>::follow(std::int64_t begin, std::int64_t end) {
    begin_ = begin;
    end_ = end;
    if (nodes_.size() < end - begin) {
        nodes_ = Buffer<Node>(end - begin);
        answer_ = Buffer<std::int32_t>(end - begin);
    }
    sets_.clear();
    for (std::int64_t i = begin; i < end; ++i)
        if (rows_.place.size == 0 || !pack_quick(i)) pack_slow(i);
    if (keys_.has_gaps())
        sets_.empty() ? walk<true, false>() : walk<true, true>();
    else
        sets_.empty() ? walk<false, false>() : walk<false, true>();
}

template <class KeysOfRows>
void TreeWalk<KeysOfRows>::stay(std::int64_t node) {
    begin_ = node;
    answer_[0] = -1;
    std::fill_n(ends_.data(), size(), 0);
}

// Packs a leaf or a node that asks for a number, if nothing is wrong with it. These are met most, in no order
// that could be guessed, so there is no branch.
template <class KeysOfRows>
inline bool TreeWalk<KeysOfRows>::pack_quick(std::int64_t i) {
    const auto kind = static_cast<SplitKind>(trees_.kind.data[i]);
    const std::int32_t asked = trees_.feature.data[i], to = trees_.missing_child.data[i];
    const std::int32_t child = trees_.first_child.data[i];
    const auto here = static_cast<std::int32_t>(i - begin_), begin = static_cast<std::int32_t>(begin_);
    const bool leaf = kind == SplitKind::leaf, known = (asked >= 0) & (asked < rows_.place.size);
    const std::int32_t place = rows_.place.data[choose(known, asked, 0)];
    const std::int32_t flag = choose(keys_.has_gaps() & (to == 1), second_if_missing, 0);
    Node& node = nodes_[here];
    node.cut = cut_of<Key>(trees_.threshold.data[i], leaf);
    node.place = choose(leaf, 0, place);
    node.child = choose(leaf, here, (child - begin) | flag);
    answer_[here] = choose(leaf, child, -1);
    const int asks = (kind == SplitKind::threshold) & known & (place >= 0) & (child > i) &
                     (child < end_ - 1) & (to >= 0) & (to < 2);
    return choose(leaf, (child >= 0) & (child < values_), asks);
}

template <class KeysOfRows>
void TreeWalk<KeysOfRows>::pack_slow(std::int64_t i) {
    check_node(trees_, rows_, i, end_, values_);
    const auto kind = static_cast<SplitKind>(trees_.kind.data[i]);
    const std::int32_t child = trees_.first_child.data[i], to = trees_.missing_child.data[i];
    answer_[i - begin_] = kind == SplitKind::leaf ? child : -1;
    Node& node = nodes_[i - begin_];
    node = {cut_of<Key>(0.0, true), 0, static_cast<std::int32_t>(i - begin_)};
    if (kind == SplitKind::leaf || kind == SplitKind::multiway || (to < 0 && keys_.has_gaps())) return;
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
    node.child =
        static_cast<std::int32_t>(child - begin_) | (keys_.has_gaps() && to == 1 ? second_if_missing : 0);
}

template <class KeysOfRows>
template <bool Gaps, bool Sets>
inline std::int32_t TreeWalk<KeysOfRows>::next(std::int32_t at, std::int64_t r, const Key* row) const {
    const Node& node = nodes_.data()[at];
    const std::int32_t place = Sets ? node.place ^ (node.place >> 31) : node.place;
    const Key key = row[place];
    std::int32_t side = key > node.cut;
    if (Sets && node.place < 0) {
        const std::uint64_t bits = sets_.data()[static_cast<std::size_t>(node.cut)];
        side = !in_set(bits, static_cast<std::int32_t>(key)) & !(Gaps && is_missing(key));
    } else if (std::is_same_v<Key, std::int32_t> && key == node.cut) [[unlikely]] {
        side = keys_.exact(r, place) > trees_.threshold.data[begin_ + at];  // too close for single precision
    }
    if constexpr (!Gaps) return node.child + side;
    return (node.child & ~second_if_missing) + (side | (is_missing(key) & (node.child < 0)));
}

// There is no branch at the end of the way, which cannot be foreseen: some rows go down in turns, and every
// few steps those that have arrived make room for the next ones. While one waits for memory, others go on.
template <class KeysOfRows>
template <bool Gaps, bool Sets>
void TreeWalk<KeysOfRows>::walk() {
    constexpr int walkers = 10, steps = 6;
    const Node* nodes = nodes_.data();
    std::int32_t at[walkers], *ends = ends_.data();
    std::int64_t row[walkers], fresh = 0;
    const Key* key[walkers];
    const auto finish = [&](std::int64_t r, std::int32_t here) {
        while (nodes[here].child != here) here = next<Gaps, Sets>(here, r, keys_.row(r));
        ends[r] = here;
    };
    if (size() >= 2 * walkers) {
        for (int i = 0; i < walkers; ++i) {
            at[i] = 0;
            row[i] = fresh;
            key[i] = keys_.row(fresh++);
        }
        while (size() - fresh >= walkers) {
            for (int s = 0; s < steps; ++s)
#pragma GCC unroll walkers
                for (int i = 0; i < walkers; ++i) at[i] = next<Gaps, Sets>(at[i], row[i], key[i]);
            for (int i = 0; i < walkers; ++i) {
                const std::int32_t arrived = -(nodes[at[i]].child == at[i]);
                ends[row[i]] = at[i];
                at[i] &= ~arrived;
                row[i] = (fresh & std::int64_t{arrived}) | (row[i] & ~std::int64_t{arrived});
                key[i] = keys_.row(row[i]);
                fresh -= arrived;
            }
        }
        for (int i = 0; i < walkers; ++i) finish(row[i], at[i]);
    }
    for (; fresh < size(); ++fresh) finish(fresh, 0);
}

template class TreeWalk<KeyRows>;
template class TreeWalk<ExactRows>;

}  // namespace hornbook
