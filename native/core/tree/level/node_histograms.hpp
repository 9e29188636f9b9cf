// Histograms of many nodes at once, over the rows of a chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tree/columns/coded_rows.hpp"
#include "core/tree/level/level_grower.hpp"

namespace hornbook {

// Rows of a chunk, each with the slot of its node (-1: none) and its target; weights are positive where there
// is a slot, and null when all are 1.
struct ChunkRows {
    RowCodes codes;
    const std::int32_t* slot;
    const std::int32_t* label;  // or null for numbers
    const double* sum;          // weight times number, or null for classes
    const double* weight;
};

// Adds the rows to the histograms of their slots, and to the spreads. If the target is in fixed point, all
// sums are exact and do not depend on how rows are divided into chunks.
void add_rows(const ChunkRows& rows, const PassLayout& pass, int classes, double square_unit,
              std::uint8_t* histograms, Spread* spreads);

}  // namespace hornbook
