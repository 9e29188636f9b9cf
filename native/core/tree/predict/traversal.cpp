#include "core/tree/predict/traversal.hpp"

#include <algorithm>
#include <type_traits>

#include "core/stop.hpp"

namespace hornbook {

template <class KeysOfRows>
void TreeWalk<KeysOfRows>::follow(std::int64_t begin, std::int64_t end) {
    begin_ = static_cast<std::int32_t>(begin);
    followed_ = true;
    tree_.pack(begin, end, keys_.has_gaps());
    const bool sets = !tree_.sets().empty();
    if (keys_.has_gaps())
        sets ? walk<true, true>() : walk<true, false>();
    else
        sets ? walk<false, true>() : walk<false, false>();
}

template <class KeysOfRows>
void TreeWalk<KeysOfRows>::stay(std::int32_t node) {
    begin_ = node;
    followed_ = false;
    std::fill_n(ends_.data(), size(), 0);
}

template <class KeysOfRows>
template <bool Gaps, bool Sets>
inline std::int32_t TreeWalk<KeysOfRows>::next(std::int32_t at, std::int64_t r, const Key* row) const {
    const PackedNode<Key>& node = tree_.nodes()[at];
    const std::int32_t place = Sets ? node.place ^ (node.place >> 31) : node.place;
    const Key key = row[place];
    std::int32_t side = key > node.cut;
    if (Sets && node.place < 0) {
        const std::uint64_t set = tree_.sets().data()[static_cast<std::size_t>(node.cut)];
        side = !in_set(set, static_cast<WholeKey>(key)) & !(Gaps && is_missing(key));
    } else if (std::is_same_v<Key, WholeKey> && key == node.cut) [[unlikely]] {
        side = keys_.exact(r, place) > tree_.threshold(at);  // too close for single precision
    }
    if constexpr (!Gaps) return node.child + side;
    return (node.child & ~node.second_if_missing) + (side | (is_missing(key) & (node.child < 0)));
}

// All paths end: in a packed tree children come after their node.
//
// The length of a path is unpredictable, so there is no branch at its end: a group of rows advances in turns,
// and every few steps finished rows are replaced by the next ones. While one waits for memory, others go on.
template <class KeysOfRows>
template <bool Gaps, bool Sets>
void TreeWalk<KeysOfRows>::walk() {
    constexpr int walkers = 10, steps = 6;
    const PackedNode<Key>* nodes = tree_.nodes();
    std::int32_t at[walkers], *ends = ends_.data();
    std::int64_t row[walkers], fresh = 0;
    const Key* key[walkers];
    Pace pace;
    const auto finish = [&](std::int64_t r, std::int32_t here) {
        std::int64_t ways = 1;
        for (; !nodes[here].is_end(here); ++ways) here = next<Gaps, Sets>(here, r, keys_.row(r));
        pace.spend(ways);
        ends[r] = here;
    };
    if (size() >= 2 * walkers) {
        for (int i = 0; i < walkers; ++i) {
            at[i] = 0;
            row[i] = fresh;
            key[i] = keys_.row(fresh++);
        }
        while (size() - fresh >= walkers) {
            pace.spend(steps * walkers);
            for (int s = 0; s < steps; ++s)
#pragma GCC unroll walkers
                for (int i = 0; i < walkers; ++i) at[i] = next<Gaps, Sets>(at[i], row[i], key[i]);
            for (int i = 0; i < walkers; ++i) {
                const std::int32_t arrived = -nodes[at[i]].is_end(at[i]);
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
