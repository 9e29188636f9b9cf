// The best split of a node from its histograms of gradient pairs.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/tree/grow/node.hpp"
#include "core/tree/grow/options.hpp"
#include "core/tree/pairs/level_search.hpp"
#include "core/tree/pairs/pair_histogram.hpp"

namespace hornbook {

// Which codes of a column go to the left.
struct Sides {
    Sides(const Split& split, std::int32_t bins);

    std::uint8_t left[256];
};

// Bounds of the values of a node and all below it, which keep monotone columns monotone.
struct ValueBounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

// A node, in the units of its pairs.
struct PairNode {
    std::int64_t sum = 0, mass = 0;
    std::int64_t rows = 0;
    double weight = 0.0;
    double score = 0.0;            // T(G)^2 / (H + l2), or less if the value is bounded
    double floor = 0.0;            // what the scores of both sides must exceed
    double low = 0.0, high = 0.0;  // bounds of the value, in the units
};

// The best cut of a column.
struct PairCut {
    double score = no_gain;  // of both sides
    std::int32_t below = 0;  // last code on the left; of categories, in the order of their levels
    std::int32_t missing_child = -1;
};

// How cuts are scored: without l1, with it, or with bounded values and monotone columns.
enum class Scoring { plain, penalized, constrained };

class PairSearch {
  public:
    PairSearch(const CodedTable& table, const GroupedColumns& columns, const TreeOptions& options,
               const PairUnits& units, double total_weight);

    // A node of these sums; those of the root, and of the rows on the left of a split.
    PairNode node_of(FixedPair total, const ValueBounds& bounds) const;
    FixedPair total(const CodeSums* histogram) const;
    std::int64_t rows_of(FixedPair total) const { return units_.rows(total.mass); }
    FixedPair left_of(const Split& split, const CodeSums* histogram) const;

    // The best cut of each column of a group.
    void search(std::int64_t group, const CodeSums* histogram, const PairNode& node, PairCut* cuts) const;

    // The cut of a column as a split.
    Split split_of(std::int32_t column, const CodeSums* histogram, const PairCut& cut) const;

    // The value of a node of these sums.
    double value_of(FixedPair total, const ValueBounds& bounds) const;

    // Twice the decrease of the loss by a split with this score.
    double decrease(const PairNode& node, double score) const;

  private:
    void search_half(std::int64_t first, const CodeSums* histogram, const PairNode& node,
                     PairCut* cuts) const;
    void search_few_levels(std::int64_t group, std::int32_t levels, const CodeSums* histogram,
                           const PairNode& node, PairCut* cuts) const;
    PairCut search_levels(std::int64_t column, const CodeSums* histogram, const PairNode& node) const;
    NodeLevels levels_of(std::int64_t column, const CodeSums* histogram) const;
    double support_of(std::int64_t column) const;
    Scoring scoring() const {
        return constrained_ ? Scoring::constrained : l1_ > 0.0 ? Scoring::penalized : Scoring::plain;
    }
    const CodeSums* sums_of(std::int64_t group, const CodeSums* histogram) const {
        return histogram + columns_.first[static_cast<std::size_t>(group)];
    }

    const CodedTable& table_;
    const GroupedColumns& columns_;
    const TreeOptions& options_;
    PairUnits units_;
    double l1_, l2_;       // in the units
    double lightest_;      // a side must weigh more
    double total_weight_;  // of the root
    bool constrained_;     // whether some column is monotone
};

}  // namespace hornbook
