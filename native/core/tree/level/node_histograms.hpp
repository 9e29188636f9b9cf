// Histograms of many nodes at once, over rows that pass by.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tree/columns/coded_rows.hpp"
#include "core/tree/level/level_grower.hpp"

namespace hornbook {

// Rows of a chunk, each with the slot of its node (-1: none) and its target; weights are positive where there
// is a slot, and null when all are 1.
struct PassingRows {
    RowCodes codes;
    const std::int32_t* slot;
    const std::int32_t* label;  // or null for numbers
    const double* sum;          // weight times number, or null for classes
    const double* weight;
};

// Adds the rows to the histograms, slot after slot, and to the spreads. All sums are exact, if those of the
// target are: they do not depend on how rows are cut into chunks.
void add_rows(const PassingRows& rows, const PassLayout& pass, int classes, double square_unit,
              std::uint8_t* histograms, Spread* spreads);

}  // namespace hornbook
