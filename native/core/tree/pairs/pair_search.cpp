#include "core/tree/pairs/pair_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/tree/pairs/level_search.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

// Scores closer than this are equal: the first of them is taken.
constexpr double tie = 1e-12;

// What the search of four columns needs, the same in all lanes unless it has some for each.
struct ScanInput {
    double sum, weight;  // of the node
    double l1, l2, lightest;
    std::int64_t fewest, most;  // rows of the left side
    int count_bits;
    std::int32_t codes;
    bool has_missing;
    Mask missing_sum, missing_mass;
    double low, high;  // bounds of values
    Numbers sign;      // of monotone columns
};

struct LaneCuts {
    Numbers above, below;  // the best score as a fraction
    Mask at, side;         // its code, and the child of missing values
};

typedef std::uint64_t Words __attribute__((vector_size(32), may_alias));

// Integers below 2^51 as doubles: added to the bits of 1.5 * 2^52.
__attribute__((always_inline)) inline void to_doubles(const Mask& whole, Numbers& out) {
    constexpr double shifter = 0x1.8p52;
    constexpr std::int64_t bits = 0x4338000000000000;
    out = reinterpret_cast<Numbers>(whole + bits) - shifter;
}

__attribute__((always_inline)) inline void shrink(const Numbers& sum, double l1, Numbers& out) {
    const Numbers size = (sum < 0.0 ? -sum : sum) - l1;
    const Numbers rest = size > 0.0 ? size : Numbers{};
    out = sum < 0.0 ? -rest : rest;
}

// The bounded value of a side, and its score 2 T(G) w - (H + l2) w^2.
__attribute__((always_inline)) inline void bounded_side(const ScanInput& in, const Numbers& sum,
                                                        const Numbers& below, Numbers& value,
                                                        Numbers& score) {
    Numbers pull;
    shrink(sum, in.l1, pull);
    value = pull / below;
    value = value > in.low ? value : Numbers{} + in.low;
    value = value < in.high ? value : Numbers{} + in.high;
    const Numbers size = value < 0.0 ? -value : value;
    score = 2.0 * (sum * value - in.l1 * size) - below * value * value;
}

// Compares the scores of the cuts after a code with the best so far, both as fractions.
template <Scoring How>
__attribute__((always_inline)) inline void consider(const ScanInput& in, const Mask& left_sum,
                                                    const Mask& left_mass, const Mask& code,
                                                    std::int64_t side, LaneCuts& best) {
    Numbers sum, weight;
    to_doubles(left_sum, sum);
    to_doubles(reinterpret_cast<Mask>(reinterpret_cast<Words>(left_mass) >> in.count_bits), weight);
    const Numbers rest = in.weight - weight, other = in.sum - sum;
    const Numbers left = weight + in.l2, right = rest + in.l2;
    Numbers above, below;
    Mask allowed = (weight > in.lightest) & (rest > in.lightest);
    if constexpr (How == Scoring::constrained) {
        Numbers left_value, right_value, left_score, right_score;
        bounded_side(in, sum, left, left_value, left_score);
        bounded_side(in, other, right, right_value, right_score);
        above = left_score + right_score;
        below = Numbers{} + 1.0;
        allowed &= (right_value - left_value) * in.sign >= 0.0;
    } else {
        Numbers one = sum, two = other;
        if constexpr (How == Scoring::penalized) {
            shrink(sum, in.l1, one);
            shrink(other, in.l1, two);
        }
        above = one * one * right + two * two * left;
        below = left * right;
    }
    const Mask rows = left_mass & ((std::int64_t{1} << in.count_bits) - 1);
    const Mask better =
        (above * best.below > best.above * below) & allowed & (rows > in.fewest - 1) & (in.most + 1 > rows);
    Numbers size = above;
    if constexpr (How == Scoring::constrained) size = above < 0.0 ? -above : above;
    best.above = better ? above + size * tie : best.above;
    best.below = better ? below : best.below;
    best.at = better ? code : best.at;
    best.side = better ? Mask{} + side : best.side;
}

