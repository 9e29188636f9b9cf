#include "core/tree/grow/grow_trees.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/stats/levels.hpp"
#include "core/stop.hpp"
#include "core/tree/grow/grower.hpp"

namespace hornbook {

namespace {

// Weight of each row in this tree.
struct RowWeights {
    const TreeTarget& target;
    const std::uint32_t* count;

    double multiplicity(std::int32_t i) const { return count ? count[i] : 1.0; }
    double operator()(std::int32_t i) const {
        return (target.weight ? target.weight[i] : 1.0) * multiplicity(i);
    }
};

std::vector<std::int32_t> positive_rows(std::int64_t n, const RowWeights& weights) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(n) + 1);
    std::size_t kept = 0;
    for (std::int32_t i = 0; i < n; ++i) {  // branchless: which rows are kept is unpredictable
        rows[kept] = i;
        kept += weights(i) != 0.0;
    }
    if (kept == 0) refuse("a tree needs at least one row of positive weight.");
    rows.resize(kept);
    return rows;
}

TargetInfo describe(const std::vector<std::int32_t>& rows, const RowWeights& weights, bool fractional) {
    TargetInfo info;
    info.classes = weights.target.label ? weights.target.n_classes : 0;
    // Rows that go to several children need weights of their own.
    info.weighted = weights.target.weight || weights.count || fractional;
    info.rows = std::ssize(rows);
    info.square_unit = weights.target.square_unit;
    for (const std::int32_t i : rows) info.largest += weights(i);
    if (weights.target.weight)
        info.whole_weights = std::all_of(
            rows.begin(), rows.end(), [&](std::int32_t i) { return weights(i) == std::floor(weights(i)); });
    return info;
}

// A column of the rows' store.
template <class Column, class Fn>
void fill(Column& column, const std::vector<std::int32_t>& rows, Fn&& entry) {
    column.resize(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) column[k] = entry(rows[k]);
}

// Growing sorts the rows of a node by child, in place: in the end those of a leaf are contiguous, and the
// leaves follow each other from left to right.
void write_leaves(const Tree& tree, const std::vector<std::int32_t>& rows, std::int32_t* leaf) {
    const std::int32_t* row = rows.data();
    std::vector<std::int32_t> waiting{0};
    while (!waiting.empty()) {
        const std::int32_t node = waiting.back();
        waiting.pop_back();
        const auto kind = static_cast<SplitKind>(tree.kind[node]);
        if (kind == SplitKind::leaf) {
            for (const std::int32_t* end = row + tree.n_rows[node]; row != end; ++row) leaf[*row] = node;
            continue;
        }
        const std::int32_t children =
            kind == SplitKind::multiway ? tree.level_offset[node + 1] - tree.level_offset[node] : 2;
        for (std::int32_t c = children; c-- > 0;) waiting.push_back(tree.first_child[node] + c);
    }
}

}  // namespace

// Constraints need one value of each child, and an order of the column.
static void check_monotone(const CodedTable& table, const TreeTarget& target, const TreeOptions& options) {
    if (options.monotone.empty()) return;
    if (options.monotone.size() != table.columns.size()) refuse("monotone needs one entry for each column.");
    if (options.fractional || options.multiway || options.l2 > 0.0 || (target.label && target.n_classes > 2))
        refuse(
            "monotone is for numbers and two classes, splits in two, and missing values with a direction.");
    for (std::size_t j = 0; j < table.columns.size(); ++j)
        if (options.monotone[j] < -1 || options.monotone[j] > 1 ||
            (options.monotone[j] != 0 && table.columns[j].nominal))
            refuse("monotone[", j, "] must be -1, 0 or 1, and 0 for categories.");
}

