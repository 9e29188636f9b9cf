// The one grower: from the rows of a node to its split and its children, until nothing is left to split.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/stop.hpp"
#include "core/tree/grow/row_partitioner.hpp"
#include "core/tree/grow/subtree.hpp"
#include "core/tree/search/column_search.hpp"

namespace hornbook {

// Histograms of all columns in one piece of memory; shared by a node and the child that inherits it.
using Histograms = std::unique_ptr<Buffer<std::uint8_t>>;

// A node that waits for its turn.
struct Pending {
    std::int32_t node = 0;
    ChildRows rows;
    std::int64_t depth = 0;
    std::uint64_t path = 0;
    Histograms histograms;
    bool filled = false;     // whether the histograms hold this node's rows
    bool elsewhere = false;  // whether its rows are: there are histograms only
    double priority = 0.0;
};

class Grower {
  public:
    Grower(const CodedTable& table, const TreeOptions& options, const TreeKey& key, const Search& search,
           double total_weight, int threads);

    Tree grow(const std::shared_ptr<RowStore>& store);

    // What grows from a node deep in the tree, on one thread; the path and the depth are the node's.
    TreePart grow_subtree(const std::shared_ptr<RowStore>& store, std::uint64_t path, std::int64_t depth);

  protected:
    // Memory of one subtree.
    struct Bench {
        std::vector<Workspace> works;
        std::vector<Offers> offers;
        std::vector<Look> looks;
        std::vector<std::int32_t> columns;
        Spare spare;
        NodeTotals totals;
        std::vector<Histograms> pool;
        Pace pace;
        int threads = 1;
    };

    Bench make_bench(int threads) const;
    void grow_in_order(TreePart& part, std::vector<Pending>& open, Bench& bench, std::vector<Pending>* later);
    void grow_best_first(TreePart& part, Pending root, Bench& bench);
    bool evaluate(TreePart& part, Pending& pending, Bench& bench);
    void write_totals(TreePart& part, const Pending& pending, const NodeTotals& totals) const;
    bool split_counted(TreePart& part, Pending& pending, Bench& bench);
    std::vector<Pending> expand(TreePart& part, Pending& pending, Bench& bench);
    std::vector<Pending> add_children(TreePart& part, const Pending& pending,
                                      std::vector<ChildRows> parts) const;
    Tree finished(TreePart& trunk, std::vector<TreePart> grafts) const;

    void set_thresholds(TreePart& part) const;
    void check_size(std::size_t nodes) const;

    bool is_leaf(const NodeTotals& totals, const Pending& pending) const;
    bool is_accepted(const Split& split, const NodeTotals& totals) const;
    Split find_split(Pending& pending, Bench& bench);
    Split search_columns(Pending& pending, Bench& bench, Pick pick);
    void search_range(const Pending& pending, Bench& bench, std::size_t first, std::size_t last, Pick pick);
    Split choose(const Pending& pending, Bench& bench, std::size_t looked_at, Pick pick) const;
    Split draw(const Pending& pending, Bench& bench, std::size_t looked_at, Pick pick) const;
    Look look_at(const Pending& pending, Bench& bench, std::size_t i) const;

    void prepare_histograms(Pending& pending, Bench& bench) const;
    void pass_on_histograms(Pending& pending, std::vector<Pending>& children, Bench& bench) const;
    bool is_many_valued(std::int32_t j) const;
    bool has_dense_column(std::int64_t rows) const;
    void for_columns(std::int64_t rows, int threads, const std::function<void(std::int32_t)>& fn) const;

    const CodedTable& table_;
    const TreeOptions& options_;
    TreeKey key_;
    const Search& search_;
    double total_weight_;
    int threads_;
    std::vector<std::int32_t> allowed_;  // columns this tree may use
    std::vector<std::int64_t>
        histogram_at_;  // offset of each column's histogram; the last is the size of all
    bool keeps_histograms_ = false;
    std::int32_t smallest_bins_ = 0;
    std::int64_t random_splits_ = 0;
    std::int64_t rows_ = 0;  // that the tree sees
};

}  // namespace hornbook
