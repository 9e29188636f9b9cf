#include "core/tree/search/column_search.hpp"

#include <array>
#include <bit>
#include <limits>
#include <span>

#include "core/tree/columns/threshold.hpp"
#include "core/tree/few/few_rows_search.hpp"
#include "core/tree/grow/node_totals.hpp"
#include "core/tree/search/categorical_search.hpp"
#include "core/tree/search/gain_ratio.hpp"
#include "core/tree/search/histogram_search.hpp"
#include "core/tree/search/search_parts.hpp"
#include "core/tree/search/single_cut.hpp"
#include "core/tree/search/sorted_search.hpp"
#include "core/tree/simd/multiclass_search.hpp"
#include "core/tree/simd/single_cuts.hpp"

namespace hornbook {

namespace {

template <class T>
class GroupSearch final : public HistogramSearch, private SearchParts {
  public:
    GroupSearch(const CodedTable& table, const TreeOptions& options, const TargetInfo& target)
        : SearchParts(table, options, target, std::is_same_v<T, std::uint32_t>) {}

    std::int64_t bytes_per_code() const override {
        return layout_.stride * static_cast<std::int64_t>(sizeof(T));
    }
    void add(std::int32_t j, const Rows& rows, void* histogram) const override {
        fill_histogram<T>(column_of(j), rows, layout_, static_cast<T*>(histogram));
    }
    void take(std::int32_t j, const Rows& rows, void* histogram) const override {
        fill_histogram<T, -1>(column_of(j), rows, layout_, static_cast<T*>(histogram));
    }
    double rows_of(double weight) const override { return rows_per_weight_ * weight; }
    int value_size() const override { return layout_.classes ? layout_.classes : 1; }
    bool takes_few_rows() const override {
        return (layout_.classes == 0 || whole_) && FewRowsSearch::takes(table_, options_, layout_.classes);
    }

    void totals(const Rows& rows, NodeTotals& totals) const override {
        count_totals(rows, layout_, options_, square_unit_, totals);
    }
    void totals(std::span<const double> stats, const Spread& spread, NodeTotals& totals) const override {
        totals.stats.assign(stats.begin(), stats.end());
        finish_totals(layout_, options_, spread, totals);
    }
    const Layout& layout() const override { return layout_; }
    void sum_codes(const void* histogram, std::int32_t first, std::int32_t last,
                   double* stats) const override {
        for (std::int32_t code = first; code < last; ++code)
            add_to(stats, static_cast<const T*>(histogram) + std::int64_t{code} * layout_.stride, layout_);
    }

    void columns(std::span<const ColumnTask> tasks, const Rows& rows, const NodeTotals& totals, Pick pick,
                 const NodeKey& key, Workspace& work) const override {
        // Columns without missing values are searched faster together, as are those of two values.
        ColumnGroup whole, gaps, twos, levels;
        const bool by_lanes = pick == Pick::best && has_lanes(totals);
        const auto cut_full = [&](ColumnGroup& group) {
            work.pace.spend(rows.size);
            if (&group == &levels)
                divide_once(group, rows, totals, key);
            else if (!(by_lanes && &group != &gaps && cut_once(group, rows, totals, key)))
                cut_group(group, rows, totals, key, work);
            group.size = 0;
        };
        for (const ColumnTask& task : tasks) {
            if (by_lanes && is_divided_once(task)) {
                levels.add(task);
                if (levels.is_full()) cut_full(levels);
                continue;
            }
            if (!is_simple(task, pick)) {
                column(task, rows, totals, pick, key.split_of(task.column), work);
                continue;
            }
            const CodedColumn& column = column_of(task.column);
            ColumnGroup& group = column.missing ? gaps : column.bins == 2 ? twos : whole;
            group.add(task);
            if (group.is_full()) cut_full(group);
        }
        for (ColumnGroup* group : {&whole, &gaps, &twos, &levels})
            if (!group->is_empty()) cut_full(*group);
    }

  private:
    // Whether only one cut of the column is needed, the best or a random one.
    bool is_simple(const ColumnTask& task, Pick pick) const {
        if (column_of(task.column).nominal) return false;
        return !task.kept &&
               (options_.random_thresholds || (pick == Pick::best && !options_.fractional && !by_ratio()));
    }

    void cut_group(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals, const NodeKey& key,
                   Workspace& work) const {
        if (options_.random_thresholds)
            draw_cuts(group, rows, totals, key, work);
        else if (!cut_together(group, rows, totals))
            cut_each(group, rows, totals, key, work);
    }

