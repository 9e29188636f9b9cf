// How the nodes of a tree for gradient pairs are split, wherever its rows are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/tree/grow/grow_trees.hpp"
#include "core/tree/grow/subtree.hpp"
#include "core/tree/pairs/pair_histogram.hpp"
#include "core/tree/pairs/pair_search.hpp"

namespace hornbook {

// A node that may be split.
struct OpenPairs {
    std::int32_t node = 0;
    std::int64_t size = 0;  // rows
    std::int64_t depth = 0;
    std::uint64_t path = 0;
    FixedPair total{0, 0}, left{0, 0};  // sums of the rows, and of those that go to the left
    double decrease = 0.0;              // of the loss, twice; 0 for a leaf
    ValueBounds bounds;
    std::vector<std::int32_t> sets;  // of interactions that hold all columns on the path
};

// Sums of the pairs of a leaf, not rounded.
struct LeafSums {
    double sum = 0.0, weight = 0.0;
};

// Rows whose pairs are added up one after the other, for the leaves of a tree of so many nodes: the sums of
// such runs are then added, and depend on how long a run is.
std::int64_t leaf_run(std::int64_t nodes);
// Adds the pairs of some rows to their leaves; rows of leaf -1 are ignored.
void add_leaves(const std::int32_t* leaf, const PairTarget& target, std::int64_t first, std::int64_t last,
                LeafSums* out);
// Adds the sums of one run after the other.
void add_runs(std::span<const LeafSums> runs, std::vector<LeafSums>& sums);

class PairSplits {
  public:
    // Whether trees of these options can be grown from integer sums: deterministic best splits in two, on
    // codes of 8 bits.
    static bool suits(const std::vector<CodedColumn>& columns, const TreeOptions& options);

  protected:
    explicit PairSplits(const CodedTable& table);

    void check(const TreeOptions& options) const;
    void begin_tree(const TreeOptions& options, const TreeKey& key, const PairUnits& units,
                    double total_weight);

    OpenPairs root_of(std::int64_t size) const;
    bool can_split(const OpenPairs& open) const;
    // What a split makes of its children.
    void divide(const OpenPairs& parent, const Split& split, OpenPairs& left, OpenPairs& right) const;
    // Takes the best of the columns that compete; false if none lowers the loss.
    bool choose(OpenPairs& open, const CodeSums* histogram, const PairNode& node, const PairCut* cuts,
                Split& best);
    // Bytes of histograms that may be kept for later nodes, in histograms.
    std::int64_t most_kept() const;

    // The finished tree, from the sums of its leaves by their number in it.
    Tree finished(TreePart& part, const std::vector<ValueBounds>& bounds,
                  const std::vector<std::int32_t>& number, const std::vector<LeafSums>& sums) const;

    const CodedTable& table_;
    GroupedColumns columns_;

    // Of the tree that grows.
    const TreeOptions* options_ = nullptr;
    TreeKey key_;
    std::unique_ptr<PairSearch> search_;

  private:
    void list_columns(const OpenPairs& open);

    std::vector<std::int32_t> allowed_, order_;
};

}  // namespace hornbook
