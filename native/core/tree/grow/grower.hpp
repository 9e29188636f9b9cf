// The grower: from the rows of a node to its split and its children, until no node can be split.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/stop.hpp"
#include "core/tree/few/few_rows_search.hpp"
#include "core/tree/grow/row_partitioner.hpp"
#include "core/tree/grow/subtree.hpp"
#include "core/tree/search/column_search.hpp"

namespace hornbook {

// Histograms of all columns in one piece of memory; shared by a node and the child that inherits it.
using Histograms = std::unique_ptr<Buffer<std::uint8_t>>;

// An open node.
struct Pending {
    std::int32_t node = 0;
    ChildRows rows;
    std::int64_t depth = 0;
    std::uint64_t path = 0;
    Histograms histograms;
    bool filled = false;           // whether the histograms hold this node's rows
    bool histograms_only = false;  // its rows are not in memory
    double priority = 0.0;
    Bounds bounds;
};

// An open node of few rows.
struct OpenNode {
    std::int32_t node;
    Rows rows;
    std::int64_t depth;
    std::uint64_t path;
};

class Grower {
  public:
    Grower(const CodedTable& table, const TreeOptions& options, const TreeKey& key, const Search& search,
           double total_weight, int threads);

    Tree grow(const std::shared_ptr<RowStore>& store);

    // The subtree of a node deep in the tree, on one thread; the path and the depth are the node's.
    TreePart grow_subtree(const std::shared_ptr<RowStore>& store, std::uint64_t path, std::int64_t depth);

  protected:
    static constexpr std::int64_t rows_of_overhead = 256;  // a node costs about this much on top of its rows

    // Memory of one thread of growth, reused from node to node.
    struct Scratch {
        std::vector<Workspace> workspaces;
        std::vector<ColumnCandidates> candidates;
        std::vector<ColumnTask> tasks;
        std::vector<std::int32_t> columns;
        PartitionBuffers buffers;
        std::vector<Pending> children;
        std::vector<OpenNode> open;
        NodeTotals totals;
        std::vector<Histograms> pool;
        Pace pace;
        int threads = 1;
    };

    Scratch make_scratch(int threads) const;
    void grow_in_order(TreePart& part, std::vector<Pending>& open, Scratch& scratch,
                       std::vector<Pending>* later);
    bool grows_by_level() const;
    void grow_best_first(TreePart& part, Pending root, Scratch& scratch);
    bool evaluate(TreePart& part, Pending& pending, Scratch& scratch);
    void write_totals(TreePart& part, std::int32_t at, std::int64_t rows, const NodeTotals& totals) const;
    bool split_with_totals(TreePart& part, Pending& pending, Scratch& scratch);
    std::vector<Pending>& expand(TreePart& part, Pending& pending, Scratch& scratch);
    void add_children(TreePart& part, const Pending& pending, std::vector<ChildRows>& parts,
                      std::vector<Pending>& children) const;
    std::shared_ptr<RowStore> owner_of(const std::shared_ptr<RowStore>& store) const;
    Tree finished(TreePart& trunk, std::vector<TreePart> grafts) const;
    void settle(TreePart& trunk, std::vector<TreePart>& grafts) const;

    bool divides_two_alike() const;
    bool split_two_rows(TreePart& part, Pending& pending, Scratch& scratch);
    std::size_t first_difference(const std::int32_t* row, std::size_t from,
                                 std::vector<std::int32_t>& columns, Draws& draws) const;
    void divide_two_rows(TreePart& part, const OpenNode& at, std::int32_t j, double gain) const;
    void write_single_row(TreePart& part, std::int32_t at, const Rows& rows) const;

    bool is_few(const Rows& rows) const;
    void grow_few_rows(TreePart& part, const OpenNode& root, Scratch& scratch) const;
    LaneNode lane_node(const NodeTotals& totals) const;
    FewRowsSplit split_few_rows(const OpenNode& at, Scratch& scratch) const;
    FewRowsSplit split_different_rows(TreePart& part, const OpenNode& at, Scratch& scratch) const;
    void divide_few_rows(TreePart& part, const OpenNode& at, const FewRowsSplit& best,
                         Scratch& scratch) const;

    void pass_on_bounds(std::int32_t column, const Pending& pending, std::vector<Pending>& children,
                        NodeTotals& totals) const;
    double bounded_value(const NodeTotals& totals) const;

    void set_thresholds(TreePart& part) const;
    void check_size(std::size_t nodes) const;

    bool is_leaf(const NodeTotals& totals, std::int64_t rows, std::int64_t depth) const;
    bool is_accepted(double gain, const NodeTotals& totals) const;
    Split find_split(Pending& pending, Scratch& scratch);
    bool draws_columns() const;
    Draws start_columns(std::uint64_t path, std::vector<std::int32_t>& columns) const;
    Split search_columns(Pending& pending, Scratch& scratch, Pick pick);
    void search_range(const Pending& pending, Scratch& scratch, std::size_t first, std::size_t last,
                      Pick pick);
    Split choose(const Pending& pending, Scratch& scratch, std::size_t n_searched, Pick pick) const;
    Split draw(const Pending& pending, Scratch& scratch, std::size_t n_searched, Pick pick) const;
    ColumnTask make_task(const Pending& pending, Scratch& scratch, std::size_t i) const;

    void prepare_histograms(Pending& pending, Scratch& scratch) const;
    void pass_on_histograms(Pending& pending, std::vector<Pending>& children, Scratch& scratch) const;
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
    bool divides_two_alike_ = false;
    std::int64_t few_rows_ = 0;    // most rows of a node that grow_few_rows takes
    bool sorts_few_rows_ = false;  // whether it sorts columns
    std::int32_t smallest_bins_ = 0;
    std::int64_t random_splits_ = 0;
    std::int64_t rows_ = 0;  // of the tree's sample
};

}  // namespace hornbook
