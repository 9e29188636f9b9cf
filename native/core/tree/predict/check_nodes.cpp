#include "core/tree/predict/check_nodes.hpp"

#include <algorithm>
#include <limits>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

namespace {

// Whether all nodes from `first` on are leaves with values or splits on numbers; without branches, so that
// it vectorizes.
HORNBOOK_WIDE bool usual_nodes(const TreeArrays& t, std::int32_t first, std::int32_t end,
                               std::int32_t columns, std::int32_t values) {
    const std::uint8_t* kind = t.kind.data;
    const std::int32_t* feature = t.feature.data;
    const std::int32_t* first_child = t.first_child.data;
    const std::int32_t* missing_child = t.missing_child.data;
    std::int32_t wrong = 0;
    for (std::int32_t i = first; i < end; ++i) {
        const std::int32_t child = first_child[i];
        const std::int32_t leaf = kind[i] == static_cast<std::uint8_t>(SplitKind::leaf);
        const std::int32_t no_value = static_cast<std::uint32_t>(child) >= static_cast<std::uint32_t>(values);
        const std::int32_t no_split =
            (kind[i] != static_cast<std::uint8_t>(SplitKind::threshold)) |
            (static_cast<std::uint32_t>(feature[i]) >= static_cast<std::uint32_t>(columns)) | (child <= i) |
            (child >= end - 1) | (static_cast<std::uint32_t>(missing_child[i]) > 1u);
        wrong |= (leaf & no_value) | ((1 - leaf) & no_split);
    }
    return wrong == 0;
}

}  // namespace

std::int32_t children_of(const TreeArrays& t, std::int64_t node) {
    const auto kind = static_cast<SplitKind>(t.kind.data[node]);
    if (kind == SplitKind::multiway) return t.level_offset.data[node + 1] - t.level_offset.data[node];
    return kind == SplitKind::leaf ? 0 : 2;
}

std::int64_t end_of_tree(const TreeArrays& t, std::int64_t tree) {
    const std::int32_t* root = t.roots.data + tree;
    return tree + 1 < t.roots.size && root[1] > root[0] ? root[1] : t.kind.size;
}

void check_sizes(const TreeArrays& t, std::int64_t n) {
    if (t.feature.size != n || t.threshold.size != n || t.first_child.size != n || t.missing_child.size != n)
        refuse("kind, feature, threshold, first_child and missing_child must have the same length.");
    if (t.share.size != 0 && t.share.size != n) refuse("share must have one entry for each node, or none.");
    if (t.level_offset.size != 0 && t.level_offset.size != n + 1)
        refuse("level_offset must have one entry more than there are nodes, or none.");
    for (std::int64_t i = 0; i + 1 < t.level_offset.size; ++i)
        if (t.level_offset.data[i] < 0 || t.level_offset.data[i + 1] < t.level_offset.data[i])
            refuse("level_offset must ascend from 0.");
    if (t.level_offset.size > 0 && t.level_offset.data[n] > t.levels.size)
        refuse("level_offset must end within levels.");
    for (std::int64_t i = 0; i < t.roots.size; ++i)
        if (t.roots.data[i] < 0 || t.roots.data[i] >= n) refuse("roots[", i, "] is not a node.");
}

void check_rows(const TreeRows& rows) {
    if (rows.numbers.rows != rows.codes.rows) refuse("numbers and codes must have the same number of rows.");
    for (std::int64_t j = 0; j < rows.place.size; ++j) {
        const std::int32_t place = rows.place.data[j];
        if (place >= 0 ? place >= rows.numbers.cols : -1 - place >= rows.codes.cols)
            refuse("place[", j, "] = ", place, " names a column that does not exist.");
    }
}

void check_node(const TreeArrays& t, const TreeRows& rows, std::int64_t i, std::int64_t n,
                std::int64_t values) {
    if (t.kind.data[i] > 3) refuse("kind[", i, "] must be at most 3.");
    const auto kind = static_cast<SplitKind>(t.kind.data[i]);
    const std::int32_t child = t.first_child.data[i];
    if (kind == SplitKind::leaf) {
        if (child < 0 || child >= values) refuse("first_child[", i, "] must be a row of the answers.");
        return;
    }
    const std::int32_t feature = t.feature.data[i];
    if (feature < 0 || feature >= rows.place.size) refuse("feature[", i, "] must be a column.");
    const bool listed = kind != SplitKind::threshold;
    if (listed && (t.level_offset.size == 0 || rows.place.data[feature] >= 0))
        refuse("node ", i, " lists levels, which only columns of codes have.");
    if (kind == SplitKind::multiway && values != t.kind.size)
        refuse("trees with multiway nodes need an answer in every node.");
    const std::int32_t children = children_of(t, i);
    if (children < 1) refuse("node ", i, " must have a child.");
    if (child <= i || child + std::int64_t{children} > n)
        refuse("first_child[", i, "] must be a later node.");
    if (t.missing_child.data[i] < -1 || t.missing_child.data[i] >= children)
        refuse("missing_child[", i, "] must be -1 or a child.");
    if (t.missing_child.data[i] < 0 && t.share.size == 0)
        refuse("node ", i, " sends rows everywhere without shares.");
}

void check_tree(const TreeArrays& t, const TreeRows& rows, std::int64_t begin, std::int64_t end,
                std::int64_t values) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const bool numbers_only = rows.codes.cols == 0;  // so that every column has a place among the numbers
    if (numbers_only && usual_nodes(t, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end),
                                    static_cast<std::int32_t>(rows.place.size),
                                    static_cast<std::int32_t>(std::min(values, most))))
        return;
    for (std::int64_t i = begin; i < end; ++i) check_node(t, rows, i, end, values);
}

}  // namespace hornbook
