#include "core/tree/boost/grown_trees.hpp"

#include <limits>

#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

template <class T>
std::vector<T> slice(const std::vector<T>& from, std::int64_t first, std::int64_t last) {
    return {from.begin() + first, from.begin() + last};
}

void check(const NodeArrays& tree, std::int64_t nodes, std::int64_t levels) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (tree.size < 1) refuse("a tree has at least one node.");
    if (tree.level_offset[0] != 0) refuse("level_offset must start at 0.");
    for (std::int64_t i = 0; i < tree.size; ++i) {
        if (tree.level_offset[i + 1] < tree.level_offset[i]) refuse("level_offset must not fall.");
        if (tree.first_child[i] < i || tree.first_child[i] >= tree.size)
            refuse("first_child[", i, "] must be a later node, or the node itself.");
    }
    if (nodes + tree.size > most || levels + tree.level_offset[tree.size] > most)
        refuse("there is no room for more than 2^31 nodes or levels in all trees.");
}

}  // namespace

std::int64_t GrownTrees::size() const {
    const std::lock_guard one_at_a_time(mutex_);
    return std::ssize(all_.roots);
}

void GrownTrees::add(const NodeArrays& tree) {
    const std::lock_guard one_at_a_time(mutex_);
    const std::int64_t nodes = std::ssize(all_.kind), levels = std::ssize(all_.levels);
    check(tree, nodes, levels);
    const auto root = static_cast<std::int32_t>(nodes), listed = static_cast<std::int32_t>(levels);
    all_.roots.push_back(root);
    first_leaf_.push_back(static_cast<std::int32_t>(all_.step.size()));
    if (all_.level_offset.empty()) all_.level_offset.push_back(0);
    all_.kind.insert(all_.kind.end(), tree.kind, tree.kind + tree.size);
    all_.feature.insert(all_.feature.end(), tree.feature, tree.feature + tree.size);
    all_.threshold.insert(all_.threshold.end(), tree.threshold, tree.threshold + tree.size);
    all_.missing_child.insert(all_.missing_child.end(), tree.missing_child, tree.missing_child + tree.size);
    all_.levels.insert(all_.levels.end(), tree.levels, tree.levels + tree.level_offset[tree.size]);
    for (std::int64_t i = 0; i < tree.size; ++i) {
        all_.level_offset.push_back(listed + tree.level_offset[i + 1]);
        all_.gain.push_back(tree.weight[i] * tree.gain[i]);
        if (tree.kind[i] != static_cast<std::uint8_t>(SplitKind::leaf)) {
            all_.first_child.push_back(root + tree.first_child[i]);
            continue;
        }
        all_.first_child.push_back(static_cast<std::int32_t>(all_.step.size()));
        all_.step.push_back(tree.step[i]);
        all_.cover.push_back(static_cast<double>(tree.n_rows[i]));
    }
}

void GrownTrees::add(const Tree& tree, double rate) {
    std::vector<double> step(tree.value.data(), tree.value.data() + tree.size());
    for (double& value : step) value *= rate;
    add(NodeArrays{tree.kind.data(), tree.feature.data(), tree.threshold.data(), tree.first_child.data(),
                   tree.missing_child.data(), tree.level_offset.data(), tree.levels.data(),
                   tree.n_rows.data(), tree.weight.data(), tree.gain.data(), step.data(), tree.size()});
}

TreeNodes GrownTrees::part(std::int64_t first, std::int64_t last) const {
    const std::lock_guard one_at_a_time(mutex_);
    const std::int64_t trees = std::ssize(all_.roots);
    if (first < 0 || last < first || last > trees)
        refuse("trees ", first, " to ", last, " are not among the ", trees, " that there are.");
    const auto begin_of = [&](std::int64_t t, const std::vector<std::int32_t>& begins, std::int64_t end) {
        return t < trees ? std::int64_t{begins[static_cast<std::size_t>(t)]} : end;
    };
    const std::int64_t node = begin_of(first, all_.roots, std::ssize(all_.kind)),
                       end = begin_of(last, all_.roots, std::ssize(all_.kind)),
                       leaf = begin_of(first, first_leaf_, std::ssize(all_.step)),
                       last_leaf = begin_of(last, first_leaf_, std::ssize(all_.step));
    TreeNodes out;
    if (first == last) return out;
    out.roots = slice(all_.roots, first, last);
    out.kind = slice(all_.kind, node, end);
    out.feature = slice(all_.feature, node, end);
    out.threshold = slice(all_.threshold, node, end);
    out.first_child = slice(all_.first_child, node, end);
    out.missing_child = slice(all_.missing_child, node, end);
    out.step = slice(all_.step, leaf, last_leaf);
    out.cover = slice(all_.cover, leaf, last_leaf);
    for (std::int32_t& root : out.roots) root -= static_cast<std::int32_t>(node);
    for (std::size_t i = 0; i < out.kind.size(); ++i)
        out.first_child[i] -= static_cast<std::int32_t>(
            out.kind[i] == static_cast<std::uint8_t>(SplitKind::leaf) ? leaf : node);
    const std::int32_t listed = all_.level_offset[static_cast<std::size_t>(node)];
    if (all_.level_offset[static_cast<std::size_t>(end)] == listed) return out;
    out.levels = slice(all_.levels, listed, all_.level_offset[static_cast<std::size_t>(end)]);
    out.level_offset = slice(all_.level_offset, node, end + 1);
    for (std::int32_t& offset : out.level_offset) offset -= listed;
    return out;
}

std::vector<double> GrownTrees::gains(std::int64_t columns) const {
    const std::lock_guard one_at_a_time(mutex_);
    if (columns < 0) refuse("columns must be at least 0; got ", columns, ".");
    std::vector<double> total(static_cast<std::size_t>(columns), 0.0);
    for (std::size_t i = 0; i < all_.kind.size(); ++i) {
        if (all_.feature[i] < 0) continue;
        if (all_.feature[i] >= columns) refuse("a tree splits on column ", all_.feature[i], " of ", columns);
        total[static_cast<std::size_t>(all_.feature[i])] += all_.gain[i];
    }
    return total;
}

}  // namespace hornbook
