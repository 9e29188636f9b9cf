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

// What a column has to offer: its best split, or its k best, or one drawn in proportion to its gain.
struct Offers {
    std::vector<Split> splits;
    double mass = 0.0;  // sum of the gains of all candidates, under Pick::proportional

    void clear() {
        splits.clear();
        mass = 0.0;
    }
};

// A column to look at.
struct Look {
    std::int32_t column;
    const void* kept;  // the node's histogram of it, or null
    Offers* offers;
};

// Knows the target: what is counted in a node, and which split of a column is good. One for each tree;
// searches may run on many threads, each with its own workspace.
class Search {
  public:
    virtual ~Search() = default;

    virtual void totals(const Rows& rows, NodeTotals& totals) const = 0;

    virtual void columns(std::span<const Look> looks, const Rows& rows, const NodeTotals& totals, Pick pick,
                         const NodeKey& key, Workspace& work) const = 0;

    // Histograms that the grower keeps from node to node: bytes for each code (0 when there are none), rows
    // added and taken away.
    virtual std::int64_t bytes_per_code() const = 0;
    virtual void add(std::int32_t j, const Rows& rows, void* histogram) const = 0;
    virtual void take(std::int32_t j, const Rows& rows, void* histogram) const = 0;

    // Number of rows that a weight stands for.
    virtual double rows_of(double weight) const { return weight; }

    // Numbers in the answer of a node.
    virtual int value_size() const = 0;
};

// A search that needs no rows where there are histograms of them. A histogram has so many numbers for each
// code: see Layout.
class HistogramSearch : public Search {
  public:
    using Search::totals;

    virtual const Layout& layout() const = 0;

    // Adds what a histogram has for the codes first, ..., last - 1 to some slots.
    virtual void sum_codes(const void* histogram, std::int32_t first, std::int32_t last,
                           double* slots) const = 0;

    // Totals of a node from its sums.
    virtual void totals(std::span<const double> slots, const Spread& spread, NodeTotals& totals) const = 0;
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

// Whether the weights of classes are counted as whole numbers below 2^32, which is exact and quick.
bool counts_whole(const TargetInfo& target, const TreeOptions& options);

std::unique_ptr<Search> make_search(const CodedTable& table, const TreeOptions& options,
                                    const TargetInfo& target);
std::unique_ptr<HistogramSearch> make_histogram_search(const CodedTable& table, const TreeOptions& options,
                                                       const TargetInfo& target);
std::unique_ptr<Search> make_absolute_search(const CodedTable& table, const TreeOptions& options);

}  // namespace hornbook
