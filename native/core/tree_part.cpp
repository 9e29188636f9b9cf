#include "core/tree_part.hpp"

#include <limits>

namespace hornbook {

namespace {

struct Place {
    const TreePart* part;
    std::int32_t node;
    std::int32_t id;
};

std::size_t count_nodes(const TreePart& trunk, const std::vector<TreePart>& grafts) {
    std::size_t count = trunk.nodes.size();
    for (const TreePart& graft : grafts) count += graft.nodes.size() - 1;  // its root stands in for a node
    return count;
}

void reserve(Tree& tree, std::size_t nodes) {
    tree.kind.resize(nodes);
    tree.feature.resize(nodes);
    tree.threshold.resize(nodes);
    tree.first_child.resize(nodes);
    tree.missing_child.resize(nodes);
    tree.level_offset.resize(nodes + 1);
    tree.n_rows.resize(nodes);
    tree.weight.resize(nodes);
    tree.impurity.resize(nodes);
    tree.gain.resize(nodes);
    tree.share.resize(nodes);
    tree.value.resize(nodes * static_cast<std::size_t>(tree.value_size));
}

void write(const GrowingNode& node, std::size_t id, std::int32_t first_child, Tree& tree) {
    const bool leaf = node.split.kind == SplitKind::leaf;
    tree.kind[id] = static_cast<std::uint8_t>(node.split.kind);
    tree.feature[id] = leaf ? -1 : node.split.column;
    tree.threshold[id] =
        node.split.kind == SplitKind::threshold ? node.threshold : std::numeric_limits<double>::quiet_NaN();
    tree.first_child[id] = leaf ? static_cast<std::int32_t>(id) : first_child;
    tree.missing_child[id] = leaf ? -1 : node.split.missing_child;
    tree.n_rows[id] = node.n_rows;
    tree.weight[id] = node.weight;
    tree.impurity[id] = node.impurity;
    tree.gain[id] = leaf ? 0.0 : node.split.gain;
    std::copy(node.value.begin(), node.value.end(),
              tree.value.begin() + static_cast<std::ptrdiff_t>(id) * tree.value_size);
}

// Levels of all nodes, one after the other.
void write_levels(const std::vector<const GrowingNode*>& nodes, Tree& tree) {
    for (std::size_t id = 0; id < nodes.size(); ++id) {
        tree.level_offset[id] = static_cast<std::int32_t>(tree.levels.size());
        const std::vector<std::int32_t>& levels = nodes[id]->split.levels;
        tree.levels.insert(tree.levels.end(), levels.begin(), levels.end());
    }
    tree.level_offset[nodes.size()] = static_cast<std::int32_t>(tree.levels.size());
}

}  // namespace

Tree flatten(const TreePart& trunk, const std::vector<TreePart>& grafts, int value_size) {
    Tree tree;
    tree.value_size = value_size;
    const std::size_t size = count_nodes(trunk, grafts);
    reserve(tree, size);
    std::vector<const GrowingNode*> nodes(size);
    std::vector<Place> open{{&trunk, 0, 0}};
    tree.share[0] = 1.0;
    std::int32_t next = 1;
    while (!open.empty()) {
        Place at = open.back();
        open.pop_back();
        const std::int32_t graft = at.part->nodes[static_cast<std::size_t>(at.node)].graft;
        if (graft >= 0) at = {&grafts[static_cast<std::size_t>(graft)], 0, at.id};
        const GrowingNode& node = at.part->nodes[static_cast<std::size_t>(at.node)];
        nodes[static_cast<std::size_t>(at.id)] = &node;
        write(node, static_cast<std::size_t>(at.id), next, tree);
        for (std::int32_t c = node.children; c-- > 0;) {
            open.push_back({at.part, node.first_child + c, next + c});
            const GrowingNode& child = at.part->nodes[static_cast<std::size_t>(node.first_child + c)];
            tree.share[static_cast<std::size_t>(next + c)] = child.share;
        }
        next += node.children;
    }
    write_levels(nodes, tree);
    return tree;
}

}  // namespace hornbook
