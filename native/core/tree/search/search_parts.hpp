// Common parts of column searches: the table, the layout of statistics, the score of a split.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/search/best_split.hpp"
#include "core/tree/search/column_search.hpp"
#include "core/tree/search/criteria.hpp"
#include "core/tree/simd/single_cuts.hpp"

namespace hornbook {

// Columns that are searched together.
struct ColumnGroup {
    std::array<std::int32_t, lanes> columns;
    std::array<ColumnCandidates*, lanes> candidates;
    std::size_t size = 0;

    void add(const ColumnTask& task) {
        columns[size] = task.column;
        candidates[size++] = task.candidates;
    }
    std::span<const std::int32_t> list() const { return std::span(columns).first(size); }
    bool is_full() const { return size == columns.size(); }
    bool is_empty() const { return size == 0; }
};

class SearchParts {
  protected:
    // `whole`: weights of classes are counts.
    SearchParts(const CodedTable& table, const TreeOptions& options, const TargetInfo& target, bool whole)
        : table_(table),
          options_(options),
          layout_(layout_of(options, target, whole)),
          limits_(Limits::of(options)),
          whole_(whole),
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
        if (options_.criterion == Criterion::poisson) {
            PoissonScore score(total, limits_);
            fn(score);
        } else if (layout_.classes == 0) {
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

    // The same for splits of one column of a node, which are restricted if it is monotone.
    template <class Fn>
    void with_score_on(const CodedColumn& column, const NodeTotals& totals, const double* total,
                       Fn&& fn) const {
        with_score(total, [&](auto& score) {
            const auto j = static_cast<std::size_t>(&column - table_.columns.data());
            if (options_.monotone.empty() || options_.monotone[j] == 0) {
                fn(score);
                return;
            }
            MonotoneScore bounded(score, layout_, total, totals.bounds, options_.monotone[j]);
            fn(bounded);
        });
    }

    // Whether a category gets a random division of few levels.
    bool is_divided_once(const ColumnTask& task) const {
        const CodedColumn& column = column_of(task.column);
        return column.nominal && column.bins < most_level_bits && options_.random_thresholds &&
               !options_.multiway && !options_.fractional && !task.kept;
    }

    // Whether columns can be searched in lanes: by the Gini index of whole weights, or by the squared error.
    bool has_lanes(const NodeTotals& totals) const {
        if (!options_.monotone.empty()) return false;
        if (layout_.classes == 0)
            return options_.criterion == Criterion::squared_error && !(options_.l2 > 0.0);
        return whole_ && options_.criterion == Criterion::gini &&
               static_cast<std::size_t>(layout_.classes) <= most_lane_classes && totals.weight < 0x1p31;
    }

    // Calls fn with the node as the lanes need it, and its score.
    template <class Fn>
    void with_lanes(const NodeTotals& totals, Fn&& fn) const {
        with_score(totals.stats.data(), [&](const auto& score) {
            LaneNode node{totals.weight,
                          options_.min_samples_leaf,
                          limits_.weight,
                          score.tolerance(totals.tolerance),
                          {}};
            if (layout_.classes == 0)
                node.mean = totals.stats[0] / totals.stats[1];
            else
                node.classes = totals.value;
            fn(node, score);
        });
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
        if (!options_.monotone.empty()) return false;
        return options_.criterion == Criterion::squared_error || options_.criterion == Criterion::gini ||
               (layout_.classes == 2 && options_.criterion == Criterion::entropy);
    }

    double* sides_of(Workspace& work) const { return resized(work.flat, 3 * std::int64_t{layout_.stride}); }

    const CodedTable& table_;
    const TreeOptions& options_;
    Layout layout_;
    Limits limits_;
    bool whole_;
    LogTable logs_;
    double rows_per_weight_ = 1.0;
    double square_unit_ = 0.0;
};

}  // namespace hornbook
