#include "core/tree/contributions/path_edges.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/predict/check_nodes.hpp"

namespace hornbook {

namespace {

constexpr std::int32_t word = 64;             // levels
constexpr std::int32_t most_depth = 1 << 16;  // working memory grows with it

}  // namespace

// Shares of the children in the weight of their node, from the leaves upward.
void PathEdges::weigh(std::int64_t begin, std::int64_t end) {
    weight_.assign(end - begin, 0.0);
    share_.assign(end - begin, 1.0);
    for (std::int64_t i = end; i-- > begin;) {
        check_node(trees_, rows_, i, end, value_.rows);
        const std::int32_t first = trees_.first_child.data[i], many = children_of(trees_, i);
        double& total = weight_[i - begin];
        if (many == 0) {
            total = cover_.data[first];
            if (!(total >= 0.0) || std::isinf(total))
                refuse("cover[", first, "] must be finite and not negative.");
            continue;
        }
        for (std::int32_t c = 0; c < many; ++c) total += weight_[first + c - begin];
        if (std::isinf(total)) refuse("the weights of the leaves below node ", i, " are too large to add.");
        // Children that no weight has reached count the same.
        for (std::int32_t c = 0; c < many; ++c)
            share_[first + c - begin] = total > 0.0 ? weight_[first + c - begin] / total : 1.0 / many;
    }
}

void PathEdges::list(std::int64_t begin, std::int64_t end) {
    weigh(begin, end);
    begin_ = begin;
    depth_ = columns_ = 0;
    edges_.clear();
    words_.clear();
    mean_.assign(value_.cols, 0.0);
    rest_.assign(1, 1.0);
    std::fill(last_.begin(), last_.end(), 0);
    const auto root = static_cast<std::int32_t>(begin);
    if (static_cast<SplitKind>(trees_.kind.data[root]) == SplitKind::leaf) {
        mean_.assign(value_.row(trees_.first_child.data[root]),
                     value_.row(trees_.first_child.data[root]) + value_.cols);
        return;
    }
    const auto step_into = [&](std::int32_t node, double reach) {
        const bool multiway = static_cast<SplitKind>(trees_.kind.data[node]) == SplitKind::multiway;
        return Step{node, 0, children_of(trees_, node) + multiway, reach};
    };
    std::vector<Step> path{step_into(root, 1.0)};
    std::vector<Edge> open;
    std::int32_t asked = 0;
    // In a tree no node is visited twice; where nodes share a child, the number of paths grows like 2^n.
    std::int64_t visits = 1;
    while (!path.empty()) {
        Step& step = path.back();
        const auto depth = static_cast<std::int32_t>(path.size());
        if (step.next == step.children) {
            path.pop_back();
            if (open.empty()) break;
            last_[open.back().column] = open.back().before;
            asked -= open.back().before == 0;
            open.pop_back();
            continue;
        }
        if (depth > most_depth) refuse("a tree is deeper than ", most_depth, " levels.");
        Edge edge = edge_to(step, step.next++, depth);
        add_levels(edge);
        edges_.push_back(edge);
        if (step.next <= children_of(trees_, step.node) && ++visits > end - begin)
            refuse("no node may be the child of two others.");
        const double reach = step.reach * edge.share;
        depth_ = std::max(depth_, depth);
        columns_ = std::max(columns_, asked + (edge.before == 0));
        if (edge.answer >= 0) {
            end_path(edge, reach);
        } else {
            rest_.resize(depth + 1);
            rest_[depth] = edge.rest;
            last_[edge.column] = depth;
            asked += edge.before == 0;
            open.push_back(edge);
            path.push_back(step_into(trees_.first_child.data[step.node] + step.next - 1, reach));
        }
    }
}

Edge PathEdges::edge_to(const Step& step, std::int32_t child, std::int32_t depth) const {
    const std::int32_t node = step.node, first = trees_.first_child.data[node];
    Edge edge{};
    edge.depth = depth;
    edge.column = trees_.feature.data[node];
    edge.before = last_[edge.column];
    edge.node = node;
    edge.part = -1.0;
    edge.rest_before = rest_[edge.before];
    if (child == children_of(trees_, node)) {  // no branch for the level: the row stays in the node
        edge.answer = node;
        edge.test = Test::not_listed;
        return edge;
    }
    const std::int32_t to = first + child;
    const bool leaf = static_cast<SplitKind>(trees_.kind.data[to]) == SplitKind::leaf;
    edge.answer = leaf ? trees_.first_child.data[to] : -1;
    edge.share = share_[to - begin_];
    edge.rest = edge.rest_before * edge.share;
    set_test(edge, node, child);
    return edge;
}

void PathEdges::set_test(Edge& edge, std::int32_t node, std::int32_t child) const {
    const std::int32_t missing = trees_.missing_child.data[node];
    edge.takes_missing = missing == child;
    if (missing < 0) edge.part = trees_.share.data[trees_.first_child.data[node] + child];
    switch (static_cast<SplitKind>(trees_.kind.data[node])) {
        case SplitKind::threshold:
            edge.test = child == 1 ? Test::above : Test::not_above;
            edge.cut = trees_.threshold.data[node];
            break;
        case SplitKind::subset:
            edge.test = child == 1 ? Test::not_listed : Test::listed;
            break;
        default:
            edge.test = Test::equal;
            edge.cut = trees_.levels.data[trees_.level_offset.data[node] + child];
    }
}

// Marks the listed levels in words, unless those would take much more memory than the list.
void PathEdges::add_levels(Edge& edge) {
    if (edge.test != Test::listed && edge.test != Test::not_listed) return;
    const std::int32_t* begin = trees_.levels.data + trees_.level_offset.data[edge.node];
    const std::int32_t* end = trees_.levels.data + trees_.level_offset.data[edge.node + 1];
    if (edge.test == Test::not_listed && !edges_.empty() && edges_.back().node == edge.node &&
        edges_.back().test == Test::listed) {
        edge.first = edges_.back().first;  // of the sibling
        edge.many = edges_.back().many;
        return;
    }
    constexpr std::int64_t always = 4;
    const std::int64_t highest = begin == end ? 0 : std::max(*std::max_element(begin, end), 0);
    const std::int64_t many = highest / word + 1;
    if (many > end - begin + always) return;
    edge.first = static_cast<std::int32_t>(words_.size());
    edge.many = static_cast<std::int32_t>(many);
    words_.resize(words_.size() + many, 0);
    for (const std::int32_t* level = begin; level != end; ++level)
        if (*level >= 0) words_[edge.first + *level / word] |= std::uint64_t{1} << (*level % word);
}

bool PathEdges::is_listed(const Edge& edge, std::int32_t level) const {
    if (edge.many > 0)
        return level / word < edge.many && (words_[edge.first + level / word] >> (level % word) & 1);
    return std::binary_search(trees_.levels.data + trees_.level_offset.data[edge.node],
                              trees_.levels.data + trees_.level_offset.data[edge.node + 1], level);
}

void PathEdges::end_path(const Edge& edge, double reach) {
    const double* answer = value_.row(edge.answer);
    for (std::int64_t k = 0; k < value_.cols; ++k) mean_[k] += reach * answer[k];
}

}  // namespace hornbook
