// The gradient pairs of the rows of a tree as integers: sums over rows are exact in any order.
#pragma once

#include <cstdint>
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

// Rejects pairs that are not finite, and negative weights.
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

struct FixedPair {
    std::int64_t sum, mass;
};

// Pairs in fixed point: `fixed`; or rounded at random to 8 bits each: `bytes`, with the sum in the upper
// half.
struct RowPairs {
    PairUnits units;
    bool is_small = false;
    std::vector<std::uint16_t> bytes;
    std::vector<FixedPair> fixed;

    // Rounding draws depend on the key and the row alone: E[rounded] is the pair.
    void quantize(const PairTarget& target, const PairBounds& bounds, const TreeKey& key, Crew& crew);
    void fix(const PairTarget& target, const PairBounds& bounds, Crew& crew);
};

}  // namespace hornbook
