// Rows in transposed tiles: neighboring numbers belong to different rows, so that loops vectorize whatever
// the number of columns, and every row's sum runs over its columns in order, on any machine.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/simd.hpp"

namespace hornbook {

constexpr std::int64_t tile_rows = 2 * lanes;
constexpr std::int64_t run_rows = 64 * tile_rows;

// Up to tile_rows rows into tile[column][row], the rest zero; returns whether one of the numbers is NaN.
inline bool transpose_tile(const double* __restrict x, std::int64_t rows, std::int64_t cols,
                           double* __restrict tile) {
    if (rows < tile_rows) std::fill_n(tile, cols * tile_rows, 0.0);
    bool missing = false;
    for (std::int64_t r = 0; r < rows; ++r, x += cols)
        for (std::int64_t j = 0; j < cols; ++j) {
            tile[j * tile_rows + r] = x[j];
            missing |= x[j] != x[j];
        }
    return missing;
}

}  // namespace hornbook
