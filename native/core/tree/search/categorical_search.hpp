// Splits of nominal columns: into two sets of levels, or into one branch for each level.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/stop.hpp"
#include "core/tree/search/scan_candidates.hpp"
#include "core/tree/search/single_cut.hpp"
#include "core/tree/simd/level_ranks.hpp"

namespace hornbook {

constexpr std::int64_t most_tries = 4096;         // subsets tried one by one, times classes
constexpr std::int64_t most_missing_tries = 256;  // branches that missing values are tried in

// Sort key of each level: its share of the second class, or its mean.
template <class T>
void rank_by_mean(const Groups<T>& groups, const std::vector<std::int32_t>& places, const Layout& layout,
                  double l2, std::vector<double>& rank) {
    for (const std::int32_t i : places) {
        const T* stats = groups.stats + std::int64_t{i} * layout.stride;
        rank[static_cast<std::size_t>(i)] =
            layout.classes == 0 ? static_cast<double>(stats[0]) / (static_cast<double>(stats[1]) + l2)
                                : static_cast<double>(stats[1]) / weight_of(stats, layout);
    }
}

// Class weights of some levels.
template <class T>
LevelWeights weights_of(const Groups<T>& groups, const std::vector<std::int32_t>& places,
                        const Layout& layout, Workspace& work) {
    const auto levels = static_cast<std::int64_t>(places.size());
    double* to = resized(work.flat, levels * layout.classes);
    for (std::int64_t r = 0; r < levels; ++r) {
        const T* stats = groups.stats + std::int64_t{places[static_cast<std::size_t>(r)]} * layout.stride;
        for (int k = 0; k < layout.classes; ++k) to[r * layout.classes + k] = static_cast<double>(stats[k]);
    }
    return {work.flat.data(), levels, layout.classes};
}

// Sort key of each level: its place along the first principal component of the class frequencies.
template <class T>
void rank_by_shares(const Groups<T>& groups, const std::vector<std::int32_t>& places, const Layout& layout,
                    Workspace& work) {
    const LevelWeights table = weights_of(groups, places, layout, work);
    double* rank = resized(work.known_ranks, table.levels);
    rank_by_component(table, work, rank);
    for (std::size_t r = 0; r < places.size(); ++r) work.rank[static_cast<std::size_t>(places[r])] = rank[r];
}

// Whether a split of this score cannot be the best of the node.
template <class Score>
bool is_beaten(const Score& score, double value, const Workspace& work) {
    return value == no_gain || score.gain(value) < work.least_gain;
}

// A split into listed codes and others, of which one may be that of missing values.
inline Split list_levels(const std::vector<std::int32_t>& listed, const std::vector<std::int32_t>& others,
                         std::int32_t bins) {
    Split split;
    split.kind = SplitKind::subset;
    const auto has_missing = [&](const std::vector<std::int32_t>& codes) {
        return std::find(codes.begin(), codes.end(), bins) != codes.end();
    };
    if (has_missing(listed)) split.missing_child = 0;
    if (has_missing(others)) split.missing_child = 1;
    std::remove_copy(listed.begin(), listed.end(), std::back_inserter(split.levels), bins);
    if (split.levels.empty()) {  // only missing values are listed: list the others instead
        split.levels = others;
        split.missing_child = 1;
    }
    std::sort(split.levels.begin(), split.levels.end());
    return split;
}

inline std::vector<std::int32_t> bits_of(std::uint32_t set) {
    std::vector<std::int32_t> bits;
    for (; set; set &= set - 1) bits.push_back(std::countr_zero(set));
    return bits;
}

// A split of levels (places of groups); the lighter side is listed and is child 0, so that levels that do not
// occur in the node go where most rows go.
template <class T>
Split subset_split(const Groups<T>& groups, std::int32_t bins, const Layout& layout,
                   std::vector<std::int32_t> listed, std::vector<std::int32_t> others, std::int64_t most) {
    const auto weight = [&](const std::vector<std::int32_t>& places) {
        double sum = 0.0;
        for (const std::int32_t i : places)
            sum += weight_of(groups.stats + std::int64_t{i} * layout.stride, layout);
        return sum;
    };
    const auto small = [&](const std::vector<std::int32_t>& places) {
        return most == 0 || static_cast<std::int64_t>(places.size()) <= most;
    };
    if (!small(listed) || (small(others) && weight(others) < weight(listed))) listed.swap(others);
    for (std::vector<std::int32_t>* places : {&listed, &others})
        for (std::int32_t& place : *places) place = groups.code(place);
    return list_levels(listed, others, bins);
}

// Whether cutting the levels ordered by mean finds the best of all subsets (Fisher 1958; Breiman,
// Friedman, Olshen and Stone 1984): with two classes, or numbers, and a criterion that is a concave impurity.
// Of Poisson deviances the best may be a branch of zeros, which is not allowed, and others need no order.
inline bool order_is_exact(const TreeOptions& options, const Layout& layout) {
    if (options.subset_size > 0 || layout.classes > 2) return false;
    return options.criterion != Criterion::raw_gain_ratio &&
           options.criterion != Criterion::symmetric_gain_ratio &&
           options.criterion != Criterion::symmetric_gain_ratio_sum &&
           options.criterion != Criterion::quadratic_gain && options.criterion != Criterion::poisson;
}

// The best cut of the levels in one order.
template <class T, class Score>
Split best_by_order(const Groups<T>& groups, std::int32_t bins, const std::vector<std::int32_t>& places,
                    const Layout& layout, const TreeOptions& options, Score& score, double tolerance,
                    Draws& draws, Workspace& work) {
    work.rank.resize(static_cast<std::size_t>(groups.size));
    if (layout.classes > 2)
        rank_by_shares(groups, places, layout, work);
    else
        rank_by_mean(groups, places, layout, options.l2, work.rank);
    // NaN, from overflow or cancellation, sorts first: std::sort needs a strict weak order.
    for (double& rank : work.rank)
        if (rank != rank) rank = -std::numeric_limits<double>::infinity();
    std::vector<std::int32_t>& order = work.ranked;
    order.assign(places.begin(), places.end());
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const double ra = work.rank[static_cast<std::size_t>(a)], rb = work.rank[static_cast<std::size_t>(b)];
        return ra != rb ? ra < rb : a < b;
    });
    ColumnPick pick(Pick::best, 1, tolerance, draws);
    scan_order(groups, order, layout, score, options.subset_size, work, pick);
    const Candidate& best = pick.best();
    if (is_beaten(score, best.score, work)) return {};
    const auto cut = order.begin() + best.below + 1;
    Split split =
        subset_split(groups, bins, layout, {order.begin(), cut}, {cut, order.end()}, options.subset_size);
    split.gain = score.gain(best.score);
    return split;
}

