// The best division of the levels of a category in two, from sums of gradient pairs.
#pragma once

#include <cstdint>

#include "core/base/simd.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/pairs/pair_histogram.hpp"

namespace hornbook {

constexpr std::int32_t most_levels = 256;  // of 8-bit codes, the missing value included
constexpr std::int32_t few_levels = 48;    // up to which all are compared with all, eight columns at once
constexpr std::int32_t rare_levels = 256;  // stands for all rare levels of a node, in the place of a code

// Of eight columns: what is added to the weights of levels in their means, the weight below which levels are
// rare, rounded up to a whole number, and the code of missing values, which are never rare.
struct LevelRule {
    Lanes l2;
    Whole support, missing;
};

// For each of the codes 0, ..., levels - 1, at most few_levels, the sums of all levels up to it in the order
// of their means, sum / (weight + l2); equal ones in the order of their codes. Where several levels are rare
// they count as one, the last entry, which is that of `levels`; elsewhere it is empty.
void sum_in_order(const CodeSums* sums, std::int32_t levels, int count_bits, const LevelRule& rule,
                  CodeSums* left);

// Levels of one category in a node, with the sums of their pairs as whole numbers, weights and rows.
struct NodeLevels {
    std::int32_t size = 0;
    std::int32_t rare = 0;  // levels that are one, if there are several
    std::int32_t code[most_levels];
    std::int32_t rare_code[most_levels];
    double sum[most_levels], weight[most_levels], rows[most_levels];

    void add(std::int32_t level, double sum_of, double weight_of, double rows_of) {
        code[size] = level;
        sum[size] = sum_of;
        weight[size] = weight_of;
        rows[size] = rows_of;
        size += rows_of > 0.0 ? 1 : 0;
    }
    // Joins levels lighter than `support`, other than `missing`, if there are several.
    void pool_rare(double support, std::int32_t missing);
    // The levels by sum / (weight + l2), equal ones by code. What is not a number comes first.
    NodeLevels sorted(double l2) const;
};

// What scores of divisions depend on: sums of the node, penalties, and the least that a side must have.
struct LevelLimits {
    double sum, weight, rows;
    double l1, l2;
    double fewest, lightest;  // rows and weight
    double low, high;         // bounds of values
    double tolerance;         // scores closer than this are equal: the first of them is taken
};

struct LevelCut {
    double score = no_gain;
    std::int32_t last = -1;  // code of the last level on the left
};

// The best cut of sorted levels.
LevelCut best_cut(const NodeLevels& levels, const LevelLimits& limits);

// The cut after the level of this code as a split: the lighter side is listed and is child 0, so that levels
// that do not occur in the node go where most rows go. The missing value is the code `bins`.
Split split_levels(const NodeLevels& levels, std::int32_t last, std::int32_t bins);

}  // namespace hornbook
