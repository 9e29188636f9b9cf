#include "core/tree/grow/grower.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/tree/columns/threshold.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t rows_worth_a_thread = 2000;

}  // namespace

Grower::Scratch Grower::make_scratch(int threads) const {
    Scratch scratch;
    scratch.threads = std::max(1, threads);
    scratch.workspaces.resize(static_cast<std::size_t>(scratch.threads));
    scratch.candidates.resize(table_.columns.size());
    return scratch;
}

// Nodes own rows only where a split may copy them; all others are in the store of the caller.
std::shared_ptr<RowStore> Grower::owner_of(const std::shared_ptr<RowStore>& store) const {
    return options_.fractional ? store : nullptr;
}

Tree Grower::grow(const std::shared_ptr<RowStore>& store) {
    TreePart trunk;
    Pending root;
    root.rows = {store->view(), owner_of(store), 1.0};
    rows_ = root.rows.rows.size;
    constexpr std::int64_t few_nodes = 4096;  // little memory, and no copies of small trees on the way
    const auto nodes = static_cast<std::size_t>(std::min(2 * rows_, few_nodes));
    trunk.nodes.reserve(nodes);
    trunk.values.reserve(nodes * static_cast<std::size_t>(search_.value_size()));
    trunk.nodes.resize(1);
    Scratch scratch = make_scratch(threads_);
    if (options_.max_leaf_nodes != unlimited) {
        grow_best_first(trunk, std::move(root), scratch);
        set_thresholds(trunk);
        return finished(trunk, {});
    }
    const bool in_parallel = threads_ > 1 && !grows_by_level();
    std::vector<Pending> open, later;
    open.push_back(std::move(root));
    grow_in_order(trunk, open, scratch, in_parallel ? &later : nullptr);
    // Big subtrees first, so that no thread is left with one at the end; the tree does not depend on it.
    std::stable_sort(later.begin(), later.end(),
                     [](const Pending& a, const Pending& b) { return a.rows.rows.size > b.rows.rows.size; });
    std::vector<TreePart> grafts(later.size());
    parallel_for(static_cast<std::int64_t>(later.size()), threads_, [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        trunk.nodes[static_cast<std::size_t>(later[at].node)].graft = static_cast<std::int32_t>(i);
        grafts[at].nodes.resize(1);
        later[at].node = 0;
        Scratch own = make_scratch(1);
        std::vector<Pending> subtree;
        subtree.push_back(std::move(later[at]));
        grow_in_order(grafts[at], subtree, own, nullptr);
        set_thresholds(grafts[at]);
    });
    set_thresholds(trunk);
    check_size(count_nodes(trunk, grafts));
    if (!grafts.empty() || grows_by_level()) return finished(trunk, std::move(grafts));
    settle(trunk, grafts);
    return copied(trunk, search_.value_size());
}

Tree Grower::finished(TreePart& trunk, std::vector<TreePart> grafts) const {
    settle(trunk, grafts);
    return flatten(trunk, grafts, search_.value_size());
}

void Grower::settle(TreePart& trunk, std::vector<TreePart>& grafts) const {
    if (!search_.has_several_targets()) settle_gains(trunk, grafts, options_);
}

TreePart Grower::grow_subtree(const std::shared_ptr<RowStore>& store, std::uint64_t path,
                              std::int64_t depth) {
    TreePart part;
    part.nodes.resize(1);
    std::vector<Pending> open(1);
    open[0].rows = {store->view(), owner_of(store), 1.0};
    open[0].path = path;
    open[0].depth = depth;
    rows_ = open[0].rows.rows.size;
    Scratch scratch = make_scratch(1);
    grow_in_order(part, open, scratch, nullptr);
    set_thresholds(part);
    return part;
}

// Every split sends a row to at least two children, so that growth ends. But where rows go to all children,
// tiny fractions of the same rows may be split again and again, and their number grows like 2^columns.
// Subtrees are checked as they grow, and the whole tree at the end: the outcome is that of one thread.
void Grower::check_size(std::size_t nodes) const {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();  // node numbers are int32
    constexpr std::int64_t per_row = 1024, always = std::int64_t{1} << 16;
    const auto size = static_cast<std::int64_t>(nodes);
    if (size > largest) refuse("a tree has at most 2**31 - 1 nodes.");
    if (options_.fractional && size > always + per_row * rows_)
        refuse("rows that lack values go down in such small parts that ", rows_, " rows make more than ",
               always + per_row * rows_,
               " nodes: require heavier leaves, or send such rows to one child each.");
}

