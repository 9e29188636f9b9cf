// The search for a split of one node on one column.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/grow/node_totals.hpp"
#include "core/tree/grow/options.hpp"

namespace hornbook {

// Candidate splits of a column: the best, the k best, or one drawn in proportion to its gain.
struct ColumnCandidates {
    std::vector<Split> splits;
    double mass = 0.0;  // sum of the gains of all candidates, under Pick::proportional

    void clear() {
        splits.clear();
        mass = 0.0;
    }
};

// A column to search.
struct ColumnTask {
    std::int32_t column;
    const void* kept;  // the node's histogram of it, or null
    ColumnCandidates* candidates;
};

// Split search for one kind of target: the statistics of a node, and the candidates of a column. One for each
// tree; searches may run on many threads, each with its own workspace.
class Search {
  public:
    virtual ~Search() = default;

    virtual void totals(const Rows& rows, NodeTotals& totals) const = 0;

    virtual void columns(std::span<const ColumnTask> tasks, const Rows& rows, const NodeTotals& totals,
                         Pick pick, const NodeKey& key, Workspace& work) const = 0;

    // Histograms that the grower keeps from node to node: bytes for each code (0 when there are none), rows
    // added and subtracted.
    virtual std::int64_t bytes_per_code() const = 0;
    virtual void add(std::int32_t j, const Rows& rows, void* histogram) const = 0;
    virtual void take(std::int32_t j, const Rows& rows, void* histogram) const = 0;

    // Number of rows that a weight stands for.
    virtual double rows_of(double weight) const { return weight; }

    // Number of values of a node.
    virtual int value_size() const = 0;

    // Whether it serves several targets, whose gains it computes itself.
    virtual bool has_several_targets() const { return false; }

    // Whether nodes of few rows can be searched by FewRowsSearch.
    virtual bool takes_few_rows() const { return false; }
};

// A search that can work from histograms alone. The numbers of a code are those of its Layout.
class HistogramSearch : public Search {
  public:
    using Search::totals;

    virtual const Layout& layout() const = 0;

    // Adds the statistics of the codes first, ..., last - 1 of a histogram to `stats`.
    virtual void sum_codes(const void* histogram, std::int32_t first, std::int32_t last,
                           double* stats) const = 0;

    // Totals of a node from its sums.
    virtual void totals(std::span<const double> stats, const Spread& spread, NodeTotals& totals) const = 0;
};

// The target of a tree. `label` for classes; `sum` for numbers: weight times number (absolute_error: the
// number itself). `largest` is the weight of all rows.
struct TargetInfo {
    int classes = 0;  // 0 for numbers
    bool weighted = false;
    bool whole_weights = true;  // all weights are whole, so that counts are exact
    double largest = 0.0;
    std::int64_t rows = 0;
    bool counted = false;      // rows are counted beside their weights
    double square_unit = 0.0;  // see Spread; 0 where sums need not be exact
};

// Whether class weights are counted as integers below 2^32, which is exact and fast.
bool counts_whole(const TargetInfo& target, const TreeOptions& options);

std::unique_ptr<Search> make_search(const CodedTable& table, const TreeOptions& options,
                                    const TargetInfo& target);
std::unique_ptr<HistogramSearch> make_histogram_search(const CodedTable& table, const TreeOptions& options,
                                                       const TargetInfo& target);
std::unique_ptr<Search> make_absolute_search(const CodedTable& table, const TreeOptions& options);

}  // namespace hornbook
