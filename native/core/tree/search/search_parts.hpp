// Common parts of column searches: the table, the layout of statistics, the score of a split.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/search/best_split.hpp"
#include "core/tree/search/column_search.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

class SearchParts {
  protected:
    // `whole`: weights of classes are counts.
    SearchParts(const CodedTable& table, const TreeOptions& options, const TargetInfo& target, bool whole)
        : table_(table),
          options_(options),
          layout_(layout_of(options, target, whole)),
          limits_(Limits::of(options)),
          square_unit_(target.square_unit) {
        // Whole weights count rows; others are brought to a mean of 1.
        if (!target.whole_weights) rows_per_weight_ = static_cast<double>(target.rows) / target.largest;
        if (by_information() && whole) logs_ = LogTable(static_cast<std::int64_t>(target.largest));
    }

    static Layout layout_of(const TreeOptions& options, const TargetInfo& target, bool whole) {
        if (target.classes == 0) return sum_layout();
        const bool counted = target.weighted && (!whole || options.min_samples_leaf > 1 || target.counted);
        return class_layout(target.classes, counted);
    }

    bool by_ratio() const { return options_.criterion == Criterion::gain_ratio; }
    bool by_information() const { return by_ratio() || options_.criterion == Criterion::entropy; }

    const CodedColumn& column_of(std::int32_t j) const { return table_.columns[static_cast<std::size_t>(j)]; }

    template <class Fn>
    void with_score(const double* total, Fn&& fn) const {
        if (layout_.classes == 0) {
            SumScore score(options_, total, limits_);
            fn(score);
        } else if (options_.criterion == Criterion::gini) {
            ClassScore<Criterion::gini> score(options_, layout_, total, limits_, logs_);
            fn(score);
        } else if (by_information()) {
            ClassScore<Criterion::entropy> score(options_, layout_, total, limits_, logs_);
            fn(score);
        } else {  // every other criterion goes through class_gain
            ClassScore<Criterion::cart> score(options_, layout_, total, limits_, logs_);
            fn(score);
        }
    }

    // Totals of the rows with a value, and their share of the weight, when the others go to all children.
    template <class S>
    double known_totals(const S* missing, const NodeTotals& totals, std::vector<double>& known) const {
        known = totals.stats;
        if (!options_.fractional || !missing) return 1.0;
        for (int k = 0; k < layout_.stride; ++k)
            known[static_cast<std::size_t>(k)] -= static_cast<double>(missing[k]);
        return weight_of(known.data(), layout_) / totals.weight;
    }

    static void add_candidate(const Candidate& best, double gain, ColumnCandidates& candidates) {
        if (best.score == no_gain) return;
        Split split;
        split.gain = gain;
        split.kind = SplitKind::threshold;
        split.below = best.below;
        split.above = best.above;
        split.missing_child = best.missing_child;
        candidates.splits.push_back(std::move(split));
    }

    // Whether sums over coarse bins bound the score of the cuts inside.
    bool is_bounded() const {
        return layout_.classes == 0 || options_.criterion == Criterion::gini ||
               (layout_.classes == 2 && options_.criterion == Criterion::entropy);
    }

    double* sides_of(Workspace& work) const { return resized(work.flat, 3 * std::int64_t{layout_.stride}); }

    const CodedTable& table_;
    const TreeOptions& options_;
    Layout layout_;
    Limits limits_;
    LogTable logs_;
    double rows_per_weight_ = 1.0;
    double square_unit_ = 0.0;
};

}  // namespace hornbook