    void cut_each(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals, const NodeKey& key,
                  Workspace& work) const {
        if (is_bounded()) gather_codes(table_, group.list(), rows, work);
        for (std::size_t c = 0; c < group.size; ++c) {
            const std::int32_t j = group.columns[c];
            if (is_bounded())
                cut(column_of(j), static_cast<std::int64_t>(c), rows, totals, work, *group.candidates[c]);
            else
                column({j, nullptr, group.candidates[c]}, rows, totals, Pick::best, key.split_of(j), work);
        }
    }

    // One threshold of each column, drawn evenly between the smallest and the largest value in the node.
    void draw_cuts(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals, const NodeKey& key,
                   Workspace& work) const {
        gather_codes(table_, group.list(), rows, work);
        const auto size = static_cast<std::size_t>(rows.size);
        std::array<DrawnCut, lanes> cuts;
        for (std::size_t c = 0; c < group.size; ++c)
            cuts[c] = DrawnCut::of(column_of(group.columns[c]), {work.gathered.data() + c * size, size});
        for (std::size_t c = 0; c < group.size; ++c)
            if (cuts[c].is_possible()) {
                cuts[c].draw(column_of(group.columns[c]), key.split_of(group.columns[c]));
                cuts[c].narrow(column_of(group.columns[c]));
            }
        for (std::size_t c = 0; c < group.size; ++c) {
            if (!cuts[c].is_possible()) continue;
            const CodedColumn& column = column_of(group.columns[c]);
            cuts[c].settle(column);
            double* sides = sides_of(work);
            sum_sides(rows, layout_, column, work.gathered.data() + c * size, cuts[c].below, sides);
            score_drawn(column, cuts[c], sides, totals, work, *group.candidates[c]);
        }
    }

    // Columns that have one cut, or of which one is drawn; false where that has to be done column by column.
    bool cut_once(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals,
                  const NodeKey& key) const {
        const bool drawn = options_.random_thresholds;
        if (!is_cut_once(table_, group.list(), rows, drawn)) return false;
        with_lanes(totals, [&](const LaneNode& node, const auto& score) {
            const SingleCut best = best_single_cut(table_, group.list(), rows, node, drawn ? &key : nullptr);
            if (best.score == no_gain) return;
            ColumnCandidates& candidates = *group.candidates[best.column];
            add_candidate({best.score, best.cut.below, best.cut.below + 1, -1}, score.gain(best.score),
                          candidates);
            if (drawn) candidates.splits.back().cut = best.cut.at;
        });
        return true;
    }

    void divide_once(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals,
                     const NodeKey& key) const {
        with_lanes(totals, [&](const LaneNode& node, const auto& score) {
            const LevelCut best = best_level_cut(table_, group.list(), rows, node, key);
            if (best.score == no_gain) return;
            Split split = list_levels(bits_of(best.listed), bits_of(best.others),
                                      column_of(group.columns[best.column]).bins);
            split.gain = score.gain(best.score);
            group.candidates[best.column]->splits.push_back(std::move(split));
        });
    }

    // All columns at once, if the node has few rows; false otherwise.
    bool cut_together(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals) const {
        if (!has_lanes(totals) || !fits_lanes(rows)) return false;
        const auto classes = static_cast<std::size_t>(layout_.classes);
        for (const std::int32_t j : group.list())
            if (!fits_lanes(column_of(j), classes)) return false;
        with_lanes(totals, [&](const LaneNode& node, const auto& score) {
            const LaneCut cut = cut_lanes(table_, group.list(), rows, node);
            add_candidate({cut.score, cut.edge - 1, cut.edge, -1}, score.gain(cut.score),
                          *group.candidates[cut.column]);
        });
        return true;
    }

    void column(const ColumnTask& task, const Rows& rows, const NodeTotals& totals, Pick pick, Draws draws,
                Workspace& work) const {
        const CodedColumn& column = column_of(task.column);
        ColumnCandidates& candidates = *task.candidates;
        const bool plain = pick == Pick::best && !column.nominal && !options_.fractional && !by_ratio();
        if (plain && !task.kept && !is_dense(rows.size, column.bins) &&
            cut_classes(column, rows, totals, work, candidates))
            return;
        const Groups<T> groups =
            group_rows(column, rows, layout_, static_cast<const T*>(task.kept), work, stats(work));
        if (groups.size < 2) return;
        if (options_.random_thresholds && !column.nominal) {
            draw_cut(column, groups, totals, draws, work, candidates);
            return;
        }
        if (plain && quick_pairs(column, groups, totals, candidates)) return;
        if (column.nominal)
            nominal(column, groups, totals, pick, draws, work, candidates);
        else
            ordered(column, groups, totals, pick, draws, work, candidates);
    }

    static std::vector<T>& stats(Workspace& work) {
        if constexpr (std::is_same_v<T, double>)
            return work.sums;
        else
            return work.counts;
    }

