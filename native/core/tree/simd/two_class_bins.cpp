#include "core/tree/simd/two_class_bins.hpp"

#include <algorithm>

#include "core/base/simd.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

typedef std::uint64_t Words __attribute__((vector_size(32), may_alias, aligned(8)));

// Whole numbers below 2^32 as doubles.
inline void lower_halves(const Words& words, Numbers& out) {
    const Words bits = (words & 0xffffffffu) | 0x4330000000000000u;  // 2^52 + number
    out = reinterpret_cast<const Numbers&>(bits) - 0x1p52;
}

struct Side {
    Numbers first, second;
};

inline void read(const PairSums* left, const PairSums& more, Side& side) {
    const Words words = *reinterpret_cast<const Words*>(left) + more.pair;
    lower_halves(words, side.first);
    lower_halves(words >> 32, side.second);
}

// Impurity of both sides as mix_pair computes it, and the product of their weights.
inline void mix(const GiniBins& bins, const Numbers& first, const Numbers& second, Numbers& mixed,
                Numbers& both, Numbers& weight) {
    weight = first + second;
    const Numbers rest = bins.weight - weight, other = bins.second - second;
    mix_pair(weight, second, rest, other, mixed);
    both = weight * rest;
}

}  // namespace

HORNBOOK_WIDE double best_gini_edge(const GiniBins& bins) {
    Numbers best = Numbers{} + no_gain;
    for (std::int64_t b = 1; b < bins.count; b += half_lanes) {
        Side side;
        Numbers mixed, both, weight;
        read(bins.left + b, bins.more, side);
        mix(bins, side.first, side.second, mixed, both, weight);
        const Numbers score = bins.weight - 2.0 * mixed / both;
        const Mask better =
            (score > best) & (weight >= bins.least_weight) & (bins.weight - weight >= bins.least_weight);
        best = better ? score : best;
    }
    return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

HORNBOOK_WIDE void flag_gini(const GiniBins& bins, double level, std::uint8_t* flags) {
    const double slack = bins.weight - level;
    for (std::int64_t b = 0; b < bins.count; b += half_lanes) {
        Side here, next;
        Numbers mixed, both, weight;
        read(bins.left + b, bins.more, here);
        read(bins.left + b + 1, bins.more, next);
        mix(bins, here.first, here.second, mixed, both, weight);
        const Mask before = 2.0 * mixed <= slack * both;
        // All rows of one class first, or all of the other. Between rows of one class no cut is best, unless
        // the better ones are not allowed.
        mix(bins, next.first, here.second, mixed, both, weight);
        Mask inside = 2.0 * mixed <= slack * both;
        mix(bins, here.first, next.second, mixed, both, weight);
        inside |= 2.0 * mixed <= slack * both;
        const Mask one = here.first != next.first, two = here.second != next.second;
        inside &= bins.least_weight > 0.0 ? one | two : one & two;
        const Mask bits = (inside & 1) | (before & 2);
        for (std::int64_t k = 0; k < half_lanes; ++k) flags[b + k] |= static_cast<std::uint8_t>(bits[k]);
    }
}

}  // namespace hornbook
