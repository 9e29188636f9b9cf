#include "core/tree/predict/leaf_masks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/parallel.hpp"
#include "core/base/simd.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/predict/check_nodes.hpp"
#include "core/tree/predict/keys.hpp"

namespace hornbook {

namespace {

constexpr std::size_t most_leaves = 64;
constexpr int vectors = 8, in_vector = 8;  // of rows
constexpr std::int64_t tile_rows = vectors * in_vector;
constexpr std::int64_t run = 16 * tile_rows;  // rows of one work item
typedef std::int32_t Keys __attribute__((vector_size(32), may_alias));

// The key of the largest float up to a number: for numbers that are floats, number > threshold is
// key > key of the threshold.
inline WholeKey key_below(double number, bool& exact) {
    const auto rounded = static_cast<double>(static_cast<float>(number));
    exact &= rounded == number;
    return key_of(number, missing_key) - (rounded > number ? 1 : 0);
}

}  // namespace

// Keys of some rows, column by column.
struct LeafMasks::Tile {
    Buffer<WholeKey> keys;
    const TreeRows& rows;
    std::int64_t first = 0, size = 0;
    bool plain = true;  // no value is missing, and all are floats

    explicit Tile(const TreeRows& all) : keys(all.numbers.cols + all.codes.cols, tile_rows, 0), rows(all) {}