    // The best cut, when nothing else is needed.
    void cut(const CodedColumn& column, std::int64_t place, const Rows& rows, const NodeTotals& totals,
             Workspace& work, ColumnCandidates& candidates) const {
        Rows sorted = rows;
        const GatheredCodes gathered = known_codes(column, place, sorted, work);
        with_score(totals.stats.data(), [&](const auto& score) {
            using Score = std::decay_t<decltype(score)>;
            const double tolerance = score.tolerance(totals.tolerance);
            const auto search = [&]<class Core>() {
                const SplitEvaluator<Core> evaluator(sorted, score, gathered.size);
                return best_cut<ScoredBins<SplitEvaluator<Core>>>(evaluator, gathered, column.bins, tolerance,
                                                                  work);
            };
            Candidate best;
            if constexpr (std::is_same_v<Score, SumScore>)
                best = search.template operator()<NumberCore>();
            else if constexpr (!Score::is_convex)
                return;  // never reached: is_bounded() is false
            else if (layout_.classes > 2)
                best = best_class_cut({totals.value, totals.weight, limits_, layout_.count >= 0}, sorted,
                                      gathered, column.bins, tolerance, work);
            else if constexpr (std::is_same_v<T, double>)
                best = search.template operator()<ClassCore<ClassSums, Score>>();
            else if (limits_.rows > 1.0)
                best = search.template operator()<ClassCore<CountedPairs, Score>>();
            else
                best = search.template operator()<ClassCore<PairSums, Score>>();
            add_candidate(best, score.gain(best.score), candidates);
        });
    }

    // The best cut of sorted rows of many classes; false when a value is missing.
    bool cut_classes(const CodedColumn& column, const Rows& rows, const NodeTotals& totals, Workspace& work,
                     ColumnCandidates& candidates) const {
        const KeyRange range = gather_keys(column, rows, work);
        if (range.low == range.high) return true;
        if (range.high == static_cast<std::uint32_t>(column.bins)) return false;
        sort_keys(work, rows.size, range.low, range.high);
        const KeyScan scan{work.keys.data(), rows.size, options_.min_samples_leaf};
        with_score_on(column, totals, totals.stats.data(), [&](auto& score) {
            const double tolerance = score.tolerance(totals.tolerance);
            const Candidate best = scan_rows(scan, rows, layout_, score, tolerance, work);
            add_candidate(best, score.gain(best.score), candidates);
        });
        return true;
    }

    // The best cut of a histogram of two classes; false when a value is missing.
    bool quick_pairs(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals,
                     ColumnCandidates& candidates) const {
        if (groups.codes || layout_.classes != 2 || !is_bounded() || layout_.stride != 2) return false;
        if (!is_empty(groups.stats + 2 * std::int64_t{column.bins}, layout_)) return false;
        with_score(totals.stats.data(), [&](auto& score) {
            const Candidate best =
                scan_pairs(groups.stats, column.bins, score, score.tolerance(totals.tolerance));
            add_candidate(best, score.gain(best.score), candidates);
        });
        return true;
    }

    void ordered(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals, Pick pick,
                 Draws& draws, Workspace& work, ColumnCandidates& candidates) const {
        const std::int64_t last = groups.size - 1;
        const T* missing = groups.code(last) == column.bins ? groups.stats + last * layout_.stride : nullptr;
        std::vector<double>& known = work.known;
        const double share = known_totals(missing, totals, known);
        if (!(weight_of(known.data(), layout_) > 0.0)) return;
        with_score_on(column, totals, known.data(), [&](auto& score) {
            ColumnPick picked(pick, options_.top_k, score.tolerance(totals.tolerance), draws);
            scan_ordered(groups, column.bins, layout_, !options_.fractional, score, work, picked);
            candidates.mass = picked.mass() * share;
            for (const Candidate& c : picked.chosen())
                add_candidate(c, share * score.gain(c.score), candidates);
            if (!by_ratio()) return;
            for (Split& split : candidates.splits)
                split.divisor = split_entropy(split, groups, column.bins, layout_);
            charge(candidates.splits, threshold_cost(picked.cuts(), rows_of(totals.weight)),
                   totals.tolerance);
        });
    }

