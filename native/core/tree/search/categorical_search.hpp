// Splits of nominal columns: into two sets of levels, or into one branch for each level.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/stop.hpp"
#include "core/tree/search/scan_candidates.hpp"

namespace hornbook {

constexpr std::int64_t most_tries = 4096;         // subsets tried one by one, times classes
constexpr std::int64_t most_missing_tries = 256;  // branches that missing values are tried in
constexpr int most_tosses = 1024;                 // tries of a random division of levels

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

// Sort key of each level: where its class shares lie along their first principal component, which is found
// by power iteration. The best cut of this order is close to the best of all sets (Coppersmith, Hong and
// Hosking, "Partitioning nominal attributes in decision trees", 1999).
template <class T>
void rank_by_component(const Groups<T>& groups, const std::vector<std::int32_t>& places, const Layout& layout,
                       Workspace& work) {
    constexpr int rounds = 12;
    const auto classes = static_cast<std::size_t>(layout.classes);
    std::vector<double>& shares = work.flat;  // less their mean over all rows
    shares.assign(places.size() * classes, 0.0);
    std::vector<double> mean(classes, 0.0), axis(classes, 0.0), next(classes), weight(places.size());
    double all = 0.0;
    for (std::size_t r = 0; r < places.size(); ++r) {
        const T* stats = groups.stats + std::int64_t{places[r]} * layout.stride;
        weight[r] = weight_of(stats, layout);
        all += weight[r];
        for (std::size_t c = 0; c < classes; ++c) {
            mean[c] += static_cast<double>(stats[c]);
            shares[r * classes + c] = static_cast<double>(stats[c]) / weight[r];
        }
    }
    double farthest = 0.0;
    for (std::size_t r = 0; r < places.size(); ++r) {
        double* share = shares.data() + r * classes;
        double square = 0.0;
        for (std::size_t c = 0; c < classes; ++c) {
            share[c] -= mean[c] / all;
            square += share[c] * share[c];
        }
        if (weight[r] * square > farthest) {
            farthest = weight[r] * square;
            axis.assign(share, share + classes);
        }
    }
    const auto along = [&](std::size_t r) {
        double sum = 0.0;
        for (std::size_t c = 0; c < classes; ++c) sum += shares[r * classes + c] * axis[c];
        return sum;
    };
    for (int round = 0; round < rounds; ++round) {
        std::fill(next.begin(), next.end(), 0.0);
        double largest = 0.0;
        for (std::size_t r = 0; r < places.size(); ++r) {
            const double part = weight[r] * along(r);
            for (std::size_t c = 0; c < classes; ++c) next[c] += part * shares[r * classes + c];
        }
        for (const double number : next) largest = std::max(largest, std::fabs(number));
        if (!(largest > 0.0)) break;  // all levels have the same shares
        for (std::size_t c = 0; c < classes; ++c) axis[c] = next[c] / largest;
    }
    for (std::size_t r = 0; r < places.size(); ++r) work.rank[static_cast<std::size_t>(places[r])] = along(r);
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
    Split split;
    split.kind = SplitKind::subset;
    for (const std::int32_t i : listed)
        if (groups.code(i) == bins)
            split.missing_child = 0;
        else
            split.levels.push_back(groups.code(i));
    for (const std::int32_t i : others)
        if (groups.code(i) == bins) split.missing_child = 1;
    std::sort(split.levels.begin(), split.levels.end());
    if (split.levels.empty()) {  // only missing values are listed: list the others instead
        split.missing_child = 1;
        for (const std::int32_t i : others) split.levels.push_back(groups.code(i));
        std::sort(split.levels.begin(), split.levels.end());
    }
    return split;
}

// Whether cutting the levels ordered by mean finds the best of all subsets (Fisher 1958; Breiman,
// Friedman, Olshen and Stone 1984): with two classes, or numbers, and a criterion that is a concave impurity.
inline bool order_is_exact(const TreeOptions& options, const Layout& layout) {
    if (options.subset_size > 0 || layout.classes > 2) return false;
    return options.criterion != Criterion::raw_gain_ratio &&
           options.criterion != Criterion::symmetric_gain_ratio &&
           options.criterion != Criterion::symmetric_gain_ratio_sum &&
           options.criterion != Criterion::quadratic_gain;
}

// The best cut of the levels in one order.
template <class T, class Score>
Split best_by_order(const Groups<T>& groups, std::int32_t bins, const std::vector<std::int32_t>& places,
                    const Layout& layout, const TreeOptions& options, Score& score, double tolerance,
                    Draws& draws, Workspace& work) {
    work.rank.resize(static_cast<std::size_t>(groups.size));
    if (layout.classes > 2)
        rank_by_component(groups, places, layout, work);
    else
        rank_by_mean(groups, places, layout, options.l2, work.rank);
    // NaN, from overflow or cancellation, sorts first: std::sort needs a strict weak order.
    for (double& rank : work.rank)
        if (rank != rank) rank = -std::numeric_limits<double>::infinity();
    std::vector<std::int32_t> order = places;
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const double ra = work.rank[static_cast<std::size_t>(a)], rb = work.rank[static_cast<std::size_t>(b)];
        return ra != rb ? ra < rb : a < b;
    });
    ColumnPick pick(Pick::best, 1, tolerance, draws);
    scan_order(groups, order, layout, score, options.subset_size, work, pick);
    const Candidate& best = pick.best();
    if (best.score == no_gain) return {};
    const auto cut = order.begin() + best.below + 1;
    Split split =
        subset_split(groups, bins, layout, {order.begin(), cut}, {cut, order.end()}, options.subset_size);
    split.gain = score.gain(best.score);
    return split;
}

// Tries every set of at most l levels; l is half of them by default, which covers every partition.
template <class T, class Score>
Split best_of_subsets(const Groups<T>& groups, std::int32_t bins, const std::vector<std::int32_t>& places,
                      const Layout& layout, const TreeOptions& options, std::int64_t most, Score& score,
                      double tolerance, Workspace& work) {
    double best_score = no_gain;
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
    if (best_score == no_gain) return {};
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
    if (places.size() < 2) return {};
    std::vector<std::int32_t> listed, others;
    for (int toss = 0; (listed.empty() || others.empty()) && toss < most_tosses; ++toss) {
        listed.clear();
        others.clear();
        for (const std::int32_t i : places) (draws.word() >> 63 ? listed : others).push_back(i);
    }
    if (listed.empty() || others.empty()) {
        listed.assign(places.begin(), places.begin() + 1);
        others.assign(places.begin() + 1, places.end());
    }
    work.left.assign(static_cast<std::size_t>(layout.stride), 0.0);
    for (const std::int32_t i : listed)
        add_to(work.left.data(), groups.stats + std::int64_t{i} * layout.stride, layout);
    const double value = score(work.left.data());
    if (value == no_gain) return {};
    Split split = subset_split(groups, bins, layout, listed, others, 0);
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
