#include "core/tree/grow/subtree.hpp"

#include <bit>
#include <limits>

#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

// A node of a part, and its number in the finished tree.
struct Place {
    const TreePart* part;
    std::int32_t node;
    std::int32_t id;

    const GrowingNode& operator*() const { return part->nodes[static_cast<std::size_t>(node)]; }
};

Tree allocated_tree(std::int64_t nodes, int value_size) {
    Tree tree;
    tree.kind = Buffer<std::uint8_t>(nodes);
    tree.feature = Buffer<std::int32_t>(nodes);
    tree.threshold = Buffer<double>(nodes);
    tree.first_child = Buffer<std::int32_t>(nodes);
    tree.missing_child = Buffer<std::int32_t>(nodes);
    tree.level_offset = Buffer<std::int32_t>(nodes + 1);
    tree.n_rows = Buffer<std::int32_t>(nodes);
    tree.weight = Buffer<double>(nodes);
    tree.impurity = Buffer<double>(nodes);
    tree.gain = Buffer<double>(nodes);
    tree.share = Buffer<double>(nodes);
    tree.value = Buffer<double>(nodes, value_size);
    tree.value_size = value_size;
    return tree;
}

void write(const Place& at, std::int32_t first_child, Tree& tree) {
    const GrowingNode& node = *at;
    const bool leaf = node.split.kind == SplitKind::leaf;
    tree.kind[at.id] = static_cast<std::uint8_t>(node.split.kind);
    tree.feature[at.id] = leaf ? -1 : node.split.column;
    tree.threshold[at.id] =
        node.split.kind == SplitKind::threshold ? node.threshold : std::numeric_limits<double>::quiet_NaN();
    tree.first_child[at.id] = leaf ? at.id : first_child;
    tree.missing_child[at.id] = leaf ? -1 : node.split.missing_child;
    tree.n_rows[at.id] = node.n_rows;
    tree.weight[at.id] = node.weight;
    tree.impurity[at.id] = node.impurity;
    tree.gain[at.id] = leaf ? 0.0 : node.split.gain;
    std::copy_n(at.part->values.data() + std::int64_t{at.node} * tree.value_size, tree.value_size,
                tree.value.data() + std::int64_t{at.id} * tree.value_size);
}

// Levels of all nodes, one after the other; places are in the order of their ids.
void write_levels(const std::vector<Place>& places, Tree& tree) {
    std::int64_t size = 0;
    for (const Place& at : places) {
        tree.level_offset[at.id] = static_cast<std::int32_t>(size);
        size += std::ssize((*at).split.levels) + std::popcount((*at).listed);
    }
    tree.level_offset[tree.size()] = static_cast<std::int32_t>(size);
    tree.levels = Buffer<std::int32_t>(size);
    if (size == 0) return;
    for (const Place& at : places) {
        const std::vector<std::int32_t>& levels = (*at).split.levels;
        std::int32_t* to =
            std::copy(levels.begin(), levels.end(), tree.levels.data() + tree.level_offset[at.id]);
        for (std::uint32_t rest = (*at).listed; rest; rest &= rest - 1) *to++ = std::countr_zero(rest);
    }
}

// A node, or the root of the subtree that stands in for it, in the part that has it.
struct Resolved {
    const TreePart& part;
    std::size_t at;

    const GrowingNode& operator*() const { return part.nodes[at]; }
};

Resolved resolved(const TreePart& part, std::int32_t node, const std::vector<TreePart>& grafts) {
    const std::int32_t graft = part.nodes[static_cast<std::size_t>(node)].graft;
    if (graft < 0) return {part, static_cast<std::size_t>(node)};
    return {grafts[static_cast<std::size_t>(graft)], 0};
}

// Impurity of the node minus the mean of those of its children; numbers as in sum_gain.
double gain_of(const TreePart& part, const GrowingNode& node, const std::vector<TreePart>& grafts,
               const TreeOptions& options, bool numbers, std::vector<double>& table) {
    double inside = 0.0;
    table.clear();
    for (std::int32_t c = 0; c < node.children; ++c) {
        const Resolved child = resolved(part, node.first_child + c, grafts);
        inside += (*child).weight / node.weight * (*child).impurity;
        table.insert(table.end(), {(*child).sum, (*child).weight, 0.0});
    }
    return numbers ? sum_gain(options, table.data(), node.children) : node.impurity - inside;
}

}  // namespace

void settle_gains(TreePart& trunk, std::vector<TreePart>& grafts, const TreeOptions& options) {
    const bool numbers = options.criterion == Criterion::squared_error;
    const bool several_searches =
        numbers || options.criterion == Criterion::gini || options.criterion == Criterion::entropy;
    if (!several_searches || options.fractional)
        return;  // gains of fractional rows are those of the rows with a value
    std::vector<double> table;
    const auto settle = [&](TreePart& part) {
        for (GrowingNode& node : part.nodes)
            if (node.split.kind != SplitKind::leaf)
                node.split.gain = gain_of(part, node, grafts, options, numbers, table);
    };
    settle(trunk);
    for (TreePart& graft : grafts) settle(graft);
}

std::size_t count_nodes(const TreePart& trunk, const std::vector<TreePart>& grafts) {
    std::size_t count = trunk.nodes.size();
    for (const TreePart& graft : grafts) count += graft.nodes.size() - 1;  // its root stands in for a node
    return count;
}

std::vector<std::int32_t> numbers_of(const TreePart& part) {
    std::vector<std::int32_t> number(part.nodes.size(), 0), open{0};
    std::int32_t next = 1;
    while (!open.empty()) {
        const GrowingNode& node = part.nodes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        for (std::int32_t c = node.children; c-- > 0;) {
            open.push_back(node.first_child + c);
            number[static_cast<std::size_t>(node.first_child + c)] = next + c;
        }
        next += node.children;
    }
    return number;
}

// Nodes that grew depth first have their numbers already.
Tree copied(const TreePart& part, int value_size) {
    Tree tree = allocated_tree(std::ssize(part.nodes), value_size);
    std::vector<Place> places(part.nodes.size());
    for (std::int32_t i = 0; i < std::ssize(part.nodes); ++i) {
        places[static_cast<std::size_t>(i)] = {&part, i, i};
        write(places[static_cast<std::size_t>(i)], part.nodes[static_cast<std::size_t>(i)].first_child, tree);
        tree.share[i] = part.nodes[static_cast<std::size_t>(i)].share;
    }
    write_levels(places, tree);
    return tree;
}

Tree flatten(const TreePart& trunk, const std::vector<TreePart>& grafts, int value_size) {
    const std::size_t size = count_nodes(trunk, grafts);
    Tree tree = allocated_tree(static_cast<std::int64_t>(size), value_size);
    std::vector<Place> places(size), open{{&trunk, 0, 0}};
    tree.share[0] = 1.0;
    std::int32_t next = 1;
    while (!open.empty()) {
        Place at = open.back();
        open.pop_back();
        const std::int32_t graft = (*at).graft;
        if (graft >= 0) at = {&grafts[static_cast<std::size_t>(graft)], 0, at.id};
        const GrowingNode& node = *at;
        places[static_cast<std::size_t>(at.id)] = at;
        write(at, next, tree);
        for (std::int32_t c = node.children; c-- > 0;) {
            open.push_back({at.part, node.first_child + c, next + c});
            tree.share[next + c] = (*open.back()).share;
        }
        next += node.children;
    }
    write_levels(places, tree);
    return tree;
}

}  // namespace hornbook