    void fill(std::int64_t from, std::int64_t to) {
        first = from;
        size = to - from;
        bool exact = true, missing = false;
        WholeKey* out = keys.data();
        const std::int64_t numbers = rows.numbers.cols, codes = rows.codes.cols;
        for (std::int64_t r = 0; r < size; ++r) {
            const double* number = rows.numbers.row(first + r);
            for (std::int64_t j = 0; j < numbers; ++j) {
                const bool lacks = number[j] != number[j];
                missing |= lacks;
                out[j * tile_rows + r] = lacks ? missing_key : key_below(number[j], exact);
            }
            const std::int32_t* code = rows.codes.row(first + r);
            for (std::int64_t j = 0; j < codes; ++j) {
                missing |= code[j] < 0;
                out[(numbers + j) * tile_rows + r] = code[j] < 0 ? missing_key : key_below(code[j], exact);
            }
        }
        plain = exact && !missing;
    }
};

std::optional<LeafMasks> LeafMasks::of(const TreeArrays& trees, const TreeRows& rows, std::int64_t values) {
    LeafMasks masks;
    for (std::int64_t t = 0; t < trees.roots.size; ++t)
        if (!masks.plan(trees, rows, values, trees.roots.data[t])) return std::nullopt;
    return masks;
}

// Leaves are numbered from left to right: a node is done once both of its subtrees are.
bool LeafMasks::plan(const TreeArrays& trees, const TreeRows& rows, std::int64_t values, std::int32_t root) {
    struct Step {
        std::int32_t node;
        std::size_t before;  // leaves on its left; at the second visit, before those of the right subtree
        bool second;
    };
    TreePlan tree{nodes_.size(), 0, answers_.size(), false};
    std::vector<Step> open{{root, 0, false}};
    std::size_t leaves = 0;
    while (!open.empty()) {
        const Step step = open.back();
        open.pop_back();
        const std::int32_t i = step.node;
        const std::int32_t child = trees.first_child.data[i];
        if (!step.second) {
            check_node(trees, rows, i, trees.kind.size, values);
            const auto kind = static_cast<SplitKind>(trees.kind.data[i]);
            if (kind == SplitKind::leaf) {
                if (++leaves > most_leaves) return false;
                answers_.push_back(child);
                continue;
            }
            if (kind == SplitKind::multiway || trees.missing_child.data[i] < 0) return false;
            open.push_back({i, leaves, true});
            open.push_back({child, 0, false});
            continue;
        }
        const std::uint64_t up_to =
            leaves == most_leaves ? ~std::uint64_t{0} : (std::uint64_t{1} << leaves) - 1;
        const std::uint64_t left = up_to & ~((std::uint64_t{1} << step.before) - 1);
        const std::int32_t place = rows.place.data[trees.feature.data[i]];
        Node node{0,
                  static_cast<std::int32_t>(place >= 0 ? place : rows.numbers.cols + (-1 - place)),
                  {static_cast<std::int32_t>(left), static_cast<std::int32_t>(left >> 32)},
                  trees.missing_child.data[i] == 1 ? -1 : 0,
                  -1};
        if (trees.kind.data[i] == static_cast<std::uint8_t>(SplitKind::threshold)) {
            bool exact = true;
            const double threshold = trees.threshold.data[i];
            node.cut = threshold != threshold ? highest_cut : key_below(threshold, exact);
        } else {
            node.set = static_cast<std::int32_t>(sets_.size());
            std::vector<bool>& set = sets_.emplace_back();
            for (std::int32_t k = trees.level_offset.data[i]; k < trees.level_offset.data[i + 1]; ++k) {
                const std::int32_t level = trees.levels.data[k];
                if (level < 0 || level > 4096) return false;
                if (level >= std::ssize(set)) set.resize(static_cast<std::size_t>(level) + 1);
                set[static_cast<std::size_t>(level)] = true;
            }
        }
        nodes_.push_back(node);
        open.push_back({child + 1, 0, false});
    }
    tree.last = nodes_.size();
    tree.wide = leaves > most_leaves / 2;
    trees_.push_back(tree);
    return true;
}

template <bool Plain>
__attribute__((always_inline)) inline void LeafMasks::walk(const TreePlan& tree, const Tile& tile,
                                                           std::int32_t* masks, std::int32_t* unsure) const {
    const auto* keys = reinterpret_cast<const Keys*>(tile.keys.data());
    const Node* nodes = nodes_.data();
    Keys doubt[vectors] = {};
    for (int word = 0; word < (tree.wide ? 2 : 1); ++word) {
        Keys mask[vectors];
        for (Keys& one : mask) one = Keys{} - 1;
        for (std::size_t i = tree.first; i < tree.last; ++i) {
            const Node& node = nodes[i];
            const Keys cut = Keys{} + node.cut, left = Keys{} + node.left[word];
            const Keys* key = keys + node.place * vectors;
            if (node.set >= 0) {
                const std::vector<bool>& set = sets_[static_cast<std::size_t>(node.set)];
                const std::int64_t column = node.place - tile.rows.numbers.cols;
                for (std::int64_t r = 0; r < tile.size; ++r) {
                    const std::int32_t code = tile.rows.codes.row(tile.first + r)[column];
                    const bool listed =
                        code >= 0 && code < std::ssize(set) && set[static_cast<std::size_t>(code)];
                    const bool right = code < 0 ? node.missing != 0 : !listed;
                    if (right) mask[r / in_vector][r % in_vector] &= ~node.left[word];
                }
                continue;
            }
            for (int v = 0; v < vectors; ++v) {
                Keys right = key[v] > cut;
                if (!Plain) {
                    right |= (key[v] == missing_key) & node.missing;
                    doubt[v] |= key[v] == cut;
                }
                mask[v] &= ~(right & left);
            }
        }
        std::memcpy(masks + word * tile_rows, mask, sizeof mask);
    }
    if (!Plain) std::memcpy(unsure, doubt, sizeof doubt);
}

HORNBOOK_WIDE void LeafMasks::walk_plain(const TreePlan& tree, const Tile& tile, std::int32_t* masks) const {
    walk<true>(tree, tile, masks, nullptr);
}

HORNBOOK_WIDE void LeafMasks::walk_any(const TreePlan& tree, const Tile& tile, std::int32_t* masks,
                                       std::int32_t* unsure) const {
    walk<false>(tree, tile, masks, unsure);
}

void LeafMasks::add(const TreeRows& rows, const Matrix<double>& value, int threads, const Slowly& slowly,
                    double* out) const {
    parallel_rows(rows.numbers.rows, run, threads, [&](std::int64_t from, std::int64_t to) {
        Tile tile(rows);
        alignas(64) std::int32_t masks[2 * tile_rows], unsure[tile_rows];
        for (std::int64_t first = from; first < to; first += tile_rows) {
            tile.fill(first, std::min(first + tile_rows, to));
            for (std::size_t t = 0; t < trees_.size(); ++t) {
                const TreePlan& tree = trees_[t];
                if (tile.plain)
                    walk_plain(tree, tile, masks);
                else
                    walk_any(tree, tile, masks, unsure);
                const std::int32_t* answers = answers_.data() + tree.answers;
                for (std::int64_t r = 0; r < tile.size; ++r) {
                    const auto low = static_cast<std::uint32_t>(masks[r]);
                    const auto high = static_cast<std::uint32_t>(masks[tile_rows + r]);
                    std::int32_t answer =
                        answers[low || !tree.wide ? std::countr_zero(low) : 32 + std::countr_zero(high)];
                    if (!tile.plain && unsure[r]) answer = slowly(first + r, static_cast<std::int64_t>(t));
                    const double* values = value.row(answer);
                    double* sum = out + (first + r) * value.cols;
                    for (std::int64_t k = 0; k < value.cols; ++k) sum[k] += values[k];
                }
            }
        }
    });
}

}  // namespace hornbook
