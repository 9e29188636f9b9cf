// Nodes of few rows, of which fully grown trees have very many: whole subtrees of them, in one loop that
// keeps nothing but the rows and a stack of open nodes.

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/tree/grow/grower.hpp"

namespace hornbook {

namespace {

// Side of each row, 0 or 1, and how many are on side 0.
struct Sides {
    std::uint8_t of_row[most_lane_rows];
    std::int64_t left = 0;
    std::int32_t below = 0, above = 0;  // the codes next to a threshold

    Sides(const CodedColumn& column, const FewRowsSplit& split, const Rows& rows) {
        with_width(column.line, column.line_width, column.line_step, [&](const auto& codes) {
            if (split.kind == SplitKind::subset)
                list(codes, split.listed, rows);
            else
                compare(codes, split.below, column.bins, rows);
        });
        for (std::int64_t i = 0; i < rows.size; ++i) left += of_row[i] == 0;
    }

  private:
    template <class View>
    void list(const View& codes, std::uint32_t listed, const Rows& rows) {
        for (std::int64_t i = 0; i < rows.size; ++i)
            of_row[i] = static_cast<std::uint8_t>(~(listed >> codes[rows.row[i]]) & 1u);
    }
    template <class View>
    void compare(const View& codes, std::int32_t limit, std::int32_t bins, const Rows& rows) {
        above = bins;
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const auto code = static_cast<std::int32_t>(codes[rows.row[i]]);
            const bool right = code > limit;
            of_row[i] = right;
            below = std::max(below, right ? 0 : code);
            above = std::min(above, right ? code : bins);
        }
    }
};

// A stable partition in place.
template <class T>
void sort_in_two(T* values, std::int64_t size, const std::uint8_t* side) {
    if (!values) return;
    T moved[most_lane_rows];
    std::int64_t left = 0, right = 0;
    for (std::int64_t i = 0; i < size; ++i) {  // branchless: the side is unpredictable
        const T value = values[i];
        values[left] = value;
        moved[right] = value;
        right += side[i];
        left += 1 - side[i];
    }
    std::copy_n(moved, right, values + left);
}

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
    const LaneNode node = lane_node(scratch.totals);
    FewRowsSplit best;
    const auto try_columns = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            columns[i] = allowed_[static_cast<std::size_t>(columns[i])];
        search.search(std::span(columns).subspan(first, last - first), first, at.rows, node,
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
        divide_two_rows(part, at, j, scratch);
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
    const CodedColumn& column = table_.columns[static_cast<std::size_t>(found.column)];
    const Rows& rows = at.rows;
    const Sides sides(column, found, rows);
    sort_in_two(rows.row, rows.size, sides.of_row);
    sort_in_two(rows.pair, rows.size, sides.of_row);
    sort_in_two(rows.label, rows.size, sides.of_row);
    sort_in_two(rows.weight, rows.size, sides.of_row);
    sort_in_two(rows.sum, rows.size, sides.of_row);
    const Rows parts[] = {rows.part(0, sides.left), rows.part(sides.left, rows.size - sides.left)};
    const double weights[] = {weight_sum(parts[0]), weight_sum(parts[1])};
    const std::size_t first = part.nodes.size();
    check_size(first + 2);
    part.nodes.resize(first + 2);
    for (std::size_t c = 0; c < 2; ++c) part.nodes[first + c].share = weights[c] / (weights[0] + weights[1]);
    GrowingNode& node = part.nodes[static_cast<std::size_t>(at.node)];
    node.split.kind = found.kind;
    node.split.column = found.column;
    node.split.below = sides.below;
    node.split.above = sides.above;
    node.split.cut = found.cut;
    node.split.missing_child = part.nodes[first + 1].share > part.nodes[first].share ? 1 : 0;
    if (found.kind == SplitKind::subset) {
        node.split.levels.reserve(static_cast<std::size_t>(std::popcount(found.listed)));
        for (std::uint32_t rest = found.listed; rest; rest &= rest - 1)
            node.split.levels.push_back(std::countr_zero(rest));
    }
    node.first_child = static_cast<std::int32_t>(first);
    node.children = 2;
    for (const std::size_t c : {std::size_t{1}, std::size_t{0}})  // the first child comes next
        scratch.open.push_back(
            {static_cast<std::int32_t>(first + c), parts[c], at.depth + 1, child_path(at.path, c)});
}

}  // namespace hornbook
