// Nodes of few rows, of which fully grown trees have very many: whole subtrees of them, in one loop that
// keeps nothing but the rows and a stack of open nodes.

#include <algorithm>
#include <numeric>

#include "core/tree/grow/grower.hpp"

namespace hornbook {

namespace {

// The two parts of a node: rows and weight of each, and the codes next to a threshold.
struct Parts {
    std::int64_t left = 0;
    double weight[2] = {0.0, 0.0};
    std::int32_t below = 0, above = 0;
};

// The arrays that rows have. As a type, so that loops over rows do not ask again and again.
template <bool Pair, bool Label, bool Weight, bool Sum>
struct Arrays {};

template <class Fn>
void with_arrays(const Rows& rows, Fn&& fn) {
    if (rows.pair) return fn(Arrays<true, false, false, false>{});
    if (rows.label && rows.weight) return fn(Arrays<false, true, true, false>{});
    if (rows.label) return fn(Arrays<false, true, false, false>{});
    if (rows.weight) return fn(Arrays<false, false, true, true>{});
    fn(Arrays<false, false, false, true>{});
}

// A stable partition of all arrays in one pass, without branches that depend on the side.
template <bool Pair, bool Label, bool Weight, bool Sum, class IsRight>
void sort_rows(Arrays<Pair, Label, Weight, Sum>, const Rows& rows, Parts& parts, IsRight&& is_right) {
    std::int32_t row[most_few_rows], label[Label ? most_few_rows : 1];
    std::uint64_t pair[Pair ? most_few_rows : 1];
    double weight[Weight ? most_few_rows : 1], sum[Sum ? most_few_rows : 1];
    PairSums pairs[2];
    double on_left = 0.0, on_right = 0.0;
    std::int64_t left = 0;
    const auto move = [&](auto* values, auto* moved, std::int64_t i) {
        const auto value = values[i];
        values[left] = value;
        moved[i - left] = value;
    };
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const bool is_left = !is_right(rows.row[i]);
        if constexpr (Pair) {
            pairs[0] += {rows.pair[i] & -std::uint64_t{is_left}};
            pairs[1] += {rows.pair[i] & -std::uint64_t{!is_left}};
            move(rows.pair, pair, i);
        }
        if constexpr (Weight) {
            on_left += kept(rows.weight[i], is_left);
            on_right += kept(rows.weight[i], !is_left);
            move(rows.weight, weight, i);
        }
        if constexpr (Label) move(rows.label, label, i);
        if constexpr (Sum) move(rows.sum, sum, i);
        move(rows.row, row, i);
        left += is_left;
    }
    const std::int64_t right = rows.size - left;
    std::copy_n(row, right, rows.row + left);
    if constexpr (Pair) std::copy_n(pair, right, rows.pair + left);
    if constexpr (Weight) std::copy_n(weight, right, rows.weight + left);
    if constexpr (Label) std::copy_n(label, right, rows.label + left);
    if constexpr (Sum) std::copy_n(sum, right, rows.sum + left);
    parts.left = left;
    const double weights[] = {Weight ? on_left : static_cast<double>(left),
                              Weight ? on_right : static_cast<double>(right)};
    for (int c = 0; c < 2; ++c) parts.weight[c] = Pair ? pairs[c].first() + pairs[c].second() : weights[c];
}

Parts divided(const CodedColumn& column, const FewRowsSplit& split, const Rows& rows) {
    Parts parts;
    const auto divide = [&](auto arrays, const auto& codes) {
        if (split.kind == SplitKind::subset) {
            const std::uint32_t listed = split.listed;
            sort_rows(arrays, rows, parts, [&](std::int32_t row) { return !(listed >> codes[row] & 1u); });
            return;
        }
        const std::int32_t limit = split.below, bins = column.bins;
        std::int32_t below = 0, above = bins;
        sort_rows(arrays, rows, parts, [&](std::int32_t row) {
            const auto code = static_cast<std::int32_t>(codes[row]);
            const bool right = code > limit;
            const std::int32_t mask = -std::int32_t{right};
            below = std::max(below, code & ~mask);
            above = std::min(above, (code & mask) | (bins & ~mask));
            return right;
        });
        parts.below = below;
        parts.above = above;
    };
    with_width(column.line, column.line_width, column.line_step,
               [&](const auto& codes) { with_arrays(rows, [&](auto arrays) { divide(arrays, codes); }); });
    return parts;
}

// The classes that occur in a node, numbered anew: searches are as long as the list of classes, and the
// others would only add zeros.
struct PresentClasses {
    double weight[most_lane_classes];
    std::int32_t label[most_few_rows];
    std::size_t size = 0;

    void number(Rows& rows, std::span<const double> weights) {
        std::int32_t number_of[most_lane_classes];
        for (std::size_t k = 0; k < weights.size(); ++k) {
            number_of[k] = static_cast<std::int32_t>(size);
            weight[size] = weights[k];
            size += weights[k] > 0.0 ? 1 : 0;
        }
        for (std::int64_t i = 0; i < rows.size; ++i) label[i] = number_of[rows.label[i]];
        rows.label = label;
    }
};

}  // namespace

