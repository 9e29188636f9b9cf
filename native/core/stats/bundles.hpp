// Bundles of columns: neighbors with few levels share one code, so that one cross table of two bundles counts
// every pair of their columns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// A cell of a bundle is one level of each of its columns, a missing one being a level of its own.
struct Bundle {
    std::vector<std::int64_t> columns;  // of the codes
    std::vector<std::int64_t> starts;   // of each column's levels in the resulting table
    std::vector<std::int64_t> sizes;    // levels of each column
    std::int64_t cells = 1;

    // The level of the column at `place` of the bundle in every cell; -1 where it is missing.
    std::vector<std::int32_t> levels_of(std::size_t place) const;

    // The cell of each of `rows` rows.
    void encode(const std::int32_t* codes, std::int64_t rows, std::int64_t cols, std::int32_t* cells) const;
};

// Neighbors are joined while a bundle has at most `max_cells` cells; a column with more is a bundle of
// its own.
std::vector<Bundle> bundled(const Vector<std::int32_t>& columns, const Vector<std::int32_t>& n_levels,
                            std::int64_t max_cells);

}  // namespace hornbook
