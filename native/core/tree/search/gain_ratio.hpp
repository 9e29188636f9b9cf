// Gain ratios compared as in C4.5 (Quinlan, C4.5: Programs for Machine Learning, 1993; the cost of thresholds
// is that of release 8: Quinlan, Improved Use of Continuous Attributes in C4.5, JAIR 4, 1996).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/search/column_search.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

// Bits that identify one of the thresholds tried, per row of the node (the MDL penalty of release 8).
inline double threshold_cost(std::int64_t thresholds, double rows) {
    return thresholds > 1 ? std::log2(static_cast<double>(thresholds)) / rows : 0.0;
}

// Entropy of a division of weights.
inline double division_entropy(std::span<const double> weights) {
    double total = 0.0;
    for (const double weight : weights) total += weight;
    return entropy(weights.data(), static_cast<int>(weights.size()), total);
}

// Entropy of a split itself, H(A). Rows that go to all children are a branch of their own in it, the last.
template <class T>
double split_entropy(const Split& split, const Groups<T>& groups, std::int32_t bins, const Layout& layout) {
    const auto& levels = split.levels;
    const std::size_t children = split.kind == SplitKind::multiway ? levels.size() : 2;
    std::vector<double> weights(children + 1, 0.0);
    for (std::int64_t i = 0; i < groups.size; ++i) {
        const std::int32_t code = groups.code(i);
        std::size_t branch = code <= split.below ? 0 : 1;
        if (code == bins)
            branch = split.missing_child < 0 ? children : static_cast<std::size_t>(split.missing_child);
        else if (split.kind == SplitKind::subset)
            branch = std::binary_search(levels.begin(), levels.end(), code) ? 0 : 1;
        else if (split.kind == SplitKind::multiway)
            branch = static_cast<std::size_t>(std::lower_bound(levels.begin(), levels.end(), code) -
                                              levels.begin());
        weights[std::min(branch, children)] += weight_of(groups.stats + i * layout.stride, layout);
    }
    return division_entropy(weights);
}

// Subtracts the cost of the threshold from the gains, and drops splits whose gain does not exceed it.
inline void charge(std::vector<Split>& splits, double cost, double tolerance) {
    for (Split& split : splits) split.gain -= cost;
    std::erase_if(splits, [&](const Split& split) { return !(split.gain > tolerance); });
}

// Keeps the splits of at least average gain and gives them their gain ratio. The average is over the best
// splits of the columns; columns of very many levels stay out of it, unless there are no others.
template <class IsManyValued>
void compare_by_ratio(std::span<ColumnCandidates> columns, double tolerance, IsManyValued&& is_many_valued) {
    double sums[2] = {0.0, 0.0};
    std::int64_t counts[2] = {0, 0};
    for (const ColumnCandidates& candidates : columns) {
        if (candidates.splits.empty()) continue;
        double best = no_gain;
        for (const Split& split : candidates.splits) best = std::max(best, split.gain);
        const int many = is_many_valued(candidates.splits.front().column) ? 1 : 0;
        sums[many] += best;
        ++counts[many];
    }
    const int taken = counts[0] > 0 ? 0 : 1;
    if (counts[taken] == 0) return;
    const double average = sums[taken] / static_cast<double>(counts[taken]);
    for (ColumnCandidates& candidates : columns) {
        std::erase_if(candidates.splits, [&](const Split& split) {
            return !(split.gain >= average - tolerance && split.divisor > 0.0);
        });
        for (Split& split : candidates.splits) split.gain /= split.divisor;
    }
}

}  // namespace hornbook
