// Coded rows, and trees that grow by passes over them, as NumPy arrays.
#pragma once

#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>
#include <vector>

#include "bind/convert.hpp"
#include "bind/tree/tree_result.hpp"
#include "core/tree/columns/coded_rows.hpp"
#include "core/tree/level/level_grower.hpp"

namespace hornbook {

// What codes stand for, column by column.
struct CodedColumns {
    std::vector<ColumnCodes> columns;
};

// Codes of `width` bytes each, as bytes.
inline RowCodes codes_of(const Array2<std::uint8_t>& bytes, int width) {
    const Matrix<std::uint8_t> matrix = view(bytes, "codes");
    if (width != 1 && width != 2 && width != 4) refuse("width must be 1, 2 or 4; got ", width, ".");
    if (matrix.cols % width != 0) refuse("codes must have ", width, " bytes for each column.");
    check_aligned(matrix.data, static_cast<std::size_t>(width), "codes");
    return {matrix.data, width, matrix.rows, matrix.cols / width};
}

using RouteArrays =
    std::tuple<Result1<std::uint8_t>, Result1<std::int32_t>, Result1<std::int32_t>, Result1<std::int32_t>,
               Result1<std::int32_t>, Result1<std::int32_t>, Result1<std::int32_t>>;

// The routes, and the slot of each node.
inline std::tuple<RouteArrays, Result1<std::int32_t>> arrays_of(const Routes& routes) {
    return {RouteArrays{copied(routes.kind), copied(routes.column), copied(routes.below),
                        copied(routes.first_child), copied(routes.missing_child), copied(routes.level_offset),
                        copied(routes.levels)},
            copied(routes.slot)};
}

// Routes as find_nodes takes them.
inline RouteView routes_of(const Array1<std::uint8_t>& kind, const Array1<std::int32_t>& column,
                           const Array1<std::int32_t>& below, const Array1<std::int32_t>& first_child,
                           const Array1<std::int32_t>& missing_child,
                           const Array1<std::int32_t>& level_offset, const Array1<std::int32_t>& levels) {
    return {view(kind, "kind"),
            view(column, "column"),
            view(below, "below"),
            view(first_child, "first_child"),
            view(missing_child, "missing_child"),
            view(level_offset, "level_offset"),
            view(levels, "levels")};
}

}  // namespace hornbook
