// Gradient pairs of rows, and how they become integers, as NumPy arrays and numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <tuple>

#include "bind/convert.hpp"
#include "core/tree/pairs/row_pairs.hpp"

namespace hornbook {

// Units of sums and of weights, bits of the count, whether pairs have 8 bits, whether weights are constant,
// and the key of the draws.
using ScaleNumbers = std::tuple<double, double, int, bool, bool, std::uint64_t>;

inline PairScale scale_from(const ScaleNumbers& numbers) {
    const auto [sum, weight, count_bits, is_small, constant, key] = numbers;
    if (!(sum > 0.0 && std::isfinite(sum) && weight > 0.0 && std::isfinite(weight)) || count_bits < 0 ||
        count_bits > 31)
        refuse("scale must be what a PairPassGrower says.");
    return {{sum, weight, count_bits}, is_small, constant, key};
}

inline PairTarget pairs_of(const Array1<double>& sum, const Array1<double>& weight) {
    const Vector<double> sums = view(sum, "sum"), weights = view(weight, "weight");
    if (sums.size != weights.size) refuse("sum and weight must have one entry for each row.");
    return {sums.data, weights.data, sums.size};
}

}  // namespace hornbook
