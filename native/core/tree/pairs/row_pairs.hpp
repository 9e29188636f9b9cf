// The gradient pairs of the rows of a tree as integers: sums over rows are exact in any order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/base/crew.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

// One entry per row: G = -g and H = h of Chen and Guestrin (2016), each times the weight of the row. Rows
// with H = 0 are ignored.
struct PairTarget {
    const double* sum = nullptr;
    const double* weight = nullptr;
    std::int64_t size = 0;
};

// Facts about all pairs.
struct PairBounds {
    double largest_sum = 0.0;  // in absolute value
    double largest_weight = 0.0;
    double smallest_weight = 0.0;  // 0 when some row is ignored
    double sums = 0.0;             // of absolute values
    double weights = 0.0;
};

// The bounds of each run of `bounds_run` rows, and those of all runs: sums depend on how long a run is.
constexpr std::int64_t bounds_run = std::int64_t{1} << 14;
std::vector<PairBounds> bounds_of_runs(const PairTarget& target, Crew& crew);
PairBounds joined(std::span<const PairBounds> runs);

// Of all rows. Rejects pairs that are not finite, and negative weights.
PairBounds bounds_of(const PairTarget& target, Crew& crew);

// Sums over rows are G = sum * sum_unit, and H = weight * weight_unit with mass = weight * 2^count_bits +
// number of rows.
struct PairUnits {
    double sum = 1.0;
    double weight = 1.0;
    int count_bits = 0;

    std::int64_t rows(std::int64_t mass) const { return mass & ((std::int64_t{1} << count_bits) - 1); }
    double weight_of(std::int64_t mass) const { return static_cast<double>(mass >> count_bits); }
};

// How the pairs of all rows of a tree become integers: in fixed point, or rounded at random to 8 bits each.
struct PairScale {
    PairUnits units;
    bool is_small = false;  // 8 bits
    bool constant = false;  // all weights are equal, and not rounded at random
    std::uint64_t key = 0;  // of the draws
};

// Rejects pairs that are not finite or beyond what the scale is for, and negative weights.
void check_pairs(const PairTarget& target, const PairScale& scale);

// Large tables are rounded to 8 bits if the options say so.
PairScale scale_of(const PairBounds& bounds, std::int64_t size, bool quantize, const TreeKey& key);

struct FixedPair {
    std::int64_t sum, mass;
};

// Pairs in fixed point: `fixed`; or rounded at random: `bytes`, with the sum in the upper half.
struct RowPairs {
    PairUnits units;
    bool is_small = false;
    std::vector<std::uint16_t> bytes;
    std::vector<FixedPair> fixed;

    // `first` is the number of the first of these rows among all. Draws depend on the key and the number of
    // the row alone: E[rounded] is the pair.
    void encode(const PairTarget& target, const PairScale& scale, std::int64_t first, Crew& crew);
};

}  // namespace hornbook
