#include "core/tree.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/refuse.hpp"
#include "core/tree_grow.hpp"

namespace hornbook {

namespace {

// The rows that count, with the weights they have in this tree.
std::shared_ptr<RowStore> rows_of(const CodedTable& table, const TreeTarget& target,
                                  const std::uint32_t* count, const TreeOptions& options) {
    auto store = std::make_shared<RowStore>();
    // Rows that go to several children need weights of their own.
    const bool weighted = target.weight || count || options.fractional;
    const bool scale_sum = options.criterion != Criterion::absolute_error;
    for (std::int64_t i = 0; i < table.n_rows; ++i) {
        const double often = count ? count[i] : 1.0;
        const double weight = (target.weight ? target.weight[i] : 1.0) * often;
        if (weight == 0.0) continue;
        store->row.push_back(static_cast<std::int32_t>(i));
        if (target.label) store->label.push_back(target.label[i]);
        if (weighted) store->weight.push_back(weight);
        if (target.sum) store->sum.push_back(scale_sum ? target.sum[i] * often : target.sum[i]);
    }
    if (store->row.empty()) refuse("a tree needs at least one row of positive weight.");
    return store;
}

TargetInfo describe(const RowStore& store, const TreeTarget& target) {
    TargetInfo info;
    info.classes = target.label ? target.n_classes : 0;
    info.weighted = !store.weight.empty();
    info.largest = store.weight.empty() ? static_cast<double>(store.row.size()) : 0.0;
    for (const double weight : store.weight) {
        info.whole_weights = info.whole_weights && weight == std::floor(weight);
        info.largest += weight;
    }
    return info;
}

// Two classes of whole weights fit into one word a row.
void pack_pairs(RowStore& store) {
    store.pair.resize(store.row.size());
    for (std::size_t i = 0; i < store.row.size(); ++i) {
        const auto weight = store.weight.empty() ? 1 : static_cast<std::uint64_t>(store.weight[i]);
        store.pair[i] = weight << (store.label[i] ? 32 : 0);
    }
    store.label.clear();
    store.weight.clear();
}

}  // namespace

void check_target(const CodedTable& table, const TreeTarget& target, const TreeOptions& options) {
    if (table.columns.empty()) refuse("a tree needs at least one column.");
    const bool numbers =
        options.criterion == Criterion::squared_error || options.criterion == Criterion::absolute_error;
    if (numbers != (target.sum != nullptr)) refuse("the criterion does not suit the kind of target.");
    if (options.multiway && options.criterion == Criterion::cart)
        refuse("the criterion cart compares two branches and cannot judge multiway splits.");
    if (options.max_features < 1 || options.columns_per_tree < 1 || options.top_k < 1)
        refuse("max_features, columns_per_tree and top_k must be at least 1.");
    for (std::int64_t i = 0; i < table.n_rows; ++i) {
        if (target.label && (target.label[i] < 0 || target.label[i] >= target.n_classes))
            refuse("label[", i, "] must be a class below ", target.n_classes, "; got ", target.label[i], ".");
        if (target.weight && !(target.weight[i] >= 0.0 && std::isfinite(target.weight[i])))
            refuse("weight[", i, "] must be a finite number, at least 0.");
        if (target.sum && !std::isfinite(target.sum[i])) refuse("sum[", i, "] must be finite.");
    }
}

Tree grow_tree(const CodedTable& table, const TreeTarget& target, const std::uint32_t* count,
               const TreeOptions& options, const TreeKey& key, int threads) {
    const std::shared_ptr<RowStore> store = rows_of(table, target, count, options);
    const TargetInfo info = describe(*store, target);
    if (info.classes == 2 && counts_whole(info, options)) pack_pairs(*store);
    const std::unique_ptr<Search> search = make_search(table, options, info);
    return Grower(table, options, key, *search, info.largest, threads).grow(store);
}

void draw_counts(const TreeKey& key, std::int64_t n, std::int64_t draws, const std::int64_t* until,
                 std::uint32_t* counts) {
    std::fill_n(counts, n, 0u);
    Draws rows = key.draws(Purpose::bootstrap, 0);
    if (!until) {
        for (std::int64_t i = 0; i < draws; ++i) ++counts[rows.below(n)];
        return;
    }
    for (std::int64_t i = 0; i < draws; ++i)
        ++counts[std::upper_bound(until, until + n, rows.below(until[n - 1])) - until];
}

std::vector<Tree> grow_forest(const CodedTable& table, const TreeTarget& target, std::int64_t draws,
                              const std::int64_t* until, const TreeOptions& options, std::uint64_t seed,
                              std::uint64_t first, std::int64_t n_trees, int threads) {
    std::vector<Tree> trees(static_cast<std::size_t>(n_trees));
    parallel_for(n_trees, threads, [&](std::int64_t t) {
        const TreeKey key{seed, first + static_cast<std::uint64_t>(t)};
        std::vector<std::uint32_t> counts;
        if (draws > 0) {
            counts.resize(static_cast<std::size_t>(table.n_rows));
            draw_counts(key, table.n_rows, draws, until, counts.data());
        }
        trees[static_cast<std::size_t>(t)] =
            grow_tree(table, target, draws > 0 ? counts.data() : nullptr, options, key, 1);
    });
    return trees;
}

}  // namespace hornbook
