// Grows trees for gradient pairs on columns of 8-bit codes: the fast way of histogram gradient boosting.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/crew.hpp"
#include "core/stop.hpp"
#include "core/tree/pairs/pair_splits.hpp"

namespace hornbook {

// Holds the memory that trees share: make one for a table, and grow all trees with it, one at a time.
class PairGrower : private PairSplits {
  public:
    explicit PairGrower(const CodedTable& table);

    // Whether this grower gives the tree of these options: deterministic best splits in two, on codes of 8
    // bits.
    static bool takes(const CodedTable& table, const TreeOptions& options);

    // The tree, and the leaf of each row. Rows of weight 0 get theirs by their codes if they have any
    // (all_coded) and these decide; else -1.
    Tree grow(const PairTarget& target, const TreeOptions& options, const TreeKey& key, int threads,
              bool all_coded, std::int32_t* leaf);

  private:
    using Memory = std::unique_ptr<Buffer<CodeSums>>;

    // A node whose split is known but not made yet.
    struct Open : OpenPairs {
        std::int64_t first = 0;  // of its rows
        Memory histogram;
    };

    void begin(const PairTarget& target, const TreeOptions& options, const TreeKey& key);
    Open make_root();
    void grow_best_first(Open root);
    void grow_in_order(Open root);

    std::pair<Open, Open> expand(Open& parent, bool goes_on);
    void search_children(Open& parent, Open& left, Open& right);
    bool choose_for(Open& open, const PairNode& node, const PairCut* cuts);

    void fill(const Open& open, CodeSums* out);
    void for_groups(const std::function<void(std::int64_t)>& fn);
    Memory take_memory();
    void give_back(Memory& memory);
    std::int64_t partition(const Open& open, const Split& split);

    void route(const std::vector<std::int32_t>& number, std::int64_t n, std::int32_t* leaf);
    std::vector<LeafSums> sum_leaves(const PairTarget& target, const std::int32_t* leaf, std::int64_t nodes);
    Tree finish(const PairTarget& target, bool all_coded, std::int32_t* leaf);

    RowPairs pairs_;
    std::vector<std::int32_t> rows_, moved_;
    std::vector<Memory> pool_;
    std::vector<Buffer<std::uint64_t>> words_;  // of each thread; all 0 between two uses
    std::vector<Memory> spare_;
    std::vector<PairCut> cuts_;  // of the columns of the left child, then of the right
    std::int64_t kept_ = 0;      // histograms in use

    std::mutex mutex_;

    // Of the tree that grows.
    Crew* crew_ = nullptr;
    TreePart part_;
    std::vector<std::int64_t> first_row_;  // of each node
    std::vector<ValueBounds> bounds_;      // of each node
    std::int64_t n_rows_ = 0;              // of positive weight
    Pace pace_;
};

}  // namespace hornbook