    void nominal(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals, Pick pick,
                 Draws& draws, Workspace& work, ColumnCandidates& candidates) const {
        Present<T> present = present_groups(groups, column.bins, layout_, work.order);
        std::vector<double>& known = work.known;
        const double share = known_totals(present.missing, totals, known);
        if (!(weight_of(known.data(), layout_) > 0.0)) return;
        const bool direction = !options_.fractional;
        Split split;
        with_score_on(column, totals, known.data(), [&](auto& score) {
            const double tolerance = score.tolerance(totals.tolerance);
            if (options_.multiway) {
                if (present.places.size() < 2) return;
                split = multiway_split(
                    groups, present.places, direction ? present.missing : nullptr, layout_, limits_,
                    totals.tolerance, work, [&](const double* flat, std::int64_t n) {
                        return layout_.classes
                                   ? class_gain(options_, flat, n, layout_.stride, layout_.classes)
                                   : sum_gain(options_, flat, n);
                    });
                return;
            }
            // A missing value is one more level, unless its rows go to all children.
            if (direction && present.missing)
                present.places.push_back(
                    static_cast<std::int32_t>((present.missing - groups.stats) / layout_.stride));
            if (present.places.size() < 2) return;
            split = options_.random_thresholds
                        ? random_subset(groups, column.bins, present.places, layout_, score, draws, work)
                        : best_subset(groups, column.bins, present.places, layout_, options_, score,
                                      tolerance, draws, work);
        });
        if (split.gain == no_gain) return;
        if (pick == Pick::best && !options_.fractional && !by_ratio())
            work.least_gain = std::max(work.least_gain, split.gain - 2.0 * totals.tolerance);
        split.gain *= share;
        if (by_ratio()) split.divisor = split_entropy(split, groups, column.bins, layout_);
        if (pick == Pick::proportional) candidates.mass = std::max(0.0, split.gain);
        candidates.splits.push_back(std::move(split));
    }

    // A threshold drawn in a histogram, as draw_cuts draws it among rows.
    void draw_cut(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals,
                  const Draws& draws, Workspace& work, ColumnCandidates& candidates) const {
        const T* stats = groups.stats;
        const auto occurs = [&](std::int32_t code) {
            return !is_empty(stats + std::int64_t{code} * layout_.stride, layout_);
        };
        DrawnCut cut{0, column.bins - 1};
        while (cut.is_possible() && !occurs(cut.first)) ++cut.first;
        while (cut.is_possible() && !occurs(cut.last)) --cut.last;
        if (!cut.is_possible()) return;
        cut.draw(column, draws);
        cut.narrow(column);
        cut.settle(column);
        double* sides = sides_of(work);
        std::fill_n(sides, 3 * layout_.stride, 0.0);
        sum_codes(stats, 0, cut.below + 1, sides);
        sum_codes(stats, column.bins, column.bins + 1, sides + 2 * layout_.stride);
        score_drawn(column, cut, sides, totals, work, candidates);
    }

    // `left` holds the statistics left of the cut, right of it, and of missing values.
    void score_drawn(const CodedColumn& column, const DrawnCut& cut, double* left, const NodeTotals& totals,
                     Workspace& work, ColumnCandidates& candidates) const {
        const double* missing = left + 2 * layout_.stride;
        const bool lacking = !is_empty(missing, layout_);
        const double share = known_totals(lacking ? missing : nullptr, totals, work.known);
        with_score_on(column, totals, work.known.data(), [&](auto& score) {
            ScoredCut scored{score(left), lacking && !options_.fractional ? 1 : -1};
            if (scored.missing_child == 1) {
                add_to(left, missing, layout_);
                const double with = score(left);
                if (!(scored.score > with + score.tolerance(totals.tolerance))) scored = {with, 0};
            }
            add_candidate({scored.score, cut.below, cut.below + 1, scored.missing_child},
                          share * score.gain(scored.score), candidates);
            if (!candidates.splits.empty()) candidates.splits.back().cut = cut.at;
            if (candidates.splits.empty() || !by_ratio()) return;
            const double all = weight_of(work.known.data(), layout_);
            const double weight =
                weight_of(left, layout_) - (scored.missing_child == 1 ? weight_of(missing, layout_) : 0.0);
            candidates.splits.back().divisor =
                division_entropy(std::array{weight, all - weight, totals.weight - all});
        });
    }
};

}  // namespace

bool counts_whole(const TargetInfo& target, const TreeOptions& options) {
    return target.classes > 0 && target.whole_weights && target.largest < 0x1p32 && !options.fractional;
}

std::unique_ptr<Search> make_search(const CodedTable& table, const TreeOptions& options,
                                    const TargetInfo& target) {
    if (options.criterion == Criterion::absolute_error) return make_absolute_search(table, options);
    return make_histogram_search(table, options, target);
}

std::unique_ptr<HistogramSearch> make_histogram_search(const CodedTable& table, const TreeOptions& options,
                                                       const TargetInfo& target) {
    if (counts_whole(target, options))
        return std::make_unique<GroupSearch<std::uint32_t>>(table, options, target);
    return std::make_unique<GroupSearch<double>>(table, options, target);
}

}  // namespace hornbook