// Codes in ascending order; missing values are tried on both sides. The code after a column's last one holds
// its missing values: once it is added no rows are left for the other side, and the cut is not allowed.
template <Scoring How>
__attribute__((always_inline)) inline void scan(const ScanInput& given, const CodeSums* sums,
                                                std::int64_t lane, LaneCuts& out) {
    const ScanInput in = given;
    LaneCuts best = out;
    Mask sum{}, mass{}, code{};
    for (std::int32_t c = 0; c < in.codes; ++c, code += 1) {
        sum += *reinterpret_cast<const Mask*>(reinterpret_cast<const std::int64_t*>(&sums[c].sum) + lane);
        mass += *reinterpret_cast<const Mask*>(reinterpret_cast<const std::int64_t*>(&sums[c].mass) + lane);
        if (in.has_missing) consider<How>(in, sum + in.missing_sum, mass + in.missing_mass, code, 0, best);
        consider<How>(in, sum, mass, code, 1, best);
    }
    out = best;
}

HORNBOOK_WIDE void scan_codes(const ScanInput& in, const CodeSums* sums, std::int64_t lane, Scoring how,
                              LaneCuts& best) {
    if (how == Scoring::constrained)
        scan<Scoring::constrained>(in, sums, lane, best);
    else if (how == Scoring::penalized)
        scan<Scoring::penalized>(in, sums, lane, best);
    else
        scan<Scoring::plain>(in, sums, lane, best);
}

// The same for cuts after each of some levels, from the sums of all up to it.
template <Scoring How>
__attribute__((always_inline)) inline void scan_left(const ScanInput& given, const CodeSums* left,
                                                     std::int64_t lane, LaneCuts& out) {
    const ScanInput in = given;
    LaneCuts best = out;
    Mask code{};
    for (std::int32_t c = 0; c < in.codes; ++c, code += 1) {
        const auto* sum = reinterpret_cast<const std::int64_t*>(&left[c].sum) + lane;
        const auto* mass = reinterpret_cast<const std::int64_t*>(&left[c].mass) + lane;
        consider<How>(in, *reinterpret_cast<const Mask*>(sum), *reinterpret_cast<const Mask*>(mass), code, 1,
                      best);
    }
    out = best;
}

HORNBOOK_WIDE void scan_levels(const ScanInput& in, const CodeSums* left, std::int64_t lane, Scoring how,
                               LaneCuts& best) {
    if (how == Scoring::constrained)
        scan_left<Scoring::constrained>(in, left, lane, best);
    else if (how == Scoring::penalized)
        scan_left<Scoring::penalized>(in, left, lane, best);
    else
        scan_left<Scoring::plain>(in, left, lane, best);
}

// The value of some sums within bounds, and its score as in bounded_side.
struct Side {
    double value, score;

    Side(double sum, double weight, double l1, double l2, double low, double high) {
        const double pull = shrunk(sum, l1);
        value = std::clamp(pull / (weight + l2), low, high);
        score = value == pull / (weight + l2)
                    ? pull * value
                    : 2.0 * (sum * value - l1 * std::abs(value)) - (weight + l2) * value * value;
    }
};

}  // namespace

PairSearch::PairSearch(const CodedTable& table, const GroupedColumns& columns, const TreeOptions& options,
                       const PairUnits& units, double total_weight)
    : table_(table),
      columns_(columns),
      options_(options),
      units_(units),
      l1_(options.l1 / units.sum),
      l2_(options.l2 / units.weight),
      lightest_(std::max(options.min_weight_leaf / units.weight * (1.0 - 1e-12), 0.5)),
      total_weight_(total_weight),
      constrained_(std::any_of(options.monotone.begin(), options.monotone.end(),
                               [](std::int32_t sign) { return sign != 0; })) {}

Sides::Sides(const Split& split, std::int32_t bins) {
    for (std::int32_t c = 0; c < 256; ++c)
        left[c] = split.kind == SplitKind::threshold && c <= split.below ? 1 : 0;
    for (const std::int32_t level : split.levels) left[level] = 1;
    left[bins] = split.missing_child == 0 ? 1 : 0;
}

PairNode PairSearch::node_of(FixedPair total, const ValueBounds& bounds) const {
    PairNode node{total.sum, total.mass, units_.rows(total.mass), units_.weight_of(total.mass)};
    const double unit = units_.weight / units_.sum;
    node.low = bounds.low * unit;
    node.high = bounds.high * unit;
    node.score = Side(static_cast<double>(node.sum), node.weight, l1_, l2_, node.low, node.high).score;
    const double least = std::max({2.0 * options_.gamma, options_.min_gain * node.weight * units_.weight,
                                   options_.min_impurity_decrease * total_weight_});
    node.floor = node.score + std::abs(node.score) * tie + least * unit / units_.sum;
    return node;
}

