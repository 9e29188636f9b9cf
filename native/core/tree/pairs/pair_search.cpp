#include "core/tree/pairs/pair_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/tree/search/categorical_search.hpp"

namespace hornbook {

namespace {

// Scores closer than this are equal: the first of them is taken.
constexpr double tie = 1e-12;

// How cuts are scored: without l1, with it, or with bounded values and monotone columns.
enum class Scoring { plain, penalized, constrained };

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

// The score of two sets of levels; statistics are sum, weight and number of rows.
struct LevelScore {
    const PairNode& node;
    double l1, l2;
    Limits limits;

    double operator()(const double* left) const {
        const double rest = node.weight - left[1];
        if (!limits.hold(left[2], static_cast<double>(node.rows) - left[2], left[1], rest)) return no_gain;
        return Side(left[0], left[1], l1, l2, node.low, node.high).score +
               Side(static_cast<double>(node.sum) - left[0], rest, l1, l2, node.low, node.high).score;
    }
    double gain(double score) const { return score; }
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

void PairSearch::search(std::int64_t group, const CodeSums* histogram, const PairNode& node, PairCut* cuts,
                        Split* splits) const {
    const std::int64_t first = group * lanes;
    for (std::int64_t j = first; j < std::min(first + lanes, columns_.columns); j += half_lanes)
        search_half(j, histogram, node, cuts, splits);
}

// Four columns at once, one in each lane.
void PairSearch::search_half(std::int64_t first, const CodeSums* histogram, const PairNode& node,
                             PairCut* cuts, Split* splits) const {
    const CodeSums* sums = sums_of(first / lanes, histogram);
    const std::int64_t last = std::min(first + half_lanes, columns_.columns), begin = first % lanes;
    ScanInput in{static_cast<double>(node.sum),
                 node.weight,
                 l1_,
                 l2_,
                 lightest_,
                 options_.min_samples_leaf,
                 node.rows - options_.min_samples_leaf,
                 units_.count_bits,
                 0,
                 false,
                 {},
                 {},
                 node.low,
                 node.high,
                 {}};
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
    LaneCuts best{Numbers{} + node.floor, Numbers{} + 1.0, Mask{} - 1, Mask{}};
    const Scoring how = constrained_ ? Scoring::constrained : l1_ > 0.0 ? Scoring::penalized : Scoring::plain;
    if (in.codes > 0) scan_codes(in, sums, begin, how, best);
    for (std::int64_t j = first; j < last; ++j) {
        const std::int64_t lane = j - first;
        cuts[j] = {};
        if (table_.columns[static_cast<std::size_t>(j)].nominal)
            search_levels(j, histogram, node, cuts[j], splits[j]);
        else if (best.at[lane] >= 0)
            cuts[j] = {best.above[lane] / best.below[lane], static_cast<std::int32_t>(best.at[lane]),
                       in.missing_mass[lane] ? static_cast<std::int32_t>(best.side[lane]) : -1};
    }
}

void PairSearch::search_levels(std::int64_t column, const CodeSums* histogram, const PairNode& node,
                               PairCut& cut, Split& split) const {
    const CodeSums* sums = sums_of(column / lanes, histogram);
    const std::int64_t lane = column % lanes;
    const std::int32_t bins = table_.columns[static_cast<std::size_t>(column)].bins;
    // Where levels are many, most of them are small everywhere: less than an average one must do.
    constexpr double least = 0.3;
    const double share = std::min(options_.level_support, least / bins);
    const double support = share * total_weight_ / units_.weight;
    std::vector<double> stats;
    std::vector<std::int32_t> places, rare;
    for (std::int32_t c = 0; c <= bins; ++c) {  // a missing value is one more level
        const std::int64_t mass = sums[c].mass[lane];
        const std::int64_t rows = units_.rows(mass);
        const double level[] = {static_cast<double>(sums[c].sum[lane]), units_.weight_of(mass),
                                static_cast<double>(rows)};
        stats.insert(stats.end(), std::begin(level), std::end(level));
        if (rows == 0) continue;
        if (c < bins && level[1] < support) rare.push_back(c);
        if (rare.empty() || rare.back() != c || rare.size() == 1)
            places.push_back(c);
        else  // rare levels are one, in the place of the first
            for (int i = 0; i < 3; ++i) stats[static_cast<std::size_t>(rare.front() * 3 + i)] += level[i];
    }
    if (places.size() < 2) return;
    const Groups<double> groups{nullptr, stats.data(), std::ssize(stats) / 3};
    LevelScore score{node, l1_, l2_, {static_cast<double>(options_.min_samples_leaf), lightest_}};
    TreeOptions in_units = options_;
    in_units.l2 = l2_ + support;
    Workspace work;
    Draws none(0, 0, 0);
    split = best_by_order(groups, bins, places, sum_layout(), in_units, score, std::abs(node.score) * tie,
                          none, work);
    if (rare.size() > 1 && std::binary_search(split.levels.begin(), split.levels.end(), rare.front())) {
        split.levels.insert(split.levels.end(), rare.begin() + 1, rare.end());
        std::sort(split.levels.begin(), split.levels.end());
    }
    if (split.gain > node.floor) cut = {split.gain, 0, split.missing_child};
}

Split PairSearch::split_of(std::int32_t column, const CodeSums* histogram, const PairCut& cut) const {
    const CodeSums* sums = sums_of(column / lanes, histogram);
    const std::int32_t bins = table_.columns[static_cast<std::size_t>(column)].bins;
    Split split;
    split.column = column;
    split.kind = SplitKind::threshold;
    split.below = cut.below;
    split.missing_child = cut.missing_child;
    split.above = cut.below + 1;
    while (split.above < bins && sums[split.above].mass[column % lanes] == 0) ++split.above;
    return split;
}

}  // namespace hornbook
