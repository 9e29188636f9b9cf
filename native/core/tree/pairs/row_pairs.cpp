#include "core/tree/pairs/row_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t chunk = std::int64_t{1} << 14;  // fixed: floating-point sums depend on it
constexpr int sum_bits = 51;                           // sums are turned into doubles by adding 1.5 * 2^52

struct Range {
    std::int64_t first, last;
};

Range chunk_of(std::int64_t c, std::int64_t size) { return {c * chunk, std::min((c + 1) * chunk, size)}; }

std::int64_t chunks_of(std::int64_t size) { return (size + chunk - 1) / chunk; }

void merge(PairBounds& all, const PairBounds& part) {
    all.largest_sum = std::max(all.largest_sum, part.largest_sum);
    all.largest_weight = std::max(all.largest_weight, part.largest_weight);
    all.smallest_weight = std::min(all.smallest_weight, part.smallest_weight);
    all.sums += part.sums;
    all.weights += part.weights;
}

HORNBOOK_WIDE PairBounds bounds_in(const PairTarget& target, std::int64_t first, std::int64_t last) {
    Lanes largest_sum{}, largest{}, smallest = Lanes{} + target.weight[first], sums{}, weights{};
    std::int64_t i = first;
    for (; i + lanes <= last; i += lanes) {
        Lanes g, h;
        __builtin_memcpy(&g, target.sum + i, sizeof g);
        __builtin_memcpy(&h, target.weight + i, sizeof h);
        g = g < 0.0 ? -g : g;
        largest_sum = g > largest_sum ? g : largest_sum;
        largest = h > largest ? h : largest;
        smallest = h < smallest ? h : smallest;
        sums += g;
        weights += h;
    }
    PairBounds out{0.0, 0.0, target.weight[first], 0.0, 0.0};
    for (std::int64_t lane = 0; lane < lanes; ++lane)
        merge(out, {largest_sum[lane], largest[lane], smallest[lane], sums[lane], weights[lane]});
    for (; i < last; ++i) {
        const double g = std::abs(target.sum[i]), h = target.weight[i];
        merge(out, {g, h, h, g, h});
    }
    return out;
}

[[noreturn]] void refuse_pairs(const PairTarget& target) {
    for (std::int64_t i = 0; i < target.size; ++i) {
        if (!std::isfinite(target.sum[i])) refuse("sum[", i, "] must be finite.");
        if (!(target.weight[i] >= 0.0 && std::isfinite(target.weight[i])))
            refuse("weight[", i, "] must be a finite number, at least 0.");
    }
    refuse("the sums of all rows must be finite.");
}

// The finalizer of MurmurHash3 (Appleby): all bits of the row and the key reach all bits of the result.
inline std::uint32_t mixed(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    return x ^ (x >> 16);
}

struct Rounding {
    float sum, weight;  // units per number
    std::uint32_t key, step;
    bool constant;  // all weights are equal
};

HORNBOOK_WIDE void quantize_in(const PairTarget& target, const Rounding& how, std::int64_t first,
                               std::int64_t last, std::uint16_t* out) {
    const double* sum = target.sum;
    const double* weight = target.weight;
    const float sum_scale = how.sum, weight_scale = how.weight;
    const std::uint32_t key = how.key, step = how.step;
    const float still = how.constant ? 0.0f : 1.0f;
    constexpr float share = 0x1p-16f;
    for (std::int64_t i = first; i < last; ++i) {
        const std::uint32_t draw = mixed((static_cast<std::uint32_t>(i) ^ key) + step);
        const auto low = static_cast<float>(static_cast<std::int32_t>(draw & 0xFFFFu)) * share;
        const auto high = static_cast<float>(static_cast<std::int32_t>(draw >> 16)) * share;
        // Truncation rounds down, once both are at least 0.
        const auto g = static_cast<std::int32_t>(static_cast<float>(sum[i]) * sum_scale + (128.0f + high));
        const auto h = static_cast<std::int32_t>(static_cast<float>(weight[i]) * weight_scale +
                                                 (low * still + 0.5f * (1.0f - still)));
        const std::int32_t word = ((g - 128) << 8) | (h & 0xFF);
        out[i] = static_cast<std::uint16_t>(word);
    }
}

// The nearest integer, for numbers below 2^51: the lowest bits of the sum with 1.5 * 2^52 hold it.
inline std::int64_t nearest(double number) {
    constexpr double shifter = 0x1.8p52;
    return std::bit_cast<std::int64_t>(number + shifter) - std::bit_cast<std::int64_t>(shifter);
}

// The power of 2 of which a sum up to `bound` is at most 2^bits times.
double unit_for(double bound, int bits) {
    int exponent = 0;
    std::frexp(bound, &exponent);
    return bound > 0.0 ? std::ldexp(1.0, std::max(exponent - bits, -1000)) : 1.0;
}

}  // namespace

PairBounds bounds_of(const PairTarget& target, Crew& crew) {
    std::vector<PairBounds> parts(static_cast<std::size_t>(chunks_of(target.size)));
    crew.run(std::ssize(parts), [&](std::int64_t c) {
        const Range range = chunk_of(c, target.size);
        parts[static_cast<std::size_t>(c)] = bounds_in(target, range.first, range.last);
    });
    PairBounds all = parts.front();
    for (std::size_t c = 1; c < parts.size(); ++c) merge(all, parts[c]);
    if (!std::isfinite(all.sums) || !std::isfinite(all.weights) || !(all.smallest_weight >= 0.0))
        refuse_pairs(target);
    if (!(all.weights > 0.0)) refuse("a tree needs at least one row of positive weight.");
    return all;
}

void RowPairs::quantize(const PairTarget& target, const PairBounds& bounds, const TreeKey& key, Crew& crew) {
    constexpr float sum_levels = 126.0f, weight_levels = 254.0f;  // one is left for rounding up
    is_small = true;
    resized(bytes, target.size);
    const bool constant = bounds.smallest_weight == bounds.largest_weight;
    units.count_bits = std::bit_width(static_cast<std::uint64_t>(target.size));
    units.sum = bounds.largest_sum > 0.0 ? bounds.largest_sum / sum_levels : 1.0;
    units.weight = constant ? bounds.largest_weight : bounds.largest_weight / weight_levels;
    const std::uint64_t word = key.draws(Purpose::bootstrap, 1).word();  // index 0 draws the rows of a tree
    const Rounding how{static_cast<float>(1.0 / units.sum), static_cast<float>(1.0 / units.weight),
                       static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), constant};
    crew.run(chunks_of(target.size), [&](std::int64_t c) {
        const Range range = chunk_of(c, target.size);
        quantize_in(target, how, range.first, range.last, bytes.data());
    });
}

void RowPairs::fix(const PairTarget& target, const PairBounds& bounds, Crew& crew) {
    is_small = false;
    resized(fixed, target.size);
    units.count_bits = std::bit_width(static_cast<std::uint64_t>(target.size));
    units.sum = unit_for(bounds.sums, sum_bits - 1);
    units.weight = unit_for(bounds.weights, std::min(sum_bits - 1, 61 - units.count_bits));
    const double per_sum = 1.0 / units.sum, per_weight = 1.0 / units.weight;
    const int shift = units.count_bits;
    FixedPair* out = fixed.data();
    crew.run(chunks_of(target.size), [&](std::int64_t c) {
        const Range range = chunk_of(c, target.size);
        for (std::int64_t i = range.first; i < range.last; ++i)
            out[i] = {nearest(target.sum[i] * per_sum),
                      (nearest(target.weight[i] * per_weight) << shift) + 1};
    });
}

}  // namespace hornbook