// Tries every set of at most `most` levels. Returns the first of the best; `best_score` gets its score.
template <class T, class Score>
std::vector<std::int32_t> search_subsets(const Groups<T>& groups, const std::vector<std::int32_t>& places,
                                         const Layout& layout, std::int64_t most, Score& score,
                                         double tolerance, Workspace& work, double& best_score) {
    best_score = no_gain;
    most = std::min<std::int64_t>(most, std::ssize(places));
    std::vector<std::int32_t> best;
    // Sums of the first 0, 1, ... chosen levels: most sets differ from the one before in the last level only.
    const auto stride = static_cast<std::size_t>(layout.stride);
    std::vector<double>& sums = work.flat;
    sums.assign((static_cast<std::size_t>(most) + 1) * stride, 0.0);
    for_each_subset(static_cast<std::int32_t>(places.size()), most,
                    [&](const std::vector<std::int32_t>& chosen, std::int32_t first) {
                        for (auto i = static_cast<std::size_t>(first); i < chosen.size(); ++i) {
                            double* sum = sums.data() + (i + 1) * stride;
                            std::copy_n(sum - stride, stride, sum);
                            const auto place = std::int64_t{places[static_cast<std::size_t>(chosen[i])]};
                            add_to(sum, groups.stats + place * layout.stride, layout);
                        }
                        const double value = score(sums.data() + chosen.size() * stride);
                        if (!(value > best_score + tolerance)) return;
                        best_score = value;
                        best = chosen;
                    });
    return best;
}

// The same for the Gini index of whole weights and sets of any size, from the scores of all sets at once. The
// levels of the set are bits.
inline std::uint32_t best_gini_subset(const LevelWeights& table, double tolerance, Workspace& work,
                                      double& best_score) {
    const std::span<const double> scores = score_subsets(table, work);
    const auto n = static_cast<int>(table.levels);
    const double level = largest_score(scores) - tolerance;
    // Of a set and its complement, the smaller is tried; of equal ones that with the first level.
    const std::uint32_t all = (std::uint32_t{1} << n) - 1;
    best_score = no_gain;
    std::uint32_t best = 0;
    const auto comes_before = [](std::uint32_t a, std::uint32_t b) {
        const int size = std::popcount(a), other = std::popcount(b);
        return size != other ? size < other : (a & ((a ^ b) & -(a ^ b))) != 0;
    };
    for (std::int64_t at = 0; (at = next_reaching(scores, at, level)) < std::ssize(scores); ++at) {
        const auto s = static_cast<std::uint32_t>(at);
        const int size = std::popcount(s);
        const std::uint32_t set = 2 * size < n || (2 * size == n && s & 1) ? s : all & ~s;
        if (best && comes_before(best, set)) continue;
        best = set;
        best_score = scores[s];
    }
    return best;
}

