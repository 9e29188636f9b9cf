// Splits by the sum of absolute deviations from the median.

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/stop.hpp"
#include "core/tree/columns/histogram.hpp"
#include "core/tree/columns/threshold.hpp"
#include "core/tree/search/best_split.hpp"
#include "core/tree/search/column_search.hpp"
#include "core/tree/search/scan_candidates.hpp"

namespace hornbook {

namespace {

// A growing set of numbers with the sum of absolute deviations from its median: a Fenwick tree (Fenwick 1994)
// over the ranks of the numbers, with weights and weighted numbers.
class Deviations {
  public:
    explicit Deviations(const std::vector<double>& sorted)
        : sorted_(sorted), weight_(sorted.size() + 1), sum_(sorted.size() + 1) {}

    void clear() {
        std::fill(weight_.begin(), weight_.end(), 0.0);
        std::fill(sum_.begin(), sum_.end(), 0.0);
        total_weight_ = total_sum_ = rows_ = 0.0;
        pace_.spend(std::ssize(weight_));
    }

    void add(std::int32_t place, double weight) {
        const double number = sorted_[static_cast<std::size_t>(place)];
        for (auto i = static_cast<std::size_t>(place) + 1; i < weight_.size(); i += i & (~i + 1)) {
            weight_[i] += weight;
            sum_[i] += weight * number;
        }
        total_weight_ += weight;
        total_sum_ += weight * number;
        rows_ += 1.0;
        pace_.spend(std::bit_width(weight_.size()));
    }

    double cost() const {
        // Descends to the last rank with less than half of the weight before it.
        std::size_t at = 0;
        double weight = 0.0, sum = 0.0;
        for (std::size_t step = std::bit_floor(weight_.size() - 1); step > 0; step /= 2) {
            if (at + step >= weight_.size() || weight + weight_[at + step] >= 0.5 * total_weight_) continue;
            at += step;
            weight += weight_[at];
            sum += sum_[at];
        }
        const double median = sorted_[std::min(at, sorted_.size() - 1)];
        return std::max(0.0, median * (2.0 * weight - total_weight_) + total_sum_ - 2.0 * sum);
    }

    double weight() const { return total_weight_; }
    double rows() const { return rows_; }

  private:
    const std::vector<double>& sorted_;
    std::vector<double> weight_, sum_;
    double total_weight_ = 0.0, total_sum_ = 0.0, rows_ = 0.0;
    Pace pace_;
};

// Sum of deviations, weight and rows of a side.
struct Side {
    double cost = 0.0, weight = 0.0, rows = 0.0;
};

// The score is the gain itself.
struct PlainScore {
    double gain(double score) const { return score; }
};

using Group = std::vector<std::int32_t>;  // positions in the node

class AbsoluteSearch final : public Search {
  public:
    AbsoluteSearch(const CodedTable& table, const TreeOptions& options)
        : table_(table), options_(options), limits_(Limits::of(options)) {}

    std::int64_t bytes_per_code() const override { return 0; }
    void add(std::int32_t, const Rows&, void*) const override {}
    void take(std::int32_t, const Rows&, void*) const override {}
    int value_size() const override { return 1; }

