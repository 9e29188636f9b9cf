// Nodes of few rows: many columns at once, each in a SIMD lane of its own, sorted together without branches.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/simd.hpp"
#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

constexpr std::size_t most_lane_classes = 64;
constexpr std::int64_t most_lane_rows = 128;  // of a node whose columns are sorted in lanes

// A code of each of several columns.
typedef std::int32_t LaneCodes __attribute__((vector_size(32), may_alias));

// The places of columns in a row of codes; lanes without a column repeat the first.
struct LaneColumns {
    std::int32_t at[lanes];

    explicit LaneColumns(std::span<const std::int32_t> columns) {
        for (std::size_t l = 0; l < lanes; ++l) at[l] = columns[l < columns.size() ? l : 0];
    }
    // In one expression, so that codes get into a register without a detour through memory.
    template <class Code>
    __attribute__((always_inline)) void read(const Code* line, LaneCodes& codes) const {
        const auto code = [&](int l) { return static_cast<std::int32_t>(line[at[l]]); };
        codes = LaneCodes{code(0), code(1), code(2), code(3), code(4), code(5), code(6), code(7)};
    }
};

// Statistics of a node, and the smallest sides that are allowed.
struct LaneNode {
    double weight;
    std::int64_t least_rows;
    double least_weight;
    double tolerance;                 // scores closer than this are equal
    std::span<const double> classes;  // weight of each; none for numbers
    double mean = 0.0;                // of numbers
};

// The best cut of a column; score no_gain when there is none.
struct LaneCut {
    std::size_t column;  // its place among the columns
    double score;
    std::int32_t edge;  // smallest code on the right
};

// Whether the column, or the rows, can be searched in lanes: no missing value, few codes and rows, and
// classes of small whole weights or numbers.
bool fits_lanes(const CodedColumn& column, std::size_t classes);
bool fits_lanes(const Rows& rows);

// The first of the best cuts of at most `lanes` columns, by the Gini index of classes with whole weights, or
// by the squared error of numbers. The columns and rows must fit.
LaneCut cut_lanes(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                  const LaneNode& node);

}  // namespace hornbook