void check_target(const CodedTable& table, const TreeTarget& target, const TreeOptions& options) {
    if (table.columns.empty() || table.n_rows == 0) refuse("a tree needs at least one column and one row.");
    const bool poisson = options.criterion == Criterion::poisson;
    const bool numbers = poisson || options.criterion == Criterion::squared_error ||
                         options.criterion == Criterion::absolute_error;
    if (target.several) {
        check_several(table.n_rows, *target.several, options);
    } else if (numbers != (target.sum != nullptr) || numbers == (target.label != nullptr)) {
        refuse(
            "the criterion does not suit the kind of target: classes need label alone, numbers sum alone.");
    }
    if (!numbers && !target.several) check_class_count(target.n_classes);
    if (options.multiway && options.criterion == Criterion::cart)
        refuse("the criterion cart compares two branches and cannot score multiway splits.");
    if (options.pick == Pick::proportional && options.criterion == Criterion::gain_ratio)
        refuse(
            "gain_ratio compares columns, so that no split can be drawn in proportion to it: "
            "use raw_gain_ratio.");
    if (options.max_features < 1 || options.columns_per_tree < 1 || options.top_k < 1 ||
        options.min_samples_leaf < 1)
        refuse("max_features, columns_per_tree, top_k and min_samples_leaf must be at least 1.");
    const std::int64_t n = table.n_rows;
    const auto first_wrong = [n](const auto* cells, const auto& wrong) {
        return cells ? std::find_if(cells, cells + n, wrong) - cells : n;
    };
    const std::int64_t label = first_wrong(
        target.label, [&](std::int32_t class_) { return class_ < 0 || class_ >= target.n_classes; });
    const std::int64_t weight =
        first_wrong(target.weight, [](double w) { return !(w >= 0.0 && std::isfinite(w)); });
    const std::int64_t sum =
        first_wrong(target.sum, [&](double s) { return !std::isfinite(s) || (poisson && s < 0.0); });
    if (label < n)
        refuse("label[", label, "] must be a class below ", target.n_classes, "; got ", target.label[label],
               ".");
    if (weight < n) refuse("weight[", weight, "] must be a finite number, at least 0.");
    if (sum < n) refuse("sum[", sum, "] must be finite", poisson ? ", and at least 0." : ".");
    check_monotone(table, target, options);
    if (!(target.square_unit >= 0.0 && std::isfinite(target.square_unit)))
        refuse("square_unit must be a finite number, at least 0.");
}

void fill_rows(const TreeTarget& target, const std::uint32_t* count, const TargetInfo& info,
               const TreeOptions& options, RowStore& store) {
    const RowWeights weights{target, count};
    if (info.classes == 2 && counts_whole(info, options)) {
        // Two classes of whole weights fit into one word per row.
        fill(store.pair, store.row, [&](std::int32_t i) {
            return static_cast<std::uint64_t>(weights(i)) << (target.label[i] ? 32 : 0);
        });
    } else {
        if (target.label) fill(store.label, store.row, [&](std::int32_t i) { return target.label[i]; });
        if (info.weighted) fill(store.weight, store.row, weights);
    }
    const bool scale_sum = options.criterion != Criterion::absolute_error;
    if (target.sum)
        fill(store.sum, store.row, [&](std::int32_t i) {
            return scale_sum ? target.sum[i] * weights.multiplicity(i) : target.sum[i];
        });
}

Tree grow_tree(const CodedTable& table, const TreeTarget& target, const std::uint32_t* count,
               const TreeOptions& options, const TreeKey& key, int threads, std::int32_t* leaf) {
    if (leaf && options.fractional &&
        std::any_of(table.columns.begin(), table.columns.end(), [](const auto& c) { return c.missing; }))
        refuse(
            "rows that lack a value end in several leaves under fractional, so there is no single leaf per "
            "row.");
    const RowWeights weights{target, count};
    const auto store = std::make_shared<RowStore>();
    store->row = positive_rows(table.n_rows, weights);
    const TargetInfo info = describe(store->row, weights, options.fractional);
    fill_rows(target, count, info, options, *store);
    const std::unique_ptr<Search> search = target.several
                                               ? make_several_search(table, options, *target.several)
                                               : make_search(table, options, info);
    Tree tree = Grower(table, options, key, *search, info.largest, threads).grow(store);
    if (leaf) {
        std::fill_n(leaf, table.n_rows, -1);
        write_leaves(tree, store->row, leaf);
    }
    return tree;
}

void draw_counts(const TreeKey& key, std::int64_t n, std::int64_t draws, const std::int64_t* until,
                 std::uint32_t* counts) {
    std::fill_n(counts, n, 0u);
    Draws rows = key.draws(Purpose::bootstrap, 0);
    Pace pace;
    for (std::int64_t i = 0; i < draws; ++i) {
        pace.spend(4);
        const std::int64_t at = rows.below(until ? until[n - 1] : n);
        ++counts[until ? std::upper_bound(until, until + n, at) - until : at];
    }
}

}  // namespace hornbook
