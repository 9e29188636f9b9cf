// Sums left of a cut, and the score of the cut: for two classes and for numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/tree/grow/node.hpp"
#include "core/tree/search/criteria.hpp"
#include "core/tree/simd/two_class_bins.hpp"

namespace hornbook {

// Scores of cuts between two classes. `Sums` are PairSums for whole weights, CountedPairs if sides need more
// than one row, ClassSums for other weights.
template <class Sums_, class Score>
class ClassCore {
  public:
    using Sums = Sums_;
    static constexpr bool is_wide = std::is_same_v<Sums, PairSums> && Score::is_gini;

    ClassCore(const Rows& rows, const Score& score)
        : rows_(rows), score_(score), limits_(score.limits()), all_(static_cast<double>(rows.size)) {}

    static std::vector<Sums>& bins(Workspace& work) {
        if constexpr (std::is_same_v<Sums, PairSums>)
            return work.pair_bins;
        else if constexpr (std::is_same_v<Sums, CountedPairs>)
            return work.counted_bins;
        else
            return work.class_bins;
    }

    Sums of(std::int64_t i) const {
        if constexpr (std::is_same_v<Sums, PairSums>)
            return {rows_.pair[i]};
        else if constexpr (std::is_same_v<Sums, CountedPairs>)
            return {{rows_.pair[i]}, 1};
        else {
            const double weight = rows_.weight[i];
            return {rows_.label[i] ? 0.0 : weight, rows_.label[i] ? weight : 0.0, 1.0};
        }
    }

    double value(const Sums& left) const {
        const double second = left.second(), weight = left.first() + second;
        double rows = limits_.rows, rest = limits_.rows;  // rows that are not counted have no limit but 1
        if constexpr (!std::is_same_v<Sums, PairSums>) {
            rows = static_cast<double>(left.rows);
            rest = all_ - rows;
        }
        if (!limits_.hold(rows, rest, weight, score_.weight() - weight)) return no_gain;
        return score_.of_pair(weight, second);
    }

    bool may_reach(double level, const Sums& left) const {
        return score_.pair_reaches(level, left.first() + left.second(), left.second());
    }

    // All rows of one class first, or all of the other. Between rows of one class no cut is best, unless the
    // better ones are not allowed.
    bool may_reach(double level, const Sums& left, const Sums& right) const {
        const double first = left.first(), second = left.second();
        if (!limits_.bind() && (first == right.first() || second == right.second())) return false;
        return score_.pair_reaches(level, right.first() + second, second) ||
               score_.pair_reaches(level, first + right.second(), right.second());
    }

    GiniBins gini_bins(const Sums* left, std::int64_t count) const {
        return {left, count, {}, score_.weight(), score_.second(), limits_.weight};
    }

  private:
    Rows rows_;
    const Score& score_;
    Limits limits_;
    double all_;
};

// Scores of cuts between numbers.
class NumberCore {
  public:
    using Sums = NumberSums;
    static constexpr bool is_wide = false;

    NumberCore(const Rows& rows, const SumScore& score)
        : rows_(rows), score_(score), limits_(score.limits()), all_(static_cast<double>(rows.size)) {}

    static std::vector<Sums>& bins(Workspace& work) { return work.number_bins; }

    Sums of(std::int64_t i) const {
        const double sum = rows_.sum[i], weight = rows_.weight_of(i);
        const double excess = sum - weight * score_.mean();
        return {sum, weight, 0.5 * (excess + std::abs(excess)), 1.0};  // max(excess, 0), branchless
    }

    double value(const Sums& left) const {
        if (!limits_.hold(left.rows, all_ - left.rows, left.weight, score_.weight() - left.weight))
            return no_gain;
        return score_.of_sum(left.sum, left.weight);
    }

    bool may_reach(double level, const Sums& left) const {
        const double excess = left.sum - left.weight * score_.mean();
        return score_.reaches(level, excess, excess, left.weight, left.weight);
    }

    // All numbers above the mean first, or all below.
    bool may_reach(double level, const Sums& left, const Sums& right) const {
        if (right.rows - left.rows < 2.0) return false;
        const double excess = left.sum - left.weight * score_.mean();
        const double after = right.sum - right.weight * score_.mean(), up = right.up - left.up;
        return score_.reaches(level, after - up, excess + up, left.weight, right.weight);
    }

  private:
    Rows rows_;
    const SumScore& score_;
    Limits limits_;
    double all_;
};

// Scores of cuts where rows that lack the value go to the better side.
template <class Core>
class SplitEvaluator {
  public:
    using Sums = typename Core::Sums;

    // The first `known` rows have a value.
    template <class Score>
    SplitEvaluator(const Rows& rows, const Score& score, std::int64_t known)
        : core_(rows, score), has_missing_(known < rows.size) {
        if (!has_missing_) return;
        for (std::int64_t i = 0; i < known; ++i) known_ += core_.of(i);
        for (std::int64_t i = known; i < rows.size; ++i) missing_ += core_.of(i);
    }
    bool has_missing() const { return has_missing_; }

    Sums of(std::int64_t i) const { return core_.of(i); }
    static std::vector<Sums>& bins(Workspace& work) { return Core::bins(work); }

    ScoredCut evaluate(const Sums& left, double tolerance) const {
        const double right = core_.value(left);
        if (!has_missing_) return {right, -1};
        Sums with = left;
        with += missing_;
        const double both = core_.value(with);
        return right > both + tolerance ? ScoredCut{right, 1} : ScoredCut{both, 0};
    }
    ScoredCut only_missing_right() const { return {core_.value(known_), 1}; }

    // Whether the cut may score `level`; false is certain up to rounding.
    bool may_reach(double level, const Sums& left) const {
        if (core_.may_reach(level, left)) return true;
        if (!has_missing_) return false;
        Sums with = left;
        with += missing_;
        return core_.may_reach(level, with);
    }
    // The same for any cut inside a bin, between the sums before and after it.
    bool may_reach(double level, const Sums& left, const Sums& right) const {
        if (core_.may_reach(level, left, right)) return true;
        if (!has_missing_) return false;
        Sums with = left, all = right;
        with += missing_;
        all += missing_;
        return core_.may_reach(level, with, all);
    }

    // The best score of a cut between bins; left[b] sums all before bin b, left[count] everything.
    double best_edge(const Sums* left, std::int64_t count) const {
        if constexpr (Core::is_wide) {
            GiniBins bins = core_.gini_bins(left, count);
            const double best = best_gini_edge(bins);
            if (!has_missing_) return best;
            bins.more = missing_;
            return std::max(best, best_gini_edge(bins));
        }
        double best = no_gain;
        for (std::int64_t b = 1; b < count; ++b)
            if (may_reach(best, left[b])) best = std::max(best, evaluate(left[b], 0.0).score);
        return best;
    }

    // Bins in which a cut may score `level` get flag 1, those before which there is such a cut flag 2.
    void flag(const Sums* left, std::int64_t count, double level, std::uint8_t* flags) const {
        if constexpr (Core::is_wide) {
            GiniBins bins = core_.gini_bins(left, count);
            flag_gini(bins, level, flags);
            bins.more = missing_;
            if (has_missing_) flag_gini(bins, level, flags);
            return;
        }
        for (std::int64_t b = 0; b < count; ++b) {
            const bool inside = may_reach(level, left[b], left[b + 1]), before = may_reach(level, left[b]);
            flags[b] = static_cast<std::uint8_t>((inside ? 1 : 0) | (before ? 2 : 0));
        }
    }

  private:
    Core core_;
    Sums known_, missing_;
    bool has_missing_;
};

}  // namespace hornbook
