// Searches whose scores come from costs of growing sets of rows: medians, and several targets at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/columns/threshold.hpp"
#include "core/tree/search/best_split.hpp"
#include "core/tree/search/column_search.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

// Cost, weight and rows of a side, and the value that monotone columns keep in order.
struct Side {
    double cost = 0.0, weight = 0.0, rows = 0.0, value = 0.0;
};

using Positions = std::span<const std::int32_t>;  // of rows in their node

// The rows of a node by the code of a column.
struct CodeGroups {
    std::vector<std::int32_t> codes;      // of each group
    std::vector<std::int32_t> positions;  // group after group
    std::vector<std::int32_t> starts{0};  // of each group, and the end
    std::vector<std::int32_t> missing;

    std::size_t size() const { return codes.size(); }
    Positions group(std::size_t g) const {
        return Positions(positions).subspan(static_cast<std::size_t>(starts[g]),
                                            static_cast<std::size_t>(starts[g + 1] - starts[g]));
    }
    void add(std::int32_t code, Positions group) {
        codes.push_back(code);
        positions.insert(positions.end(), group.begin(), group.end());
        starts.push_back(static_cast<std::int32_t>(positions.size()));
    }
    // The groups in another order.
    CodeGroups ordered(const std::vector<std::size_t>& order) const {
        CodeGroups sorted;
        for (const std::size_t g : order) sorted.add(codes[g], group(g));
        sorted.missing = missing;
        return sorted;
    }
};

struct SearchedNode {
    const Rows& rows;
    const NodeTotals& totals;
};

// The order of groups by one number for each.
inline std::vector<std::size_t> order_of(const std::vector<double>& ranks) {
    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
    return order;
}

// `Own` has costs(node), which gives the Costs of an empty set of rows, and ranks(node, groups), which gives
// the orders in which levels of a category are divided, as lists of one number for each level. Costs have
// clear(), add(position, weight) and side().
template <class Own, class Costs>
class PrefixSearch : public Search {
  public:
    PrefixSearch(const CodedTable& table, const TreeOptions& options)
        : table_(table), options_(options), limits_(Limits::of(options)) {}

    std::int64_t bytes_per_code() const override { return 0; }
    void add(std::int32_t, const Rows&, void*) const override {}
    void take(std::int32_t, const Rows&, void*) const override {}

    void columns(std::span<const ColumnTask> tasks, const Rows& rows, const NodeTotals& totals, Pick pick,
                 const NodeKey& key, Workspace& work) const override {
        for (const ColumnTask& task : tasks)
            column(table_.columns[static_cast<std::size_t>(task.column)], {rows, totals}, pick,
                   key.split_of(task.column), work, *task.candidates);
    }

  protected:
    const TreeOptions& options() const { return options_; }

  private:
    // The score is the gain itself.
    struct PlainScore {
        double gain(double score) const { return score; }
    };