// The best set of levels; any of at most half of them by default, which covers every partition.
template <class T, class Score>
Split best_of_subsets(const Groups<T>& groups, std::int32_t bins, const std::vector<std::int32_t>& places,
                      const Layout& layout, const TreeOptions& options, std::int64_t most, Score& score,
                      double tolerance, Workspace& work) {
    double best_score = no_gain;
    std::vector<std::int32_t> best;
    bool is_whole = false;
    if constexpr (std::is_same_v<T, std::uint32_t> && Score::is_gini)
        is_whole = options.subset_size == 0 && !score.limits().bind() && score.weight() < 0x1p26;
    if (is_whole)
        best =
            bits_of(best_gini_subset(weights_of(groups, places, layout, work), tolerance, work, best_score));
    else
        best = search_subsets(groups, places, layout, most, score, tolerance, work, best_score);
    if (is_beaten(score, best_score, work)) return {};
    std::vector<std::int32_t> listed, others;
    for (std::size_t i = 0, b = 0; i < places.size(); ++i) {
        const bool in = b < best.size() && best[b] == static_cast<std::int32_t>(i);
        (in ? listed : others).push_back(places[i]);
        b += in;
    }
    Split split = subset_split(groups, bins, layout, listed, others, options.subset_size);
    split.gain = score.gain(best_score);
    return split;
}

template <class T, class Score>
Split best_subset(const Groups<T>& groups, std::int32_t bins, const std::vector<std::int32_t>& places,
                  const Layout& layout, const TreeOptions& options, Score& score, double tolerance,
                  Draws& draws, Workspace& work) {
    const auto n = static_cast<std::int64_t>(places.size());
    const std::int64_t most = options.subset_size > 0 ? options.subset_size : n / 2;
    const std::int64_t limit = most_tries / std::max(layout.classes, 1);
    if (!order_is_exact(options, layout) && count_subsets(n, most, limit) <= limit)
        return best_of_subsets(groups, bins, places, layout, options, most, score, tolerance, work);
    return best_by_order(groups, bins, places, layout, options, score, tolerance, draws, work);
}

// Each level goes to a random side, again until both sides have one: all divisions of the levels in two are
// equally likely. A try fails with probability at most 1/2; if all fail, the first level is split off.
template <class T, class Score>
Split random_subset(const Groups<T>& groups, std::int32_t bins, const std::vector<std::int32_t>& places,
                    const Layout& layout, Score& score, Draws& draws, Workspace& work) {
    const std::size_t n = places.size();
    if (n < 2) return {};
    work.flags.assign(n, 0);  // 1 for listed levels
    std::size_t listed = 0;
    for (int toss = 0; (listed == 0 || listed == n) && toss < most_tosses; ++toss) {
        LevelToss sides(draws);
        listed = 0;
        for (std::size_t r = 0; r < n; ++r) listed += work.flags[r] = sides.of(groups.code(places[r]));
    }
    if (listed == 0 || listed == n) {
        work.flags.assign(n, 0);
        work.flags[0] = 1;
    }
    work.left.assign(static_cast<std::size_t>(layout.stride), 0.0);
    for (std::size_t r = 0; r < n; ++r)
        if (work.flags[r])
            add_to(work.left.data(), groups.stats + std::int64_t{places[r]} * layout.stride, layout);
    const double value = score(work.left.data());
    if (is_beaten(score, value, work)) return {};
    std::vector<std::int32_t> in, out;
    for (std::size_t r = 0; r < n; ++r) (work.flags[r] ? in : out).push_back(places[r]);
    Split split = subset_split(groups, bins, layout, in, out, 0);
    split.gain = score.gain(value);
    return split;
}

// One branch for each level that occurs. Rows that lack a value join the branch of largest gain, or,
// when there are very many, the heaviest.
template <class T, class Gain>
Split multiway_split(const Groups<T>& groups, const std::vector<std::int32_t>& places, const T* missing,
                     const Layout& layout, const Limits& limits, double tolerance, Workspace& work,
                     Gain&& gain) {
    Split split;
    const auto branches = static_cast<std::int64_t>(places.size());
    const int stride = layout.stride;
    work.flat.assign(static_cast<std::size_t>(branches * stride), 0.0);
    std::int64_t heaviest = 0;
    for (std::int64_t v = 0; v < branches; ++v) {
        double* row = work.flat.data() + v * stride;
        add_to(row, groups.stats + std::int64_t{places[static_cast<std::size_t>(v)]} * stride, layout);
        const double weight = weight_of(row, layout), rows = layout.count < 0 ? weight : row[layout.count];
        if (rows < limits.rows || weight < limits.weight || !(weight > 0.0)) return split;
        if (weight > weight_of(work.flat.data() + heaviest * stride, layout)) heaviest = v;
    }
    split.kind = SplitKind::multiway;
    for (const std::int32_t i : places) split.levels.push_back(groups.code(i));
    if (!missing) {
        split.gain = gain(work.flat.data(), branches);
        return split;
    }
    const bool all = branches <= most_missing_tries;
    Pace pace;
    for (std::int64_t v = all ? 0 : heaviest; v < (all ? branches : heaviest + 1); ++v) {
        pace.spend(branches * stride);
        double* row = work.flat.data() + v * stride;
        std::vector<double> alone(row, row + stride);
        add_to(row, missing, layout);
        const double with_missing = gain(work.flat.data(), branches);
        std::copy(alone.begin(), alone.end(), row);
        if (!(with_missing > split.gain + tolerance)) continue;
        split.gain = with_missing;
        split.missing_child = static_cast<std::int32_t>(v);
    }
    return split;
}

}  // namespace hornbook
