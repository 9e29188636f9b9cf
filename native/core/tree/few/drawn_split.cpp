#include "core/tree/few/drawn_split.hpp"

#include <algorithm>
#include <bit>

#include "core/tree/search/single_cut.hpp"

namespace hornbook {

namespace {

// The left side of a split, and its score.
struct Side {
    double weight = 0.0;
    std::int64_t rows = 0;
    double score = no_gain;
};

template <class IsLeft>
Side numbers_left(const Rows& rows, const LaneNode& node, IsLeft&& is_left) {
    Side side;
    double sum = 0.0;
    if (rows.weight)
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const bool left = is_left(i);
            side.rows += left;
            side.weight += kept(rows.weight[i], left);
            sum += kept(rows.sum[i], left);
        }
    else
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const bool left = is_left(i);
            side.rows += left;
            sum += kept(rows.sum[i], left);
        }
    if (!rows.weight) side.weight = static_cast<double>(side.rows);
    const double excess = sum - side.weight * node.mean;
    side.score = excess * excess * node.weight / (side.weight * (node.weight - side.weight));
    return side;
}

template <class IsLeft>
Side pairs_left(const Rows& rows, const LaneNode& node, IsLeft&& is_left) {
    Side side;
    PairSums sums;
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const bool left = is_left(i);
        side.rows += left;
        sums += {rows.pair[i] & -std::uint64_t{left}};
    }
    const double one = sums.first(), two = sums.second(), other_one = node.classes[0] - one,
                 other_two = node.classes[1] - two;
    side.weight = one + two;
    side.score = (one * one + two * two) / side.weight +
                 (other_one * other_one + other_two * other_two) / (node.weight - side.weight);
    return side;
}

template <class IsLeft>
Side classes_left(const Rows& rows, const LaneNode& node, IsLeft&& is_left) {
    Side side;
    std::int32_t sums[most_lane_classes];
    std::fill_n(sums, node.classes.size(), 0);
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const bool left = is_left(i);
        side.rows += left;
        sums[rows.label[i]] += (rows.weight ? static_cast<std::int32_t>(rows.weight[i]) : 1) & -int{left};
    }
    double squares = 0.0, other_squares = 0.0;
    for (std::size_t k = 0; k < node.classes.size(); ++k) {
        const double left = sums[k], other = node.classes[k] - left;
        side.weight += left;
        squares += left * left;
        other_squares += other * other;
    }
    side.score = squares / side.weight + other_squares / (node.weight - side.weight);
    return side;
}

template <class IsLeft>
Side side_of(const Rows& rows, const LaneNode& node, IsLeft&& is_left) {
    Side side = rows.pair    ? pairs_left(rows, node, is_left)
                : rows.label ? classes_left(rows, node, is_left)
                             : numbers_left(rows, node, is_left);
    const double rest = node.weight - side.weight;
    if (side.rows < node.least_rows || rows.size - side.rows < node.least_rows ||
        side.weight < node.least_weight || rest < node.least_weight || !(side.weight > 0.0) || !(rest > 0.0))
        side.score = no_gain;
    return side;
}

// The codes of a column, in the order of the rows, and their range.
struct FewCodes {
    std::int32_t code[most_few_rows];
    std::int32_t first, last;

    FewCodes(const CodedColumn& column, const Rows& rows) {
        with_width(column.line, column.line_width, column.line_step, [&](const auto& codes) {
            std::int32_t low = column.bins, high = 0;
            for (std::int64_t i = 0; i < rows.size; ++i) {
                const auto here = static_cast<std::int32_t>(codes[rows.row[i]]);
                code[i] = here;
                low = std::min(low, here);
                high = std::max(high, here);
            }
            first = low;
            last = high;
        });
    }
};

// The side of a drawn threshold; sets the largest code left of it.
Side drawn_side(const CodedColumn& column, const FewCodes& codes, const Rows& rows, const LaneNode& node,
                DrawnCut& cut) {
    constexpr std::int64_t few = 24;  // rows whose values are compared one by one
    if (rows.size > few || !cut.is_inside(column)) {
        cut.narrow(column);
        cut.settle(column);
        return side_of(rows, node, [&](std::int64_t i) { return codes.code[i] <= cut.below; });
    }
    const double* low = column.low.data();
    const double at = cut.at;
    std::int32_t below = cut.first;
    const Side side = side_of(rows, node, [&](std::int64_t i) {
        const std::int32_t code = codes.code[i];
        const bool left = low[code] <= at;
        below = std::max(below, code & -std::int32_t{left});
        return left;
    });
    cut.below = below;
    return side;
}

void draw_threshold(const CodedColumn& column, std::int32_t j, std::size_t place, const Rows& rows,
                    const LaneNode& node, const NodeKey& key, FewRowsSplit& best) {
    const FewCodes codes(column, rows);
    DrawnCut cut{codes.first, codes.last, codes.first};
    if (!cut.is_possible()) return;
    const bool is_late = cut.last - cut.first == 1;  // every threshold is the same cut
    if (!is_late) cut.draw(column, key.split_of(j));
    const Side side = is_late
                          ? side_of(rows, node, [&](std::int64_t i) { return codes.code[i] <= cut.below; })
                          : drawn_side(column, codes, rows, node, cut);
    if (!(side.score > best.score + node.tolerance)) return;
    if (is_late) {
        cut.draw(column, key.split_of(j));
        cut.settle(column);
    }
    best = {side.score, place, j, SplitKind::threshold, cut.below, cut.at, 0, 0};
}

void divide_levels(const CodedColumn& column, std::int32_t j, std::size_t place, const Rows& rows,
                   const LaneNode& node, const NodeKey& key, FewRowsSplit& best) {
    const FewCodes codes(column, rows);
    std::uint32_t present = 0;
    for (std::int64_t i = 0; i < rows.size; ++i) present |= std::uint32_t{1} << codes.code[i];
    if (!(present & (present - 1))) return;  // one level
    const std::uint32_t one = draw_levels(present, key.split_of(j)), two = present & ~one;
    const Side side = side_of(rows, node, [&](std::int64_t i) { return (one >> codes.code[i] & 1) != 0; });
    if (!(side.score > best.score + node.tolerance)) return;
    const bool lighter = side.weight * 2.0 <= node.weight;
    best = {side.score, place, j, SplitKind::subset, 0, 0.0, lighter ? one : two, lighter ? two : one};
}

}  // namespace

void draw_split(const CodedColumn& column, std::int32_t j, std::size_t place, const Rows& rows,
                const LaneNode& node, const NodeKey& key, FewRowsSplit& best) {
    column.nominal ? divide_levels(column, j, place, rows, node, key, best)
                   : draw_threshold(column, j, place, rows, node, key, best);
}

}  // namespace hornbook