// All at once at the end: the values are scattered in memory, and their cache misses overlap.
void Grower::set_thresholds(TreePart& part) const {
    for (GrowingNode& node : part.nodes)
        if (node.split.kind == SplitKind::threshold)
            node.threshold =
                threshold_of(table_.columns[static_cast<std::size_t>(node.split.column)], node.split);
}

bool Grower::grows_by_level() const {
    return options_.pick != Pick::best && options_.max_random_splits != unlimited;
}

// Depth first; with a limited number of random splits, level by level, so that they come at the top.
void Grower::grow_in_order(TreePart& part, std::vector<Pending>& open, Scratch& scratch,
                           std::vector<Pending>* later) {
    const bool by_level = grows_by_level();
    const std::int64_t small = std::max(rows_worth_a_thread, open[0].rows.rows.size / (4 * scratch.threads));
    for (std::size_t next = 0; next < open.size();) {
        Pending pending = std::move(by_level ? open[next] : open.back());
        if (by_level)
            ++next;
        else
            open.pop_back();
        if (later && pending.depth > 0 && pending.rows.rows.size <= small) {
            later->push_back(std::move(pending));
            continue;
        }
        if (is_few(pending.rows.rows)) {
            if (pending.histograms) scratch.pool.push_back(std::move(pending.histograms));
            grow_few_rows(part, {pending.node, pending.rows.rows, pending.depth, pending.path}, scratch);
            continue;
        }
        const bool two_rows = divides_two_alike_ && pending.rows.rows.size == 2;
        if (!(two_rows ? split_two_rows(part, pending, scratch) : evaluate(part, pending, scratch))) {
            if (pending.histograms) scratch.pool.push_back(std::move(pending.histograms));
            continue;
        }
        std::vector<Pending>& children = expand(part, pending, scratch);
        if (!by_level) std::reverse(children.begin(), children.end());
        for (Pending& child : children) {
            if (child.rows.rows.size > 1 || child.histograms) {
                open.push_back(std::move(child));
                continue;
            }
            search_.totals(child.rows.rows, scratch.totals);  // one row: a leaf
            scratch.totals.bounds = child.bounds;
            write_totals(part, child.node, 1, scratch.totals);
        }
    }
}

// The split that removes most impurity comes next.
void Grower::grow_best_first(TreePart& part, Pending root, Scratch& scratch) {
    const auto before = [](const Pending& a, const Pending& b) {
        return a.priority != b.priority ? a.priority < b.priority : a.node > b.node;
    };
    std::vector<Pending> heap;
    const auto enter = [&](Pending pending) {
        if (!evaluate(part, pending, scratch)) return;
        const GrowingNode& node = part.nodes[static_cast<std::size_t>(pending.node)];
        pending.priority = node.split.gain * node.weight;
        heap.push_back(std::move(pending));
        std::push_heap(heap.begin(), heap.end(), before);
    };
    enter(std::move(root));
    std::int64_t leaves = 1;
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), before);
        Pending pending = std::move(heap.back());
        heap.pop_back();
        GrowingNode& node = part.nodes[static_cast<std::size_t>(pending.node)];
        const std::int64_t more = child_count(node.split) - 1;
        if (leaves + more > options_.max_leaf_nodes) {
            node.split = Split{};
            continue;
        }
        leaves += more;
        for (Pending& child : expand(part, pending, scratch)) enter(std::move(child));
    }
}

bool Grower::is_leaf(const NodeTotals& totals, std::int64_t rows, std::int64_t depth) const {
    return totals.pure || depth >= options_.max_depth || rows < options_.min_samples_split ||
           rows - options_.min_samples_leaf < options_.min_samples_leaf ||
           totals.weight < 2.0 * options_.min_weight_leaf || totals.weight <= options_.leaf_size ||
           totals.largest_share >= options_.purity;
}

bool Grower::is_accepted(double gain, const NodeTotals& totals) const {
    if (gain == no_gain) return false;
    const double slack = std::max(totals.tolerance, 1e-300);
    if (!std::isnan(options_.min_gain) && (gain <= slack || gain < options_.min_gain - slack)) return false;
    if (options_.gamma > 0.0 && !(0.5 * gain * totals.weight > options_.gamma)) return false;
    return !(options_.min_impurity_decrease > 0.0) ||
           totals.weight / total_weight_ * gain + slack >= options_.min_impurity_decrease;
}

bool Grower::evaluate(TreePart& part, Pending& pending, Scratch& scratch) {
    scratch.pace.spend(rows_of_overhead + pending.rows.rows.size);
    search_.totals(pending.rows.rows, scratch.totals);
    scratch.totals.bounds = pending.bounds;
    return split_with_totals(part, pending, scratch);
}

