#include "core/base/gather.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

// A tile is eight columns wide: one cache line of doubles in every row of the result.
constexpr std::int64_t tile_rows = 16;
constexpr std::int64_t tile_cols = 8;

// Rows [first, first + rows) of one column into column `place` of a tile.
template <class From, class To>
void fill(const From* cells, std::int64_t stride, std::int64_t first, std::int64_t rows,
          To* __restrict place) {
    const From* __restrict source = cells + first * stride;
    if (stride == 1) {
        for (std::int64_t r = 0; r < rows; ++r) place[r * tile_cols] = static_cast<To>(source[r]);
    } else {
        for (std::int64_t r = 0; r < rows; ++r) place[r * tile_cols] = static_cast<To>(source[r * stride]);
    }
}

void fill_any(const Column& column, std::int64_t first, std::int64_t rows, double* place) {
    with_elements(column, [&](const auto* cells) { fill(cells, column.stride, first, rows, place); });
}

void fill_any(const Column& column, std::int64_t first, std::int64_t rows, std::int32_t* place) {
    fill(static_cast<const std::int32_t*>(column.data), column.stride, first, rows, place);
}

// Eight columns of one run of rows, tile by tile, into the result.
template <class To>
void transpose(const std::vector<Column>& columns, std::int64_t left, std::int64_t first, std::int64_t last,
               To* out) {
    alignas(64) To tile[tile_rows * tile_cols];
    const auto width = static_cast<std::int64_t>(columns.size());
    const std::int64_t cols = std::min(tile_cols, width - left);
    for (std::int64_t i = first; i < last; i += tile_rows) {
        const std::int64_t rows = std::min(tile_rows, last - i);
        for (std::int64_t c = 0; c < cols; ++c)
            fill_any(columns[static_cast<std::size_t>(left + c)], i, rows, tile + c);
        To* target = out + i * width + left;
        if (cols == tile_cols) {
            for (std::int64_t r = 0; r < rows; ++r)
                std::memcpy(target + r * width, tile + r * tile_cols, tile_cols * sizeof(To));
        } else {
            for (std::int64_t r = 0; r < rows; ++r)
                std::copy_n(tile + r * tile_cols, cols, target + r * width);
        }
    }
}

template <class To>
Buffer<To> gather_as(const std::vector<Column>& columns, int threads) {
    if (columns.empty()) refuse("columns must hold at least one array.");
    const std::int64_t rows = columns.front().size;
    for (std::size_t j = 1; j < columns.size(); ++j)
        if (columns[j].size != rows)
            refuse("All columns must have the same length; column 0 has ", rows, " entries and column ", j,
                   " has ", columns[j].size, ".");
    const auto width = static_cast<std::int64_t>(columns.size());
    Buffer<To> out(rows, width);
    // Long stretches of each column suit the prefetcher, but the rows they fill must stay in cache until the
    // next eight columns, which share cache lines with them, have been written too.
    constexpr std::int64_t run_cells = 1 << 17;
    const std::int64_t run =
        std::clamp(run_cells / width / tile_rows * tile_rows, tile_rows, std::int64_t{2048});
    parallel_rows(rows, run, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t left = 0; left < width; left += tile_cols)
            transpose(columns, left, first, last, out.data());
    });
    return out;
}

}  // namespace

Buffer<double> gather(const std::vector<Column>& columns, int threads) {
    return gather_as<double>(columns, threads);
}

Buffer<std::int32_t> gather_codes(const std::vector<Column>& columns, int threads) {
    for (const Column& column : columns)
        if (column.element != Element::int32) refuse("Every column of codes must hold int32.");
    return gather_as<std::int32_t>(columns, threads);
}

}  // namespace hornbook
