#include "core/tree/search/column_search.hpp"

#include <array>
#include <limits>
#include <span>

#include "core/tree/columns/threshold.hpp"
#include "core/tree/grow/node_totals.hpp"
#include "core/tree/search/categorical_search.hpp"
#include "core/tree/search/gain_ratio.hpp"
#include "core/tree/search/histogram_search.hpp"
#include "core/tree/search/search_parts.hpp"
#include "core/tree/search/sorted_search.hpp"
#include "core/tree/simd/multiclass_search.hpp"
#include "core/tree/simd/simd_search.hpp"

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

    void totals(const Rows& rows, NodeTotals& totals) const override {
        count_totals(rows, layout_, options_, square_unit_, totals);
    }
    void totals(std::span<const double> slots, const Spread& spread, NodeTotals& totals) const override {
        totals.slots.assign(slots.begin(), slots.end());
        finish_totals(layout_, options_, spread, totals);
    }
    const Layout& layout() const override { return layout_; }
    void sum_codes(const void* histogram, std::int32_t first, std::int32_t last,
                   double* slots) const override {
        for (std::int32_t code = first; code < last; ++code)
            add_to(slots, static_cast<const T*>(histogram) + std::int64_t{code} * layout_.stride, layout_);
    }

    void columns(std::span<const Look> looks, const Rows& rows, const NodeTotals& totals, Pick pick,
                 const NodeKey& key, Workspace& work) const override {
        ColumnGroup whole, gaps;  // columns in which every row has a value are quicker among themselves
        for (const Look& look : looks) {
            if (!is_simple(look, pick)) {
                column(look, rows, totals, pick, key.split_of(look.column), work);
                continue;
            }
            ColumnGroup& group = column_of(look.column).missing ? gaps : whole;
            group.add(look);
            if (group.is_full()) cut_group(group, rows, totals, key, work);
        }
        if (!whole.is_empty()) cut_group(whole, rows, totals, key, work);
        if (!gaps.is_empty()) cut_group(gaps, rows, totals, key, work);
    }

  private:
    // Columns that are searched together.
    struct ColumnGroup {
        std::array<std::int32_t, lanes> columns;
        std::array<Offers*, lanes> offers;
        std::size_t size = 0;

        void add(const Look& look) {
            columns[size] = look.column;
            offers[size++] = look.offers;
        }
        std::span<const std::int32_t> list() const { return std::span(columns).first(size); }
        bool is_full() const { return size == columns.size(); }
        bool is_empty() const { return size == 0; }
    };

    // Whether one cut of the column is wanted, the best or a drawn one.
    bool is_simple(const Look& look, Pick pick) const {
        if (column_of(look.column).nominal) return false;
        return !look.kept &&
               (options_.random_thresholds || (pick == Pick::best && !options_.fractional && !by_ratio()));
    }

    void cut_group(ColumnGroup& group, const Rows& rows, const NodeTotals& totals, const NodeKey& key,
                   Workspace& work) const {
        if (options_.random_thresholds)
            draw_cuts(group, rows, totals, key, work);
        else if (!cut_together(group, rows, totals))
            cut_each(group, rows, totals, key, work);
        group.size = 0;
    }

    void cut_each(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals, const NodeKey& key,
                  Workspace& work) const {
        if (is_bounded()) gather_codes(table_, group.list(), rows, work);
        for (std::size_t c = 0; c < group.size; ++c) {
            const std::int32_t j = group.columns[c];
            if (is_bounded())
                cut(column_of(j), static_cast<std::int64_t>(c), rows, totals, work, *group.offers[c]);
            else
                column({j, nullptr, group.offers[c]}, rows, totals, Pick::best, key.split_of(j), work);
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
            if (cuts[c].is_possible())
                cuts[c].draw(column_of(group.columns[c]), key.split_of(group.columns[c]));
        for (std::size_t c = 0; c < group.size; ++c) {
            if (!cuts[c].is_possible()) continue;
            const CodedColumn& column = column_of(group.columns[c]);
            cuts[c].settle(column);
            double* sides = sides_of(work);
            sum_sides(rows, layout_, column, work.gathered.data() + c * size, cuts[c].below, sides);
            judge_drawn(cuts[c], sides, totals, work, *group.offers[c]);
        }
    }

    // All columns at once, if the node has few rows; false otherwise.
    bool cut_together(const ColumnGroup& group, const Rows& rows, const NodeTotals& totals) const {
        const bool numbers = layout_.classes == 0;
        if (numbers ? options_.l2 > 0.0 : std::is_same_v<T, double> || options_.criterion != Criterion::gini)
            return false;
        bool done = false;
        with_score(totals.slots.data(), [&](const auto& score) {
            LaneNode node{totals.weight,
                          options_.min_samples_leaf,
                          limits_.weight,
                          score.tolerance(totals.tolerance),
                          {}};
            if (numbers)
                node.mean = totals.slots[0] / totals.slots[1];
            else
                node.classes = totals.value;
            const auto cut = cut_lanes(table_, group.list(), rows, node);
            if (cut)
                offer_cut_at({cut->score, cut->edge - 1, cut->edge, -1}, score.gain(cut->score),
                             *group.offers[cut->column]);
            done = cut.has_value();
        });
        return done;
    }

    void column(const Look& look, const Rows& rows, const NodeTotals& totals, Pick pick, Draws draws,
                Workspace& work) const {
        const CodedColumn& column = column_of(look.column);
        Offers& offers = *look.offers;
        const bool plain = pick == Pick::best && !column.nominal && !options_.fractional && !by_ratio();
        if (plain && !look.kept && !is_dense(rows.size, column.bins) &&
            cut_classes(column, rows, totals, work, offers))
            return;
        const Groups<T> groups =
            group_rows(column, rows, layout_, static_cast<const T*>(look.kept), work, slots(work));
        if (groups.size < 2) return;
        if (options_.random_thresholds && !column.nominal) {
            draw_cut(column, groups, totals, draws, work, offers);
            return;
        }
        if (plain && quick_pairs(column, groups, totals, offers)) return;
        if (column.nominal)
            nominal(column, groups, totals, pick, draws, work, offers);
        else
            ordered(column, groups, totals, pick, draws, work, offers);
    }

    static std::vector<T>& slots(Workspace& work) {
        if constexpr (std::is_same_v<T, double>)
            return work.sums;
        else
            return work.counts;
    }

    // The best cut, when nothing but that is wanted.
    void cut(const CodedColumn& column, std::int64_t place, const Rows& rows, const NodeTotals& totals,
             Workspace& work, Offers& offers) const {
        Rows sorted = rows;
        const GatheredCodes gathered = known_codes(column, place, sorted, work);
        with_score(totals.slots.data(), [&](const auto& score) {
            using Score = std::decay_t<decltype(score)>;
            const double tolerance = score.tolerance(totals.tolerance);
            const auto search = [&]<class Core>() {
                const Judge<Core> judge(sorted, score, gathered.size);
                return best_cut<JudgedBins<Judge<Core>>>(judge, gathered, column.bins, tolerance, work);
            };
            Candidate best;
            if constexpr (std::is_same_v<Score, SumScore>)
                best = search.template operator()<NumberCore>();
            else if constexpr (!Score::is_convex)
                return;  // nobody asks
            else if (layout_.classes > 2)
                best = best_class_cut({totals.value, totals.weight, limits_, layout_.count >= 0}, sorted,
                                      gathered, column.bins, tolerance, work);
            else if constexpr (std::is_same_v<T, double>)
                best = search.template operator()<ClassCore<ClassSums, Score>>();
            else if (limits_.rows > 1.0)
                best = search.template operator()<ClassCore<CountedPairs, Score>>();
            else
                best = search.template operator()<ClassCore<PairSums, Score>>();
            offer_cut_at(best, score.gain(best.score), offers);
        });
    }

    // The best cut of sorted rows of many classes; false when a value is missing.
    bool cut_classes(const CodedColumn& column, const Rows& rows, const NodeTotals& totals, Workspace& work,
                     Offers& offers) const {
        const KeyRange range = gather_keys(column, rows, work);
        if (range.low == range.high) return true;
        if (range.high == static_cast<std::uint32_t>(column.bins)) return false;
        sort_keys(work, rows.size, range.low, range.high);
        const KeyScan scan{work.keys.data(), rows.size, options_.min_samples_leaf};
        with_score(totals.slots.data(), [&](auto& score) {
            const double tolerance = score.tolerance(totals.tolerance);
            const Candidate best = scan_rows(scan, rows, layout_, score, tolerance, work);
            offer_cut_at(best, score.gain(best.score), offers);
        });
        return true;
    }

    // The best cut of a histogram of two classes; false when a value is missing.
    bool quick_pairs(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals,
                     Offers& offers) const {
        if (groups.codes || layout_.classes != 2 || !is_bounded() || layout_.stride != 2) return false;
        if (!is_empty(groups.slots + 2 * std::int64_t{column.bins}, layout_)) return false;
        with_score(totals.slots.data(), [&](auto& score) {
            const Candidate best =
                scan_pairs(groups.slots, column.bins, score, score.tolerance(totals.tolerance));
            offer_cut_at(best, score.gain(best.score), offers);
        });
        return true;
    }

    void ordered(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals, Pick pick,
                 Draws& draws, Workspace& work, Offers& offers) const {
        const std::int64_t last = groups.size - 1;
        const T* missing = groups.code(last) == column.bins ? groups.slots + last * layout_.stride : nullptr;
        std::vector<double>& known = work.known;
        const double share = known_totals(missing, totals, known);
        if (!(weight_of(known.data(), layout_) > 0.0)) return;
        with_score(known.data(), [&](auto& score) {
            ColumnPick picked(pick, options_.top_k, score.tolerance(totals.tolerance), draws);
            scan_ordered(groups, column.bins, layout_, !options_.fractional, score, work, picked);
            offers.mass = picked.mass() * share;
            for (const Candidate& c : picked.chosen()) offer_cut_at(c, share * score.gain(c.score), offers);
            if (!by_ratio()) return;
            for (Split& split : offers.splits)
                split.divisor = split_entropy(split, groups, column.bins, layout_);
            charge(offers.splits, threshold_cost(picked.cuts(), rows_of(totals.weight)), totals.tolerance);
        });
    }

    void nominal(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals, Pick pick,
                 Draws& draws, Workspace& work, Offers& offers) const {
        Present<T> present = present_groups(groups, column.bins, layout_, work.order);
        std::vector<double>& known = work.known;
        const double share = known_totals(present.missing, totals, known);
        if (!(weight_of(known.data(), layout_) > 0.0)) return;
        const bool direction = !options_.fractional;
        Split split;
        with_score(known.data(), [&](auto& score) {
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
                    static_cast<std::int32_t>((present.missing - groups.slots) / layout_.stride));
            if (present.places.size() < 2) return;
            split = options_.random_thresholds
                        ? random_subset(groups, column.bins, present.places, layout_, score, draws, work)
                        : best_subset(groups, column.bins, present.places, layout_, options_, score,
                                      tolerance, draws, work);
        });
        if (split.gain == no_gain) return;
        split.gain *= share;
        if (by_ratio()) split.divisor = split_entropy(split, groups, column.bins, layout_);
        if (pick == Pick::proportional) offers.mass = std::max(0.0, split.gain);
        offers.splits.push_back(std::move(split));
    }

    // A threshold drawn in a histogram, as draw_cuts draws it among rows.
    void draw_cut(const CodedColumn& column, const Groups<T>& groups, const NodeTotals& totals,
                  const Draws& draws, Workspace& work, Offers& offers) const {
        const T* slots = groups.slots;
        const auto is_there = [&](std::int32_t code) {
            return !is_empty(slots + std::int64_t{code} * layout_.stride, layout_);
        };
        DrawnCut cut{0, column.bins - 1};
        while (cut.is_possible() && !is_there(cut.first)) ++cut.first;
        while (cut.is_possible() && !is_there(cut.last)) --cut.last;
        if (!cut.is_possible()) return;
        cut.draw(column, draws);
        cut.settle(column);
        double* sides = sides_of(work);
        std::fill_n(sides, 3 * layout_.stride, 0.0);
        sum_codes(slots, 0, cut.below + 1, sides);
        sum_codes(slots, column.bins, column.bins + 1, sides + 2 * layout_.stride);
        judge_drawn(cut, sides, totals, work, offers);
    }

    // `left` is what lies on the left of the cut, on its right, and what lacks the value.
    void judge_drawn(const DrawnCut& cut, double* left, const NodeTotals& totals, Workspace& work,
                     Offers& offers) const {
        const double* missing = left + 2 * layout_.stride;
        const bool lacking = !is_empty(missing, layout_);
        const double share = known_totals(lacking ? missing : nullptr, totals, work.known);
        with_score(work.known.data(), [&](auto& score) {
            Judged judged{score(left), lacking && !options_.fractional ? 1 : -1};
            if (judged.missing_child == 1) {
                add_to(left, missing, layout_);
                const double with = score(left);
                if (!(judged.score > with + score.tolerance(totals.tolerance))) judged = {with, 0};
            }
            offer_cut_at({judged.score, cut.below, cut.below + 1, judged.missing_child},
                         share * score.gain(judged.score), offers);
            if (!offers.splits.empty()) offers.splits.back().cut = cut.at;
            if (offers.splits.empty() || !by_ratio()) return;
            const double all = weight_of(work.known.data(), layout_);
            const double weight =
                weight_of(left, layout_) - (judged.missing_child == 1 ? weight_of(missing, layout_) : 0.0);
            offers.splits.back().divisor =
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
