// The best split of a nominal column of few levels in two, for nodes of few rows.
#pragma once

#include <cstdint>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/simd/simd_search.hpp"

namespace hornbook {

// Levels on each side as bits; the lighter side is listed.
struct FewLevelsCut {
    double score = no_gain;
    std::uint32_t listed = 0, others = 0;
};

// The split that best_subset finds, of a column of fewer than `most_level_bits` levels without missing
// values, in a node of at most `most_few_rows` rows whose sides are not limited.
FewLevelsCut cut_few_levels(const CodedColumn& column, const Rows& rows, const LaneNode& node,
                            Workspace& work);

}  // namespace hornbook
