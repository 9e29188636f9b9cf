// Trees for gradient pairs on rows that are not in memory: in a file, or on other machines. A pass over the
// rows sums the histograms of open nodes; the tree is the one that PairGrower grows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "core/tree/level/level_grower.hpp"
#include "core/tree/pairs/pair_splits.hpp"

namespace hornbook {

// What a tree refers to: options, and columns without rows.
struct PassParts {
    TreeOptions options;
    CodedTable table;
};

class PairPassGrower : private PassParts, private PairSplits {
  public:
    // `bounds` are those of the pairs of all `size` rows, of which `rows` have a weight; the histograms of a
    // pass take at most `memory` bytes, unless one node needs more.
    PairPassGrower(const std::vector<ColumnCodes>& columns, const TreeOptions& options, const TreeKey& key,
                   const PairBounds& bounds, std::int64_t size, std::int64_t rows, std::int64_t memory);

    const PairScale& scale() const { return scale_; }
    std::int64_t entries() const { return columns_.entries(); }

    // Histograms that the next pass sums; 0 once the tree is grown.
    std::int64_t slots() const { return slots_; }
    // The nodes so far with their slots; of the grown tree, the number of each node in the place of the slot.
    Routes routes() const;
    // The grown tree in the numbers that its nodes had while it grew, nodes without a place in it included:
    // in the place of the slot, the number in the tree of the node that rows of each are in.
    Routes grown() const;
    std::int64_t nodes() const { return std::ssize(part_.nodes); }

    // Searches the nodes of the pass, and decides what the next one is for.
    void take(const CodeSums* histograms);

    // The finished tree, from the sums of its leaves in one run of rows after the other.
    Tree tree(std::span<const LeafSums> runs);

  private:
    using Memory = std::unique_ptr<Buffer<CodeSums>>;

    // A node whose best split is known, or that is a leaf. Some are not part of the tree: which of the known
    // splits are made depends on what their children gain.
    struct Known {
        OpenPairs open;
        Split split;
        Memory histogram;               // kept to subtract from
        std::int32_t first_child = -1;  // among the known nodes
        bool searched = false;          // both children
    };
    // The children of a node that the next pass is for: where the histograms of the smaller and the larger
    // one are, -1 for what follows from the parent's or is not needed.
    struct Asked {
        std::size_t known;
        std::int32_t small, large;
    };
    // A node of the tree whose split is known, as PairGrower compares them.
    struct Candidate {
        double decrease;
        std::int32_t node;
        std::size_t known;

        bool operator<(const Candidate& other) const {
            return decrease != other.decrease ? decrease < other.decrease : node > other.node;
        }
    };

    void plan();
    void add_children(std::size_t known);
    void ask(std::vector<Candidate>& frontier, std::int64_t most);
    bool ask_for(std::size_t known);
    void search_children(const Asked& asked, const CodeSums* histograms);
    void search(Known& node, Memory histogram);
    void check(const CodeSums* histogram, const FixedPair& total, std::int64_t rows) const;
    Memory copied(const CodeSums* histogram) const;

    PairScale scale_;
    std::int64_t memory_;
    std::vector<Known> known_;
    std::vector<std::int32_t> slot_;  // of each known node; -1 for none
    std::vector<Asked> asked_;
    std::int64_t slots_ = 0, kept_ = 0;
    TreePart part_;                        // the tree so far
    std::vector<std::size_t> part_known_;  // the known node of each of its nodes
    std::vector<ValueBounds> bounds_;
    std::vector<PairCut> cuts_;
    Pace pace_;
};

}  // namespace hornbook
