// Candidates of one column, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/search/best_split.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

template <class T>
bool is_empty(const T* stats, const Layout& layout) {
    if (layout.count >= 0) return stats[layout.count] == T{0};
    for (int k = 0; k < layout.stride; ++k)
        if (stats[k] != T{0}) return false;
    return true;
}

template <class T>
void add_to(double* left, const T* stats, const Layout& layout) {
    for (int k = 0; k < layout.stride; ++k) left[k] += static_cast<double>(stats[k]);
}

// The groups that hold rows with a value, and the statistics of the rows without one, if any.
template <class T>
struct Present {
    std::vector<std::int32_t>& places;
    const T* missing = nullptr;
};

template <class T>
Present<T> present_groups(const Groups<T>& groups, std::int32_t bins, const Layout& layout,
                          std::vector<std::int32_t>& places) {
    places.clear();
    const T* missing = nullptr;
    for (std::int64_t i = 0; i < groups.size; ++i) {
        const T* stats = groups.stats + i * layout.stride;
        if (is_empty(stats, layout)) continue;
        if (groups.code(i) == bins)
            missing = stats;
        else
            places.push_back(static_cast<std::int32_t>(i));
    }
    return {places, missing};
}

// Considers the cut before the current group, with the rows that lack a value on either side.
template <class T, class Score>
void consider_cut(Score& score, const double* left, double* with, const T* missing, const Layout& layout,
                  std::int32_t below, std::int32_t above, ColumnPick& pick) {
    if (!missing) {
        pick.consider(score, score(left), below, above, -1);
        return;
    }
    std::copy_n(left, layout.stride, with);
    add_to(with, missing, layout);
    pick.consider(score, score(with), below, above, 0);
    pick.consider(score, score(left), below, above, 1);
}

// All cuts of an ordered column: between neighboring values that occur, and between all values and none.
template <class T, class Score>
void scan_ordered(const Groups<T>& groups, std::int32_t bins, const Layout& layout, bool direction,
                  Score& score, Workspace& work, ColumnPick& pick) {
    const T* missing = nullptr;
    if (groups.size > 0 && groups.code(groups.size - 1) == bins) {
        const T* last = groups.stats + (groups.size - 1) * layout.stride;
        if (direction && !is_empty(last, layout)) missing = last;
    }
    work.left.assign(2 * static_cast<std::size_t>(layout.stride), 0.0);
    double* left = work.left.data();
    double* with = left + layout.stride;
    std::int32_t before = -1;
    for (std::int64_t i = 0; i < groups.size; ++i) {
        const T* stats = groups.stats + i * layout.stride;
        const std::int32_t code = groups.code(i);
        if (code == bins || is_empty(stats, layout)) continue;
        if (before >= 0) consider_cut(score, left, with, missing, layout, before, code, pick);
        add_to(left, stats, layout);
        before = code;
    }
    if (missing && before >= 0) pick.consider(score, score(left), before, bins, 1);
}

// Cuts of levels in the given order; positions in the order take the place of codes.
template <class T, class Score>
void scan_order(const Groups<T>& groups, const std::vector<std::int32_t>& order, const Layout& layout,
                Score& score, std::int64_t most, Workspace& work, ColumnPick& pick) {
    work.left.assign(static_cast<std::size_t>(layout.stride), 0.0);
    const auto size = static_cast<std::int64_t>(order.size());
    for (std::int64_t i = 0; i + 1 < size; ++i) {
        add_to(work.left.data(),
               groups.stats + std::int64_t{order[static_cast<std::size_t>(i)]} * layout.stride, layout);
        if (most > 0 && i + 1 > most && size - i - 1 > most) continue;
        const auto at = static_cast<std::int32_t>(i);
        pick.consider(score, score(work.left.data()), at, at + 1, -1);
    }
}

// Every set of at most `most` places out of n, small sets first; fn gets the chosen places, and which of them
// is the first that differs from the set before.
template <class Fn>
void for_each_subset(std::int32_t n, std::int64_t most, Fn&& fn) {
    for (std::int32_t size = 1; size <= most && size < n; ++size) {
        std::vector<std::int32_t> chosen(static_cast<std::size_t>(size));
        std::iota(chosen.begin(), chosen.end(), 0);
        std::int32_t i = 0;
        while (true) {
            fn(chosen, i);
            i = size - 1;
            while (i >= 0 && chosen[static_cast<std::size_t>(i)] == n - size + i) --i;
            if (i < 0) break;
            ++chosen[static_cast<std::size_t>(i)];
            for (std::int32_t k = i + 1; k < size; ++k)
                chosen[static_cast<std::size_t>(k)] = chosen[static_cast<std::size_t>(k - 1)] + 1;
        }
    }
}

// Number of such sets, as far as it is below the limit.
inline std::int64_t count_subsets(std::int64_t n, std::int64_t most, std::int64_t limit) {
    double sum = 0.0, sets = 1.0;
    for (std::int64_t size = 1; size <= most && size < n; ++size) {
        sets = sets * static_cast<double>(n - size + 1) / static_cast<double>(size);
        sum += sets;
        if (sum > static_cast<double>(limit)) return limit + 1;
    }
    return static_cast<std::int64_t>(sum);
}

}  // namespace hornbook