double PairSearch::value_of(FixedPair total, const ValueBounds& bounds) const {
    const double weight = units_.weight_of(total.mass) * units_.weight + options_.l2;
    const double sum = static_cast<double>(total.sum) * units_.sum;
    return std::clamp(shrunk(sum, options_.l1) / weight, bounds.low, bounds.high);
}

FixedPair PairSearch::total(const CodeSums* histogram) const {
    FixedPair total{0, 0};
    for (std::int32_t c = 0; c < columns_.codes[0]; ++c) {
        total.sum += histogram[c].sum[0];
        total.mass += histogram[c].mass[0];
    }
    return total;
}

FixedPair PairSearch::left_of(const Split& split, const CodeSums* histogram) const {
    const CodeSums* sums = sums_of(split.column / lanes, histogram);
    const std::int32_t bins = table_.columns[static_cast<std::size_t>(split.column)].bins;
    const Sides sides(split, bins);
    FixedPair left{0, 0};
    for (std::int32_t c = 0; c <= bins; ++c) {
        if (!sides.left[c]) continue;
        left.sum += sums[c].sum[split.column % lanes];
        left.mass += sums[c].mass[split.column % lanes];
    }
    return left;
}

double PairSearch::decrease(const PairNode& node, double score) const {
    return (score - node.score) * (units_.sum * units_.sum) / units_.weight;
}

void PairSearch::search(std::int64_t group, const CodeSums* histogram, const PairNode& node,
                        PairCut* cuts) const {
    const std::int64_t first = group * lanes, last = std::min(first + lanes, columns_.columns);
    std::fill(cuts + first, cuts + last, PairCut{});
    std::int32_t few = 0;  // levels of the largest category that is not large
    for (std::int64_t j = first; j < last; ++j) {
        const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
        if (!column.nominal) continue;
        if (column.bins < few_levels)
            few = std::max(few, column.bins + 1);
        else
            cuts[j] = search_levels(j, histogram, node);
    }
    if (few > 0) search_few_levels(group, few, histogram, node, cuts);
    for (std::int64_t j = first; j < last; j += half_lanes) search_half(j, histogram, node, cuts);
}

namespace {

ScanInput input_of(const PairNode& node, const TreeOptions& options, double l1, double l2, double lightest,
                   int count_bits) {
    ScanInput in{};
    in.sum = static_cast<double>(node.sum);
    in.weight = node.weight;
    in.l1 = l1;
    in.l2 = l2;
    in.lightest = lightest;
    in.fewest = options.min_samples_leaf;
    in.most = node.rows - options.min_samples_leaf;
    in.count_bits = count_bits;
    in.low = node.low;
    in.high = node.high;
    return in;
}

// Whole weights are below one if they are below the other; what is no number is below none.
std::int64_t rounded_up(double support) {
    constexpr double most = 0x1p51;
    return support > 0.0 ? static_cast<std::int64_t>(std::min(std::ceil(support), most)) : 0;
}

LaneCuts none_of(const PairNode& node) {
    return {Numbers{} + node.floor, Numbers{} + 1.0, Mask{} - 1, Mask{}};
}

}  // namespace

// Four columns at once, one in each lane.
void PairSearch::search_half(std::int64_t first, const CodeSums* histogram, const PairNode& node,
                             PairCut* cuts) const {
    const CodeSums* sums = sums_of(first / lanes, histogram);
    const std::int64_t last = std::min(first + half_lanes, columns_.columns), begin = first % lanes;
    ScanInput in = input_of(node, options_, l1_, l2_, lightest_, units_.count_bits);
    for (std::int64_t j = first; j < last; ++j) {
        const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
        if (column.nominal) continue;
        const CodeSums& missing = sums[column.bins];
        in.codes = std::max(in.codes, column.bins);
        in.missing_sum[j - first] = missing.sum[j % lanes];
        in.missing_mass[j - first] = missing.mass[j % lanes];
        in.has_missing |= missing.mass[j % lanes] != 0;
        if (constrained_) in.sign[j - first] = options_.monotone[static_cast<std::size_t>(j)];
    }
    if (in.codes == 0) return;
    LaneCuts best = none_of(node);
    scan_codes(in, sums, begin, scoring(), best);
    for (std::int64_t j = first; j < last; ++j) {
        const std::int64_t lane = j - first;
        if (!table_.columns[static_cast<std::size_t>(j)].nominal && best.at[lane] >= 0)
            cuts[j] = {best.above[lane] / best.below[lane], static_cast<std::int32_t>(best.at[lane]),
                       in.missing_mass[lane] ? static_cast<std::int32_t>(best.side[lane]) : -1};
    }
}