void Grower::grow_few_rows(TreePart& part, const OpenNode& root, Scratch& scratch) const {
    std::vector<OpenNode>& open = scratch.open;
    open.assign(1, root);
    while (!open.empty()) {
        const OpenNode at = open.back();
        open.pop_back();
        scratch.pace.spend(rows_of_overhead + at.rows.size);
        search_.totals(at.rows, scratch.totals);
        write_totals(part, at.node, at.rows.size, scratch.totals);
        if (is_leaf(scratch.totals, at.rows.size, at.depth)) continue;
        const FewRowsSplit split = divides_two_alike_ && at.rows.size == 2
                                       ? split_different_rows(part, at, scratch)
                                       : split_few_rows(at, scratch);
        if (split.score != no_gain) divide_few_rows(part, at, split, scratch);
    }
}

LaneNode Grower::lane_node(const NodeTotals& totals) const {
    LaneNode node{totals.weight,
                  options_.min_samples_leaf,
                  options_.min_weight_leaf,
                  totals.tolerance * totals.weight,
                  {}};
    node.all_classes = search_.value_size();
    if (options_.criterion == Criterion::squared_error)
        node.mean = totals.stats[0] / totals.stats[1];
    else
        node.classes = totals.value;
    return node;
}

// The best split of the node; its score is no_gain if none is accepted.
FewRowsSplit Grower::split_few_rows(const OpenNode& at, Scratch& scratch) const {
    std::vector<std::int32_t>& columns = scratch.columns;
    Draws draws = start_columns(at.path, columns);
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::int64_t>(options_.max_features, std::ssize(columns)));
    if (draws_columns()) shuffle(columns, 0, wanted, draws);
    const FewRowsSearch search(table_, options_);
    LaneNode node = lane_node(scratch.totals);
    Rows rows = at.rows;
    PresentClasses present;
    if (rows.label) {
        present.number(rows, node.classes);
        node.classes = std::span(present.weight).first(present.size);
    }
    FewRowsSplit best;
    const auto try_columns = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            columns[i] = allowed_[static_cast<std::size_t>(columns[i])];
        search.search(std::span(columns).subspan(first, last - first), first, rows, node,
                      NodeKey{key_, at.path}, scratch.workspaces[0], best);
    };
    try_columns(0, wanted);
    // As long as no column can be split, further columns are tried.
    for (std::size_t next = wanted; best.score == no_gain && next < columns.size(); ++next) {
        shuffle(columns, next, next + 1, draws);
        try_columns(next, next + 1);
    }
    if (best.score == no_gain) return best;
    double base = 0.0;
    for (const double weight : node.classes) base += weight * weight;
    const double gain = (best.score - base / node.weight) / node.weight;
    if (!is_accepted(gain, scratch.totals)) best.score = no_gain;
    best.column = columns[best.place];
    return best;
}

// Divides two rows by the first column in which they differ; a category is left to the caller.
FewRowsSplit Grower::split_different_rows(TreePart& part, const OpenNode& at, Scratch& scratch) const {
    std::vector<std::int32_t>& columns = scratch.columns;
    Draws draws = start_columns(at.path, columns);
    FewRowsSplit best;
    const std::size_t i = first_difference(at.rows.row, 0, columns, draws);
    if (i == columns.size()) return best;
    const std::int32_t j = allowed_[static_cast<std::size_t>(columns[i])];
    if (!table_.columns[static_cast<std::size_t>(j)].nominal) {
        divide_two_rows(part, at, j, scratch.totals.impurity);
        return best;
    }
    FewRowsSearch(table_, options_)
        .search({&j, 1}, 0, at.rows, lane_node(scratch.totals), NodeKey{key_, at.path}, scratch.workspaces[0],
                best);
    best.column = j;
    return best;
}

void Grower::divide_few_rows(TreePart& part, const OpenNode& at, const FewRowsSplit& best,
                             Scratch& scratch) const {
    const Rows& rows = at.rows;
    const Parts parts = divided(table_.columns[static_cast<std::size_t>(best.column)], best, rows);
    const double all = parts.weight[0] + parts.weight[1];
    const std::size_t first = part.nodes.size();
    check_size(first + 2);
    part.nodes.resize(first + 2);
    for (std::size_t c = 0; c < 2; ++c) part.nodes[first + c].share = parts.weight[c] / all;
    GrowingNode& node = part.nodes[static_cast<std::size_t>(at.node)];
    node.split.kind = best.kind;
    node.split.column = best.column;
    node.split.below = parts.below;
    node.split.above = parts.above;
    node.split.cut = best.cut;
    node.split.missing_child = part.nodes[first + 1].share > part.nodes[first].share ? 1 : 0;
    node.listed = best.listed;
    node.first_child = static_cast<std::int32_t>(first);
    node.children = 2;
    const Rows children[] = {rows.part(0, parts.left), rows.part(parts.left, rows.size - parts.left)};
    for (const std::size_t c : {std::size_t{1}, std::size_t{0}}) {  // the first child comes next
        const auto child = static_cast<std::int32_t>(first + c);
        if (children[c].size == 1)
            write_single_row(part, child, children[c]);
        else
            scratch.open.push_back({child, children[c], at.depth + 1, child_path(at.path, c)});
    }
}

}  // namespace hornbook