    void column(const CodedColumn& column, const SearchedNode& node, Pick pick, Draws draws, Workspace& work,
                ColumnCandidates& candidates) const {
        const auto& own = static_cast<const Own&>(*this);
        const CodeGroups by_code = groups_of(column, node.rows, work);
        const bool direction = !options_.fractional && !by_code.missing.empty();
        if (by_code.size() + (direction ? 1 : 0) < 2 || by_code.size() == 0) return;
        Costs costs = own.costs(node);
        if (!column.nominal) {
            cuts(column, node, by_code, pick, draws, costs, candidates);
        } else if (options_.multiway) {
            multiway(node, by_code, costs, candidates);
        } else {
            // Of several orders the best cut counts, the first of equal ones.
            for (const std::vector<double>& ranks : own.ranks(node, by_code)) {
                ColumnCandidates of_order;
                cuts(column, node, by_code.ordered(order_of(ranks)), pick, draws, costs, of_order);
                const bool better =
                    candidates.splits.empty() ||
                    (!of_order.splits.empty() &&
                     of_order.splits[0].gain > candidates.splits[0].gain + node.totals.tolerance);
                if (better) candidates = std::move(of_order);
            }
        }
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
            } else if (!by_code.codes.empty() && by_code.codes.back() == code) {
                by_code.positions.push_back(position);
                ++by_code.starts.back();
            } else {
                by_code.add(code, Positions(&position, 1));
            }
        }
        return by_code;
    }

    static void add_rows(const SearchedNode& node, Positions group, Costs& costs) {
        for (const std::int32_t i : group) costs.add(i, node.rows.weight_of(i));
    }

    // The sides before each group (or, from the end, after it), with `extra` rows in all of them.
    static std::vector<Side> sides(const SearchedNode& node, const CodeGroups& by_code, Positions extra,
                                   bool forward, Costs& costs) {
        costs.clear();
        add_rows(node, extra, costs);
        std::vector<Side> out(by_code.size());
        for (std::size_t step = 0; step < out.size(); ++step) {
            const std::size_t g = forward ? step : out.size() - 1 - step;
            add_rows(node, by_code.group(g), costs);
            out[g] = costs.side();
        }
        return out;
    }

    double gain(const CodedColumn& column, const NodeTotals& totals, const Side& left, const Side& right,
                const Side& all) const {
        if (!limits_.hold(left.rows, right.rows, left.weight, right.weight)) return no_gain;
        const auto j = static_cast<std::size_t>(&column - table_.columns.data());
        const std::int32_t sign = options_.monotone.empty() ? 0 : options_.monotone[j];
        if (sign != 0 && !(totals.bounds.hold(left.value) && totals.bounds.hold(right.value) &&
                           (left.value - right.value) * sign <= 0.0))
            return no_gain;
        const double inside = left.cost + right.cost;
        constexpr double most = std::numeric_limits<double>::infinity();
        return inside < most && all.cost < most ? (all.cost - inside) / all.weight : no_gain;
    }

    void cuts(const CodedColumn& column, const SearchedNode& node, const CodeGroups& by_code, Pick pick,
              Draws& draws, Costs& costs, ColumnCandidates& candidates) const {
        const std::vector<Side> left = sides(node, by_code, {}, true, costs);
        const std::vector<Side> right = sides(node, by_code, {}, false, costs);
        const bool direction = !options_.fractional && !by_code.missing.empty();
        std::vector<Side> more_left, more_right;
        if (direction) {
            more_left = sides(node, by_code, by_code.missing, true, costs);
            more_right = sides(node, by_code, by_code.missing, false, costs);
        }
        const Side all = direction ? more_left.back() : left.back();
        const double share = all.weight / node.totals.weight;
        ColumnPick picked(column.nominal ? Pick::best : pick, options_.top_k, node.totals.tolerance, draws);
        const PlainScore score;
        const auto consider = [&](const Side& one, const Side& two, std::size_t at,
                                  std::int32_t missing_child) {
            picked.consider(score, gain(column, node.totals, one, two, all), static_cast<std::int32_t>(at),
                            static_cast<std::int32_t>(at + 1), missing_child);
        };
        const auto most = static_cast<std::size_t>(column.nominal ? options_.subset_size : 0);
        const std::size_t n = by_code.size(), chosen = drawn(column, by_code, draws);
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
            costs.clear();
            add_rows(node, by_code.missing, costs);
            consider(left.back(), costs.side(), n - 1, 1);
        }
        candidates.mass = picked.mass() * share;
        for (const Candidate& c : picked.chosen())
            candidates.splits.push_back(split_at(column, by_code, c, share));
    }

    // The cut that a drawn threshold makes: any of them, in proportion to the gap between the values.
    std::size_t drawn(const CodedColumn& column, const CodeGroups& by_code, Draws& draws) const {
        if (!options_.random_thresholds) return 0;
        if (column.nominal)
            return static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(by_code.size())));
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
            split.above = static_cast<std::size_t>(c.above) < by_code.size()
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

    void multiway(const SearchedNode& node, const CodeGroups& by_code, Costs& costs,
                  ColumnCandidates& candidates) const {
        if (by_code.size() < 2) return;
        double cost = 0.0, heaviest = 0.0;
        Split split;
        for (std::size_t v = 0; v < by_code.size(); ++v) {
            costs.clear();
            add_rows(node, by_code.group(v), costs);
            const Side side = costs.side();
            if (side.rows < limits_.rows || side.weight < limits_.weight) return;
            cost += side.cost;
            if (side.weight > heaviest) split.missing_child = static_cast<std::int32_t>(v);
            heaviest = std::max(heaviest, side.weight);
        }
        costs.clear();
        add_rows(node, by_code.positions, costs);
        // Rows that lack a value join the heaviest branch; the gain is that of the others.
        const double whole = costs.side().cost;
        if (!(cost < std::numeric_limits<double>::infinity())) return;
        split.gain = (whole - cost) / node.totals.weight;
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

}  // namespace hornbook
