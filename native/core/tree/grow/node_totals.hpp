// What is counted in a node before its columns are looked at.
#pragma once

#include "core/tree/columns/histogram.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/grow/options.hpp"

namespace hornbook {

void count_totals(const Rows& rows, const Layout& layout, const TreeOptions& options, NodeTotals& totals);

}  // namespace hornbook
