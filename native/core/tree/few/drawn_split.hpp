// A random split of one column in a node of few rows, without lanes.
#pragma once

#include <cstdint>

#include "core/tree/few/few_rows_search.hpp"

namespace hornbook {

// Draws a threshold of column j, or a division of its levels, as best_single_cut and best_level_cut do.
// Replaces `best` if the split scores higher; columns must come in the order of their places.
void draw_split(const CodedColumn& column, std::int32_t j, std::size_t place, const Rows& rows,
                const LaneNode& node, const NodeKey& key, FewRowsSplit& best);

}  // namespace hornbook
