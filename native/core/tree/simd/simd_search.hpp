// Nodes of few rows: many columns at once, each in a SIMD lane of its own, sorted together without branches.
#pragma once

#include <cstdint>
#include <span>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/simd/lane_codes.hpp"

namespace hornbook {

constexpr std::size_t most_lane_classes = 64;
constexpr std::int64_t most_lane_rows = 128;  // of a node whose columns are sorted in lanes

// Statistics of a node, and the smallest sides that are allowed.
struct LaneNode {
    double weight;
    std::int64_t least_rows;
    double least_weight;
    double tolerance;                 // scores closer than this are equal
    std::span<const double> classes;  // weight of each; none for numbers
    double mean = 0.0;                // of numbers
    int all_classes = 0;              // of the target, of which a node of few rows lists those that occur
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
