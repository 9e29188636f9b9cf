// Nodes of two rows, of which fully grown trees have very many. Every column in which the rows differ divides
// them alike: the first one in the node's order wins without a search, and both children are leaves.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tree/columns/threshold.hpp"
#include "core/tree/grow/grower.hpp"

namespace hornbook {

namespace {

struct TwoCodes {
    std::int32_t first, second;
};

TwoCodes codes_of(const CodedColumn& column, const std::int32_t* row) {
    return with_width(column.line, column.line_width, column.line_step, [&](const auto& codes) {
        return TwoCodes{static_cast<std::int32_t>(codes[row[0]]), static_cast<std::int32_t>(codes[row[1]])};
    });
}

void swap_rows(const Rows& rows) {
    std::swap(rows.row[0], rows.row[1]);
    if (rows.pair) std::swap(rows.pair[0], rows.pair[1]);
    if (rows.label) std::swap(rows.label[0], rows.label[1]);
    if (rows.weight) std::swap(rows.weight[0], rows.weight[1]);
    if (rows.sum) std::swap(rows.sum[0], rows.sum[1]);
}

}  // namespace

// Whether all divisions of two rows have the same gain, and any of them is accepted.
bool Grower::divides_two_alike() const {
    const Criterion criterion = options_.criterion;
    const bool plain = criterion == Criterion::gini || criterion == Criterion::entropy ||
                       (criterion == Criterion::squared_error && !(options_.l2 > 0.0));
    const bool any_gain = std::isnan(options_.min_gain) && !(options_.gamma > 0.0) &&
                          !(options_.min_impurity_decrease > 0.0) && !(options_.min_weight_leaf > 0.0);
    return plain && any_gain && !search_.has_several_targets() && options_.monotone.empty() &&
           options_.pick == Pick::best && !options_.fractional &&
           std::none_of(table_.columns.begin(), table_.columns.end(),
                        [](const CodedColumn& column) { return column.missing; });
}

// The first column from a place on in which two rows differ, in the node's order, which is drawn on the way.
std::size_t Grower::first_difference(const std::int32_t* row, std::size_t from,
                                     std::vector<std::int32_t>& columns, Draws& draws) const {
    for (; from < columns.size(); ++from) {
        if (draws_columns()) shuffle(columns, from, from + 1, draws);
        const std::int32_t j = allowed_[static_cast<std::size_t>(columns[from])];
        const TwoCodes codes = codes_of(table_.columns[static_cast<std::size_t>(j)], row);
        if (codes.first != codes.second) break;
    }
    return from;
}

// Finishes a node of two rows, leaves included; true if it got a split that still has to be carried out.
bool Grower::split_two_rows(TreePart& part, Pending& pending, Scratch& scratch) {
    const OpenNode at{pending.node, pending.rows.rows, pending.depth, pending.path};
    scratch.pace.spend(rows_of_overhead);
    search_.totals(at.rows, scratch.totals);
    write_totals(part, at.node, at.rows.size, scratch.totals);
    if (is_leaf(scratch.totals, at.rows.size, at.depth)) return false;
    std::vector<std::int32_t>& columns = scratch.columns;
    Draws draws = start_columns(at.path, columns);
    std::size_t i = 0;
    for (; (i = first_difference(at.rows.row, i, columns, draws)) < columns.size(); ++i) {
        const std::int32_t j = allowed_[static_cast<std::size_t>(columns[i])];
        if (!table_.columns[static_cast<std::size_t>(j)].nominal) {
            divide_two_rows(part, at, j, scratch.totals.impurity);
            return false;
        }
        for (Workspace& work : scratch.workspaces) work.floor = work.least_gain = no_gain;
        search_range(pending, scratch, i, i + 1, Pick::best);
        if (scratch.candidates[i].splits.empty()) continue;
        part.nodes[static_cast<std::size_t>(at.node)].split = std::move(scratch.candidates[i].splits[0]);
        return true;
    }
    return false;
}

// Makes a leaf of one row: by all criteria of divides_two_alike it is pure.
void Grower::write_single_row(TreePart& part, std::int32_t at, const Rows& rows) const {
    GrowingNode& node = part.nodes[static_cast<std::size_t>(at)];
    node.n_rows = 1;
    node.impurity = 0.0;
    double* value = part.value_of(at, search_.value_size());
    if (rows.pair) {
        const PairSums pair{rows.pair[0]};
        value[0] = pair.first();
        value[1] = pair.second();
        node.weight = value[0] + value[1];
        return;
    }
    node.weight = rows.weight_of(0);
    if (rows.label) {
        value[rows.label[0]] = node.weight;
        return;
    }
    node.sum = rows.sum[0];
    value[0] = node.sum / node.weight;
}

// Divides two rows that differ in an ordered column, and makes leaves of both.
void Grower::divide_two_rows(TreePart& part, const OpenNode& at, std::int32_t j, double gain) const {
    const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
    const Rows& rows = at.rows;
    TwoCodes codes = codes_of(column, rows.row);
    if (codes.first > codes.second) {
        swap_rows(rows);
        std::swap(codes.first, codes.second);
    }
    Split split;
    split.kind = SplitKind::threshold;
    split.column = j;
    split.gain = gain;
    split.below = codes.first;
    split.above = codes.second;
    if (options_.random_thresholds) {
        DrawnCut cut{codes.first, codes.second};
        cut.draw(column, NodeKey{key_, at.path}.split_of(j));
        if (!cut.is_inside(column)) {
            cut.narrow(column);
            cut.settle(column);
        }
        split.cut = cut.at;
    }
    const std::size_t first = part.nodes.size();
    check_size(first + 2);
    part.nodes.resize(first + 2);
    for (std::size_t c = 0; c < 2; ++c)
        write_single_row(part, static_cast<std::int32_t>(first + c),
                         rows.part(static_cast<std::int64_t>(c), 1));
    const double weights[] = {part.nodes[first].weight, part.nodes[first + 1].weight},
                 total = weights[0] + weights[1];
    for (std::size_t c = 0; c < 2; ++c) part.nodes[first + c].share = weights[c] / total;
    split.missing_child = weights[1] / total > weights[0] / total ? 1 : 0;
    GrowingNode& node = part.nodes[static_cast<std::size_t>(at.node)];
    node.split = std::move(split);
    node.first_child = static_cast<std::int32_t>(first);
    node.children = 2;
}

}  // namespace hornbook