void Grower::write_totals(TreePart& part, std::int32_t at, std::int64_t rows,
                          const NodeTotals& totals) const {
    GrowingNode& node = part.nodes[static_cast<std::size_t>(at)];
    node.n_rows = static_cast<std::int32_t>(rows);
    node.weight = totals.weight;
    node.impurity = totals.impurity;
    node.sum = totals.stats.empty() ? 0.0 : totals.stats[0];
    part.set_value(at, totals.value);
    if (options_.monotone.empty()) return;
    const double value = std::clamp(bounded_value(totals), totals.bounds.low, totals.bounds.high);
    std::vector<double> within{value};
    if (totals.value.size() == 2) within = {totals.weight * (1.0 - value), totals.weight * value};
    part.set_value(at, within);
}

// What monotone columns keep in order: a mean, or the share of the second of two classes.
double Grower::bounded_value(const NodeTotals& totals) const {
    return totals.value.size() == 2 ? totals.value[1] / totals.weight : totals.value[0];
}

// Children of a split on a monotone column have their values on different sides of the middle between them,
// and so have all nodes below.
void Grower::pass_on_bounds(std::int32_t column, const Pending& pending, std::vector<Pending>& children,
                            NodeTotals& totals) const {
    for (Pending& child : children) child.bounds = pending.bounds;
    const std::int32_t sign = options_.monotone[static_cast<std::size_t>(column)];
    if (sign == 0) return;
    double middle = 0.0;
    for (const Pending& child : children) {
        search_.totals(child.rows.rows, totals);
        middle += 0.5 * bounded_value(totals);
    }
    middle = std::clamp(middle, pending.bounds.low, pending.bounds.high);
    children[sign > 0 ? 0 : 1].bounds.high = middle;
    children[sign > 0 ? 1 : 0].bounds.low = middle;
}

// Searches for the split of a node whose totals are in the scratch memory; false makes it a leaf.
bool Grower::split_with_totals(TreePart& part, Pending& pending, Scratch& scratch) {
    write_totals(part, pending.node, pending.rows.rows.size, scratch.totals);
    if (is_leaf(scratch.totals, pending.rows.rows.size, pending.depth)) return false;
    Split split = find_split(pending, scratch);
    if (!is_accepted(split.gain, scratch.totals)) return false;
    part.nodes[static_cast<std::size_t>(pending.node)].split = std::move(split);
    return true;
}

std::vector<Pending>& Grower::expand(TreePart& part, Pending& pending, Scratch& scratch) {
    Split& split = part.nodes[static_cast<std::size_t>(pending.node)].split;
    const std::int32_t j = split.column;
    const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
    partition(column, split, pending.rows.rows, pending.rows.store, options_.fractional,
              options_.criterion != Criterion::absolute_error, scratch.buffers);
    add_children(part, pending, scratch.buffers.parts, scratch.children);
    pass_on_histograms(pending, scratch.children, scratch);
    if (!options_.monotone.empty()) pass_on_bounds(j, pending, scratch.children, scratch.totals);
    pending.rows.store.reset();
    return scratch.children;
}

void Grower::add_children(TreePart& part, const Pending& pending, std::vector<ChildRows>& parts,
                          std::vector<Pending>& children) const {
    Split& split = part.nodes[static_cast<std::size_t>(pending.node)].split;
    if (!options_.fractional &&
        split.missing_child < 0)  // missing values that come later go where most rows went
        split.missing_child = static_cast<std::int32_t>(
            std::max_element(parts.begin(), parts.end(),
                             [](const ChildRows& a, const ChildRows& b) { return a.share < b.share; }) -
            parts.begin());
    const auto first = static_cast<std::int32_t>(part.nodes.size());
    GrowingNode& node = part.nodes[static_cast<std::size_t>(pending.node)];
    node.first_child = first;
    node.children = static_cast<std::int32_t>(parts.size());
    check_size(part.nodes.size() + parts.size());
    part.nodes.resize(part.nodes.size() + parts.size());
    children.clear();
    children.resize(parts.size());
    for (std::size_t c = 0; c < parts.size(); ++c) {
        part.nodes[static_cast<std::size_t>(first) + c].share = parts[c].share;
        children[c].node = first + static_cast<std::int32_t>(c);
        children[c].rows = std::move(parts[c]);
        children[c].depth = pending.depth + 1;
        children[c].path = child_path(pending.path, c);
    }
}

}  // namespace hornbook
