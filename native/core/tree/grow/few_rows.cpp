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

// A stable partition of all arrays in one pass, without branches that depend on the side.
template <class IsRight>
void sort_rows(const Rows& rows, Parts& parts, IsRight&& is_right) {
    std::int32_t row[most_lane_rows], label[most_lane_rows];
    std::uint64_t pair[most_lane_rows];
    double weight[most_lane_rows], sum[most_lane_rows];
    PairSums pairs[2];
    std::int64_t left = 0, right = 0;
    const auto move = [&](auto* values, auto* moved, std::int64_t i) {
        const auto value = values[i];
        values[left] = value;
        moved[right] = value;
    };
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const bool side = is_right(rows.row[i]);
        if (rows.pair) {
            pairs[0] += {side ? 0 : rows.pair[i]};
            pairs[1] += {side ? rows.pair[i] : 0};
            move(rows.pair, pair, i);
        }
        if (rows.weight) {
            parts.weight[0] += side ? 0.0 : rows.weight[i];
            parts.weight[1] += side ? rows.weight[i] : 0.0;
            move(rows.weight, weight, i);
        }
        if (rows.label) move(rows.label, label, i);
        if (rows.sum) move(rows.sum, sum, i);
        move(rows.row, row, i);
        left += side ? 0 : 1;
        right += side ? 1 : 0;
    }
    std::copy_n(row, right, rows.row + left);
    if (rows.pair) std::copy_n(pair, right, rows.pair + left);
    if (rows.weight) std::copy_n(weight, right, rows.weight + left);
    if (rows.label) std::copy_n(label, right, rows.label + left);
    if (rows.sum) std::copy_n(sum, right, rows.sum + left);
    parts.left = left;
    for (int c = 0; c < 2 && !rows.weight; ++c)
        parts.weight[c] =
            rows.pair ? pairs[c].first() + pairs[c].second() : static_cast<double>(c == 0 ? left : right);
}

Parts divided(const CodedColumn& column, const FewRowsSplit& split, const Rows& rows) {
    Parts parts;
    with_width(column.line, column.line_width, column.line_step, [&](const auto& codes) {
        if (split.kind == SplitKind::subset) {
            sort_rows(rows, parts, [&](std::int32_t row) { return !(split.listed >> codes[row] & 1u); });
            return;
        }
        std::int32_t below = 0, above = column.bins;
        sort_rows(rows, parts, [&](std::int32_t row) {
            const auto code = static_cast<std::int32_t>(codes[row]);
            const bool right = code > split.below;
            below = std::max(below, right ? 0 : code);
            above = std::min(above, right ? code : column.bins);
            return right;
        });
        parts.below = below;
        parts.above = above;
    });
    return parts;
}

// The classes that occur in a node, numbered anew: searches are as long as the list of classes, and the
// others would only add zeros.
struct PresentClasses {
    double weight[most_lane_classes];
    std::int32_t label[most_lane_rows];
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

void Grower::divide_few_rows(TreePart& part, const OpenNode& at, const FewRowsSplit& found,
                             Scratch& scratch) const {
    const Rows& rows = at.rows;
    const Parts parts = divided(table_.columns[static_cast<std::size_t>(found.column)], found, rows);
    const double all = parts.weight[0] + parts.weight[1];
    const std::size_t first = part.nodes.size();
    check_size(first + 2);
    part.nodes.resize(first + 2);
    for (std::size_t c = 0; c < 2; ++c) part.nodes[first + c].share = parts.weight[c] / all;
    GrowingNode& node = part.nodes[static_cast<std::size_t>(at.node)];
    node.split.kind = found.kind;
    node.split.column = found.column;
    node.split.below = parts.below;
    node.split.above = parts.above;
    node.split.cut = found.cut;
    node.split.missing_child = part.nodes[first + 1].share > part.nodes[first].share ? 1 : 0;
    node.listed = found.listed;
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