    void totals(const Rows& rows, NodeTotals& totals) const override {
        const auto size = static_cast<std::size_t>(rows.size);
        std::vector<std::int32_t> order(size);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int32_t a, std::int32_t b) { return rows.sum[a] < rows.sum[b]; });
        totals.sorted.resize(size);
        totals.place.resize(size);
        totals.weight = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            totals.sorted[i] = rows.sum[order[i]];
            totals.place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
            totals.weight += rows.weight_of(order[i]);
        }
        totals.value.assign(1, median(rows, order, totals.weight));
        double cost = 0.0;
        for (std::int64_t i = 0; i < rows.size; ++i)
            cost += rows.weight_of(i) * std::abs(rows.sum[i] - totals.value[0]);
        totals.pure = totals.sorted.front() == totals.sorted.back();
        totals.impurity = totals.pure ? 0.0 : cost / totals.weight;
        totals.tolerance = 1e-12 * totals.impurity;
    }

    void columns(std::span<const ColumnTask> tasks, const Rows& rows, const NodeTotals& totals, Pick pick,
                 const NodeKey& key, Workspace& work) const override {
        for (const ColumnTask& task : tasks)
            column(table_.columns[static_cast<std::size_t>(task.column)], {rows, totals}, pick,
                   key.split_of(task.column), work, *task.candidates);
    }

  private:
    struct CodeGroups {
        std::vector<std::int32_t> codes;
        std::vector<Group> groups;
        Group missing;
    };

    struct Node {
        const Rows& rows;
        const NodeTotals& totals;
    };

    void column(const CodedColumn& column, const Node& node, Pick pick, Draws draws, Workspace& work,
                ColumnCandidates& candidates) const {
        CodeGroups by_code = groups_of(column, node.rows, work);
        const bool direction = !options_.fractional && !by_code.missing.empty();
        if (by_code.groups.size() + (direction ? 1 : 0) < 2 || by_code.groups.empty()) return;
        Deviations deviations(node.totals.sorted);
        if (column.nominal && options_.multiway) {
            multiway(node, by_code, deviations, candidates);
        } else if (column.nominal) {
            sort_by_median(node, by_code);
            cuts(column, node, by_code, pick, draws, deviations, candidates);
        } else {
            cuts(column, node, by_code, pick, draws, deviations, candidates);
        }
    }

    // The weighted median; the middle of two numbers when exactly half of the weight lies on either side.
    static double median(const Rows& rows, const std::vector<std::int32_t>& order, double total) {
        double below = 0.0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            below += rows.weight_of(order[i]);
            if (2.0 * below < total) continue;
            const double number = rows.sum[order[i]];
            const bool even = 2.0 * below == total && i + 1 < order.size();
            return even ? 0.5 * number + 0.5 * rows.sum[order[i + 1]] : number;
        }
        return rows.sum[order.back()];
    }

    static CodeGroups groups_of(const CodedColumn& column, const Rows& rows, Workspace& work) {
        CodeGroups by_code;
        const auto [low, high] = gather_keys(column, rows, work);
        sort_keys(work, rows.size, low, high);
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const std::uint64_t key = work.keys[static_cast<std::size_t>(i)];
            const auto code = static_cast<std::int32_t>(key >> 32);
            const auto position = static_cast<std::int32_t>(key & 0xffffffffu);
            if (code == column.bins) {
                by_code.missing.push_back(position);
                continue;
            }
            if (by_code.codes.empty() || by_code.codes.back() != code) {
                by_code.codes.push_back(code);
                by_code.groups.emplace_back();
            }
            by_code.groups.back().push_back(position);
        }
        return by_code;
    }

    static void add_group(const Node& node, const Group& group, Deviations& deviations) {
        for (const std::int32_t i : group)
            deviations.add(node.totals.place[static_cast<std::size_t>(i)], node.rows.weight_of(i));
    }

    // Levels by their medians, a heuristic: the best of all subsets may be another.
    void sort_by_median(const Node& node, CodeGroups& by_code) const {
        std::vector<double> medians;
        for (Group& group : by_code.groups) {
            std::sort(group.begin(), group.end(), [&](std::int32_t a, std::int32_t b) {
                return node.totals.place[static_cast<std::size_t>(a)] <
                       node.totals.place[static_cast<std::size_t>(b)];
            });
            double total = 0.0;
            for (const std::int32_t i : group) total += node.rows.weight_of(i);
            medians.push_back(median(node.rows, group, total));
        }
        std::vector<std::size_t> order(by_code.groups.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return medians[a] < medians[b]; });
        CodeGroups sorted;
        for (const std::size_t i : order) {
            sorted.codes.push_back(by_code.codes[i]);
            sorted.groups.push_back(std::move(by_code.groups[i]));
        }
        sorted.missing = std::move(by_code.missing);
        by_code = std::move(sorted);
    }

    // The sides before each group (or, from the end, after it), with `extra` rows in all of them.
    static std::vector<Side> sides(const Node& node, const CodeGroups& by_code, const Group& extra,
                                   bool forward, Deviations& deviations) {
        deviations.clear();
        add_group(node, extra, deviations);
        std::vector<Side> out(by_code.groups.size());
        for (std::size_t step = 0; step < out.size(); ++step) {
            const std::size_t g = forward ? step : out.size() - 1 - step;
            add_group(node, by_code.groups[g], deviations);
            out[g] = {deviations.cost(), deviations.weight(), deviations.rows()};
        }
        return out;
    }

    double gain(const Side& left, const Side& right, double before, double weight) const {
        if (!limits_.hold(left.rows, right.rows, left.weight, right.weight)) return no_gain;
        return (before - left.cost - right.cost) / weight;
    }

    void cuts(const CodedColumn& column, const Node& node, const CodeGroups& by_code, Pick pick, Draws& draws,
              Deviations& deviations, ColumnCandidates& candidates) const {
        const Group none;
        const std::vector<Side> left = sides(node, by_code, none, true, deviations);
        const std::vector<Side> right = sides(node, by_code, none, false, deviations);
        const bool direction = !options_.fractional && !by_code.missing.empty();
        std::vector<Side> more_left, more_right;
        if (direction) {
            more_left = sides(node, by_code, by_code.missing, true, deviations);
            more_right = sides(node, by_code, by_code.missing, false, deviations);
        }
        const Side all = direction ? more_left.back() : left.back();
        const double share = all.weight / node.totals.weight;
        ColumnPick picked(column.nominal ? Pick::best : pick, options_.top_k, node.totals.tolerance, draws);
        const PlainScore score;
        const auto consider = [&](const Side& one, const Side& two, std::size_t at,
                                  std::int32_t missing_child) {
            picked.consider(score, gain(one, two, all.cost, all.weight), static_cast<std::int32_t>(at),
                            static_cast<std::int32_t>(at + 1), missing_child);
        };
        const auto most = static_cast<std::size_t>(column.nominal ? options_.subset_size : 0);
        const std::size_t n = by_code.groups.size(), chosen = drawn(column, by_code, draws);
        for (std::size_t at = 0; at + 1 < n; ++at) {
            if (most > 0 && at + 1 > most && n - at - 1 > most) continue;
            if (options_.random_thresholds && at != chosen) continue;
            if (direction) {
                consider(more_left[at], right[at + 1], at, 0);
                consider(left[at], more_right[at + 1], at, 1);
            } else {
                consider(left[at], right[at + 1], at, -1);
            }
        }
        if (direction && (!options_.random_thresholds || n == 1)) {
            deviations.clear();
            add_group(node, by_code.missing, deviations);
            consider(left.back(), {deviations.cost(), deviations.weight(), deviations.rows()}, n - 1, 1);
        }
        candidates.mass = picked.mass() * share;
        for (const Candidate& c : picked.chosen())
            candidates.splits.push_back(split_at(column, by_code, c, share));
    }

    // The cut that a drawn threshold makes: any of them, in proportion to the gap between the values.
    std::size_t drawn(const CodedColumn& column, const CodeGroups& by_code, Draws& draws) const {
        if (!options_.random_thresholds) return 0;
        if (column.nominal)
            return static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(by_code.codes.size())));
        const std::vector<std::uint32_t> codes(by_code.codes.begin(), by_code.codes.end());
        DrawnCut cut = DrawnCut::of(column, codes);
        if (!cut.is_possible()) return 0;
        cut.draw(column, draws);
        cut.settle(column);
        const auto after = std::upper_bound(by_code.codes.begin(), by_code.codes.end(), cut.below);
        return static_cast<std::size_t>(std::max<std::int64_t>(1, after - by_code.codes.begin())) - 1;
    }

    static Split split_at(const CodedColumn& column, const CodeGroups& by_code, const Candidate& c,
                          double share) {
        Split split;
        split.gain = share * c.score;
        split.missing_child = c.missing_child;
        if (!column.nominal) {
            split.kind = SplitKind::threshold;
            split.below = by_code.codes[static_cast<std::size_t>(c.below)];
            split.above = static_cast<std::size_t>(c.above) < by_code.codes.size()
                              ? by_code.codes[static_cast<std::size_t>(c.above)]
                              : column.bins;
            return split;
        }
        split.kind = SplitKind::subset;
        const auto cut = by_code.codes.begin() + c.below + 1;
        const bool ours =
            cut - by_code.codes.begin() <= by_code.codes.end() - cut || cut == by_code.codes.end();
        split.levels.assign(ours ? by_code.codes.begin() : cut, ours ? cut : by_code.codes.end());
        if (!ours && split.missing_child >= 0) split.missing_child = 1 - split.missing_child;
        std::sort(split.levels.begin(), split.levels.end());
        return split;
    }

    void multiway(const Node& node, const CodeGroups& by_code, Deviations& deviations,
                  ColumnCandidates& candidates) const {
        if (by_code.groups.size() < 2) return;
        double cost = 0.0, heaviest = 0.0;
        Split split;
        Group known;
        for (std::size_t v = 0; v < by_code.groups.size(); ++v) {
            deviations.clear();
            add_group(node, by_code.groups[v], deviations);
            if (deviations.rows() < limits_.rows || deviations.weight() < limits_.weight) return;
            cost += deviations.cost();
            if (deviations.weight() > heaviest) split.missing_child = static_cast<std::int32_t>(v);
            heaviest = std::max(heaviest, deviations.weight());
            known.insert(known.end(), by_code.groups[v].begin(), by_code.groups[v].end());
        }
        deviations.clear();
        add_group(node, known, deviations);
        // Rows that lack a value join the heaviest branch; the gain is that of the others.
        split.gain = (deviations.cost() - cost) / node.totals.weight;
        if (by_code.missing.empty() || options_.fractional) split.missing_child = -1;
        split.kind = SplitKind::multiway;
        split.levels = by_code.codes;
        candidates.mass = std::max(0.0, split.gain);
        candidates.splits.push_back(std::move(split));
    }

    const CodedTable& table_;
    const TreeOptions& options_;
    Limits limits_;
};

}  // namespace

std::unique_ptr<Search> make_absolute_search(const CodedTable& table, const TreeOptions& options) {
    return std::make_unique<AbsoluteSearch>(table, options);
}

}  // namespace hornbook
