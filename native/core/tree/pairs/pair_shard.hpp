// Some rows that trees for gradient pairs are grown on elsewhere: the rows of each node of each tree, and
// sums over them. What is sent here are splits, and what is sent back are sums.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "core/tree/level/level_grower.hpp"
#include "core/tree/pairs/pair_chunks.hpp"

namespace hornbook {

class PairShard {
  public:
    // The codes, of one byte, must outlive this. `first` is the number of the first row among all; `trees`
    // grow side by side.
    PairShard(const RowCodes& codes, std::span<const std::int32_t> bins, std::int64_t first,
              std::int64_t trees);

    std::int64_t rows() const { return codes_.rows; }
    std::int64_t trees() const { return std::ssize(trees_); }
    std::int64_t columns() const { return codes_.columns; }
    std::int64_t entries() const { return columns_.entries(); }

    // A new tree, in whose root are all rows of positive weight.
    void begin(std::int64_t tree, const PairTarget& target, const PairScale& scale);
    // Sends rows to the children of nodes that have been split since. Routes are those of the tree so far,
    // whose nodes keep their numbers.
    void follow(std::int64_t tree, const RouteView& routes);
    // Adds the pairs of the rows of a node to a histogram.
    void add_histogram(std::int64_t tree, std::int64_t node, CodeSums* out);
    // For each row the entry of its node in `number`, which has one for each node; -1 for rows of weight 0.
    void leaves(std::int64_t tree, std::span<const std::int32_t> number, std::int32_t* leaf);

  private:
    // Where the rows of a node are among those of the tree; those of its children, once it has any.
    struct Rows {
        std::int64_t first = -1, size = 0;
        bool divided = false;
    };
    struct Growing {
        RowPairs pairs;
        std::vector<std::int32_t> rows;  // those of a node are next to each other
        std::vector<Rows> nodes;
    };

    Growing& at(std::int64_t tree);

    std::mutex mutex_;

    RowCodes codes_;
    std::vector<std::int32_t> bins_;
    std::int64_t first_;
    GroupedColumns columns_;
    Buffer<std::uint8_t> by_column_;
    std::vector<Growing> trees_;
    std::vector<std::int32_t> moved_;
    Buffer<std::uint64_t> words_;  // all 0 between two uses
};

}  // namespace hornbook