// The categories of a group that have at most so many levels, all at once.
void PairSearch::search_few_levels(std::int64_t group, std::int32_t levels, const CodeSums* histogram,
                                   const PairNode& node, PairCut* cuts) const {
    const std::int64_t first = group * lanes, last = std::min(first + lanes, columns_.columns);
    const auto is_small = [&](std::int64_t j) {
        const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
        return column.nominal && column.bins < few_levels;
    };
    LevelRule rule{};
    for (std::int64_t j = first; j < last; ++j) {
        if (!is_small(j)) continue;
        const double support = support_of(j);
        rule.support[j - first] = rounded_up(support);
        rule.l2[j - first] = l2_ + support;
        rule.missing[j - first] = table_.columns[static_cast<std::size_t>(j)].bins;
    }
    CodeSums left[few_levels + 1];
    sum_in_order(sums_of(group, histogram), levels, units_.count_bits, rule, left);
    ScanInput in = input_of(node, options_, l1_, l2_, lightest_, units_.count_bits);
    in.codes = levels + 1;
    for (std::int64_t begin = first; begin < last; begin += half_lanes) {
        LaneCuts best = none_of(node);
        scan_levels(in, left, begin - first, scoring(), best);
        for (std::int64_t j = begin; j < std::min(begin + half_lanes, last); ++j) {
            const std::int64_t lane = j - begin, at = best.at[lane];
            if (is_small(j) && at >= 0)
                cuts[j] = {best.above[lane] / best.below[lane],
                           at == levels ? rare_levels : static_cast<std::int32_t>(at), -1};
        }
    }
}

// The weight below which levels of a category are rare.
double PairSearch::support_of(std::int64_t column) const {
    // Where levels are many, most of them are small everywhere: less than an average one must do.
    constexpr double least = 0.3;
    const std::int32_t bins = table_.columns[static_cast<std::size_t>(column)].bins;
    return std::min(options_.level_support, least / bins) * total_weight_ / units_.weight;
}

// The levels of a category that occur in a node, from the smallest mean to the largest.
NodeLevels PairSearch::levels_of(std::int64_t column, const CodeSums* histogram) const {
    const CodeSums* sums = sums_of(column / lanes, histogram);
    const std::int64_t lane = column % lanes;
    const std::int32_t bins = table_.columns[static_cast<std::size_t>(column)].bins;
    const double support = support_of(column);
    NodeLevels levels;
    for (std::int32_t c = 0; c <= bins; ++c) {  // a missing value is one more level
        const std::int64_t mass = sums[c].mass[lane];
        levels.add(c, static_cast<double>(sums[c].sum[lane]), units_.weight_of(mass),
                   static_cast<double>(units_.rows(mass)));
    }
    levels.pool_rare(support, bins);
    return levels.sorted(l2_ + support);
}

PairCut PairSearch::search_levels(std::int64_t column, const CodeSums* histogram,
                                  const PairNode& node) const {
    const NodeLevels levels = levels_of(column, histogram);
    const LevelCut best =
        best_cut(levels, {static_cast<double>(node.sum), node.weight, static_cast<double>(node.rows), l1_,
                          l2_, static_cast<double>(options_.min_samples_leaf), lightest_, node.low, node.high,
                          std::abs(node.score) * tie});
    return best.score > node.floor ? PairCut{best.score, best.last, -1} : PairCut{};
}

Split PairSearch::split_of(std::int32_t column, const CodeSums* histogram, const PairCut& cut) const {
    const CodeSums* sums = sums_of(column / lanes, histogram);
    const CodedColumn& of = table_.columns[static_cast<std::size_t>(column)];
    const std::int32_t bins = of.bins;
    Split split;
    if (of.nominal) split = split_levels(levels_of(column, histogram), cut.below, bins);
    split.column = column;
    if (of.nominal) return split;
    split.kind = SplitKind::threshold;
    split.below = cut.below;
    split.missing_child = cut.missing_child;
    split.above = cut.below + 1;
    while (split.above < bins && sums[split.above].mass[column % lanes] == 0) ++split.above;
    return split;
}

}  // namespace hornbook
