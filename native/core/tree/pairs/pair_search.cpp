#include "core/tree/pairs/pair_search.hpp"

#include <algorithm>
#include <limits>

#include "core/tree/search/categorical_search.hpp"

namespace hornbook {

namespace {

// Scores closer than this are equal: the first of them is taken.
constexpr double tie = 1.0 + 1e-12;

// What the search of four columns needs, the same in all lanes unless it has some for each.
struct ScanInput {
    double sum, weight;  // of the node
    double l1, l2, lightest;
    std::int64_t fewest, most;  // rows of the left side
    int count_bits;
    std::int32_t codes;
    bool has_missing;
    Mask missing_sum, missing_mass;
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

template <bool Penalized>
__attribute__((always_inline)) inline void square(const Numbers& sum, double l1, Numbers& out) {
    if (Penalized) {
        const Numbers size = (sum < 0.0 ? -sum : sum) - l1;
        const Numbers rest = size > 0.0 ? size : Numbers{};
        out = rest * rest;
    } else {
        out = sum * sum;
    }
}

// Compares the scores of the cuts after a code with the best so far, both as fractions.
template <bool Penalized>
__attribute__((always_inline)) inline void consider(const ScanInput& in, const Mask& left_sum,
                                                    const Mask& left_mass, const Mask& code,
                                                    std::int64_t side, LaneCuts& best) {
    Numbers sum, weight, left_square, right_square;
    to_doubles(left_sum, sum);
    to_doubles(reinterpret_cast<Mask>(reinterpret_cast<Words>(left_mass) >> in.count_bits), weight);
    const Numbers rest = in.weight - weight;
    square<Penalized>(sum, in.l1, left_square);
    square<Penalized>(in.sum - sum, in.l1, right_square);
    const Numbers left = weight + in.l2, right = rest + in.l2;
    const Numbers above = left_square * right + right_square * left, below = left * right;
    const Mask rows = left_mass & ((std::int64_t{1} << in.count_bits) - 1);
    const Mask better = (above * best.below > best.above * below) & (weight > in.lightest) &
                        (rest > in.lightest) & (rows > in.fewest - 1) & (in.most + 1 > rows);
    best.above = better ? above * tie : best.above;
    best.below = better ? below : best.below;
    best.at = better ? code : best.at;
    best.side = better ? Mask{} + side : best.side;
}

// Codes in ascending order; missing values are tried on both sides. The code after a column's last one holds
// its missing values: once it is added no rows are left for the other side, and the cut is not allowed.
template <bool Penalized>
__attribute__((always_inline)) inline void scan(const ScanInput& given, const CodeSums* sums,
                                                std::int64_t lane, LaneCuts& out) {
    const ScanInput in = given;
    LaneCuts best = out;
    Mask sum{}, mass{}, code{};
    for (std::int32_t c = 0; c < in.codes; ++c, code += 1) {
        sum += *reinterpret_cast<const Mask*>(reinterpret_cast<const std::int64_t*>(&sums[c].sum) + lane);
        mass += *reinterpret_cast<const Mask*>(reinterpret_cast<const std::int64_t*>(&sums[c].mass) + lane);
        if (in.has_missing)
            consider<Penalized>(in, sum + in.missing_sum, mass + in.missing_mass, code, 0, best);
        consider<Penalized>(in, sum, mass, code, 1, best);
    }
    out = best;
}

HORNBOOK_WIDE void scan_codes(const ScanInput& in, const CodeSums* sums, std::int64_t lane, LaneCuts& best) {
    if (in.l1 > 0.0)
        scan<true>(in, sums, lane, best);
    else
        scan<false>(in, sums, lane, best);
}

// The score of two sets of levels; statistics are sum, weight and number of rows.
struct LevelScore {
    double sum, weight, rows;
    double l1, l2;
    Limits limits;

    double operator()(const double* left) const {
        const double rest = weight - left[1];
        if (!limits.hold(left[2], rows - left[2], left[1], rest)) return no_gain;
        const double one = shrunk(left[0], l1), other = shrunk(sum - left[0], l1);
        return one * one / (left[1] + l2) + other * other / (rest + l2);
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
      total_weight_(total_weight) {}

Sides::Sides(const Split& split, std::int32_t bins) {
    for (std::int32_t c = 0; c < 256; ++c)
        left[c] = split.kind == SplitKind::threshold && c <= split.below ? 1 : 0;
    for (const std::int32_t level : split.levels) left[level] = 1;
    left[bins] = split.missing_child == 0 ? 1 : 0;
}

PairNode PairSearch::node_of(FixedPair total) const {
    PairNode node{total.sum, total.mass, units_.rows(total.mass), units_.weight_of(total.mass)};
    const double sum = shrunk(static_cast<double>(node.sum), l1_);
    node.score = sum * sum / (node.weight + l2_);
    const double least = std::max({2.0 * options_.gamma, options_.min_gain * node.weight * units_.weight,
                                   options_.min_impurity_decrease * total_weight_});
    node.floor = node.score * tie + least * units_.weight / (units_.sum * units_.sum);
    return node;
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
                 {}};
    for (std::int64_t j = first; j < last; ++j) {
        const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
        if (column.nominal) continue;
        const CodeSums& missing = sums[column.bins];
        in.codes = std::max(in.codes, column.bins);
        in.missing_sum[j - first] = missing.sum[j % lanes];
        in.missing_mass[j - first] = missing.mass[j % lanes];
        in.has_missing |= missing.mass[j % lanes] != 0;
    }
    LaneCuts best{Numbers{} + node.floor, Numbers{} + 1.0, Mask{} - 1, Mask{}};
    if (in.codes > 0) scan_codes(in, sums, begin, best);
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
    std::vector<double> stats;
    std::vector<std::int32_t> places;
    for (std::int32_t c = 0; c <= bins; ++c) {  // a missing value is one more level
        const std::int64_t mass = sums[c].mass[lane];
        const auto rows = static_cast<double>(units_.rows(mass));
        stats.insert(stats.end(), {static_cast<double>(sums[c].sum[lane]), units_.weight_of(mass), rows});
        if (rows > 0.0) places.push_back(c);
    }
    if (places.size() < 2) return;
    const Groups<double> groups{nullptr, stats.data(), std::ssize(stats) / 3};
    LevelScore score{static_cast<double>(node.sum),
                     node.weight,
                     static_cast<double>(node.rows),
                     l1_,
                     l2_,
                     {static_cast<double>(options_.min_samples_leaf), lightest_}};
    TreeOptions in_units = options_;
    in_units.l2 = l2_;
    Workspace work;
    Draws none(0, 0, 0);
    split = best_by_order(groups, bins, places, sum_layout(), in_units, score, node.score * (tie - 1.0), none,
                          work);
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
