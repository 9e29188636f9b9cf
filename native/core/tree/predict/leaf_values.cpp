#include "core/tree/predict/leaf_values.hpp"

#include <algorithm>

#include "core/base/refuse.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t most_columns = std::int64_t{1} << 24;

bool is_leaf(const Vector<std::uint8_t>& kind, std::int64_t i) {
    return kind.data[i] == static_cast<std::uint8_t>(SplitKind::leaf);
}

void check_nodes(const SplitNodes& nodes, std::int64_t n) {
    if (nodes.feature.size != n || nodes.first_child.size != n || nodes.level_offset.size != n + 1 ||
        nodes.weight.size != n || nodes.impurity.size != n)
        refuse("the arrays of a tree must have one entry for each node, and level_offset one more.");
}

std::int64_t children_of(const SplitNodes& nodes, std::int64_t i) {
    if (nodes.kind.data[i] != static_cast<std::uint8_t>(SplitKind::multiway)) return 2;
    return std::int64_t{nodes.level_offset.data[i + 1]} - nodes.level_offset.data[i];
}

// Decrease of impurity by a split, times the weight of the node.
double impurity_decrease(const SplitNodes& nodes, std::int64_t i) {
    const std::int64_t first = nodes.first_child.data[i], last = first + children_of(nodes, i);
    if (first <= i || last > nodes.kind.size) refuse("first_child[", i, "] must be a later node.");
    double left = nodes.weight.data[i] * nodes.impurity.data[i];
    for (std::int64_t child = first; child < last; ++child)
        left -= nodes.weight.data[child] * nodes.impurity.data[child];
    return left;
}

}  // namespace

LeafAnswers leaf_answers(const Vector<std::uint8_t>& kind, const Vector<std::int32_t>& first_child,
                         const Matrix<double>& value, bool shares) {
    const std::int64_t n = kind.size;
    if (first_child.size != n || value.rows != n)
        refuse("the arrays of a tree must have one entry for each node.");
    std::int64_t leaves = 0;
    for (std::int64_t i = 0; i < n; ++i) leaves += is_leaf(kind, i);
    LeafAnswers out{Buffer<std::int32_t>(n), Buffer<double>(leaves, value.cols), leaves};
    std::int64_t leaf = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        out.first_child[i] = first_child.data[i];
        if (!is_leaf(kind, i)) continue;
        const double* from = value.row(i);
        double total = 0.0;
        for (std::int64_t k = 0; k < value.cols; ++k) total += from[k];
        const double unit = shares ? total : 1.0;
        for (std::int64_t k = 0; k < value.cols; ++k) out.value[leaf * value.cols + k] = from[k] / unit;
        out.first_child[i] = static_cast<std::int32_t>(leaf++);
    }
    return out;
}

Buffer<double> impurity_shares(const SplitNodes& nodes, std::int64_t columns) {
    const std::int64_t n = nodes.kind.size;
    check_nodes(nodes, n);
    if (columns < 0 || columns > most_columns)
        refuse("columns must be at least 0 and at most ", most_columns, "; got ", columns, ".");
    Buffer<double> shares(1, columns, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
        if (is_leaf(nodes.kind, i)) continue;
        const std::int32_t feature = nodes.feature.data[i];
        if (feature < 0 || feature >= columns) refuse("feature[", i, "] must be a column.");
        shares[feature] += impurity_decrease(nodes, i);
    }
    double total = 0.0;
    for (std::int64_t j = 0; j < columns; ++j) total += shares[j] = std::max(shares[j], 0.0);
    for (std::int64_t j = 0; j < columns && total > 0.0; ++j) shares[j] /= total;
    return shares;
}

KeptLeaves kept_leaves(const Tree& tree, std::int64_t columns, bool shares) {
    const std::int64_t n = tree.size();
    const Vector<std::uint8_t> kind{tree.kind.data(), n};
    const Vector<std::int32_t> first_child{tree.first_child.data(), n};
    LeafAnswers answers =
        leaf_answers(kind, first_child, Matrix<double>{tree.value.data(), n, tree.value_size}, shares);
    Buffer<double> weight(answers.leaves);
    for (std::int64_t i = 0, leaf = 0; i < n; ++i)
        if (is_leaf(kind, i)) weight[leaf++] = tree.weight[i];
    const SplitNodes nodes{kind,
                           {tree.feature.data(), n},
                           first_child,
                           {tree.level_offset.data(), n + 1},
                           {tree.weight.data(), n},
                           {tree.impurity.data(), n}};
    return {std::move(answers), std::move(weight), impurity_shares(nodes, columns)};
}

}  // namespace hornbook
