// What a pass over rows that are not in memory sums up for trees for gradient pairs, chunk by chunk.
#pragma once

#include <cstdint>
#include <span>

#include "core/tree/columns/coded_rows.hpp"
#include "core/tree/pairs/pair_splits.hpp"

namespace hornbook {

// Some rows, the first of which has the number `first` among all.
struct PairChunk {
    RowCodes codes;  // of one byte
    PairTarget target;
    std::int64_t first = 0;
};

// Entries of a histogram of columns with so many codes each, the missing value not counted.
std::int64_t histogram_entries(std::span<const std::int32_t> bins);

// The histograms of the nodes in slots 0, ..., slots - 1, one after the other: the same sums as those of a
// PairGrower. Rows of weight 0, and those without a slot, are ignored.
Buffer<CodeSums> slot_histograms(const PairChunk& chunk, std::span<const std::int32_t> bins,
                                 const PairScale& scale, const std::int32_t* slot, std::int64_t slots);

// The sums of the leaves, for each run of leaf_run(nodes) rows.
std::vector<LeafSums> leaf_sums_of_runs(const std::int32_t* leaf, const PairTarget& target,
                                        std::int64_t nodes);

}  // namespace hornbook
