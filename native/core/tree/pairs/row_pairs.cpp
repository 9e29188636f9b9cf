#include "core/tree/pairs/row_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr int sum_bits = 51;  // sums are turned into doubles by adding 1.5 * 2^52
constexpr std::int64_t rows_worth_rounding = std::int64_t{1} << 16;
constexpr std::int64_t most_rows_rounded = std::int64_t{1} << 26;

// Numbers that float32 holds without loss of range.
bool is_ordinary(double number) { return number > 1e-30 && number < 1e30; }

struct Range {
    std::int64_t first, last;
};

Range run_of(std::int64_t c, std::int64_t size) {
    return {c * bounds_run, std::min((c + 1) * bounds_run, size)};
}

std::int64_t runs_of(std::int64_t size) { return (size + bounds_run - 1) / bounds_run; }

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

// Entries first, ..., last - 1 of the target; `before` rows come before it.
HORNBOOK_WIDE void quantize_in(const PairTarget& target, const PairScale& scale, std::int64_t before,
                               std::int64_t first, std::int64_t last, std::uint16_t* out) {
    const double* sum = target.sum;
    const double* weight = target.weight;
    const auto sum_scale = static_cast<float>(1.0 / scale.units.sum);
    const auto weight_scale = static_cast<float>(1.0 / scale.units.weight);
    const auto key = static_cast<std::uint32_t>(scale.key);
    const auto step = static_cast<std::uint32_t>(scale.key >> 32);
    const auto row = static_cast<std::uint32_t>(before);
    const float still = scale.constant ? 0.0f : 1.0f;
    constexpr float share = 0x1p-16f;
    for (std::int64_t i = first; i < last; ++i) {
        const std::uint32_t draw = mixed(((row + static_cast<std::uint32_t>(i)) ^ key) + step);
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

std::vector<PairBounds> bounds_of_runs(const PairTarget& target, Crew& crew) {
    std::vector<PairBounds> runs(static_cast<std::size_t>(runs_of(target.size)));
    crew.run(std::ssize(runs), [&](std::int64_t c) {
        const Range range = run_of(c, target.size);
        runs[static_cast<std::size_t>(c)] = bounds_in(target, range.first, range.last);
    });
    return runs;
}

PairBounds joined(std::span<const PairBounds> runs) {
    PairBounds all = runs.front();
    for (const PairBounds& run : runs.subspan(1)) merge(all, run);
    return all;
}

PairBounds bounds_of(const PairTarget& target, Crew& crew) {
    const PairBounds all = joined(bounds_of_runs(target, crew));
    if (!std::isfinite(all.sums) || !std::isfinite(all.weights) || !(all.smallest_weight >= 0.0))
        refuse_pairs(target);
    if (!(all.weights > 0.0)) refuse("a tree needs at least one row of positive weight.");
    return all;
}

PairScale scale_of(const PairBounds& bounds, std::int64_t size, bool quantize, const TreeKey& key) {
    constexpr double sum_levels = 126.0, weight_levels = 254.0;  // one is left for rounding up
    PairScale scale;
    PairUnits& units = scale.units;
    units.count_bits = std::bit_width(static_cast<std::uint64_t>(size));
    scale.is_small = quantize && size >= rows_worth_rounding && size <= most_rows_rounded &&
                     is_ordinary(bounds.largest_sum) && is_ordinary(bounds.largest_weight);
    if (scale.is_small) {
        scale.constant = bounds.smallest_weight == bounds.largest_weight;
        scale.key = key.draws(Purpose::bootstrap, 1).word();  // index 0 draws the rows of a tree
        units.sum = bounds.largest_sum / sum_levels;
        units.weight = scale.constant ? bounds.largest_weight : bounds.largest_weight / weight_levels;
    } else {
        units.sum = unit_for(bounds.sums, sum_bits - 1);
        units.weight = unit_for(bounds.weights, std::min(sum_bits - 1, 61 - units.count_bits));
    }
    return scale;
}

void check_pairs(const PairTarget& target, const PairScale& scale) {
    const int weight_bits = std::min(sum_bits - 1, 61 - scale.units.count_bits);
    const double most_sum = scale.units.sum * (scale.is_small ? 127.0 : std::ldexp(1.0, sum_bits - 1));
    const double most_weight = scale.units.weight * (scale.is_small ? 254.5 : std::ldexp(1.0, weight_bits));
    for (std::int64_t i = 0; i < target.size; ++i)
        if (!(std::abs(target.sum[i]) <= most_sum && target.weight[i] >= 0.0 &&
              target.weight[i] <= most_weight))
            refuse("sum[", i, "] and weight[", i, "] must be within the bounds that the scale is for.");
}

void RowPairs::encode(const PairTarget& target, const PairScale& scale, std::int64_t first, Crew& crew) {
    units = scale.units;
    is_small = scale.is_small;
    const double per_sum = 1.0 / units.sum, per_weight = 1.0 / units.weight;
    const int shift = units.count_bits;
    std::uint16_t* small = is_small ? resized(bytes, target.size) : nullptr;
    FixedPair* out = is_small ? nullptr : resized(fixed, target.size);
    crew.run(runs_of(target.size), [&](std::int64_t c) {
        const Range range = run_of(c, target.size);
        if (is_small) {
            quantize_in(target, scale, first, range.first, range.last, small);
            return;
        }
        for (std::int64_t i = range.first; i < range.last; ++i)
            out[i] = {nearest(target.sum[i] * per_sum),
                      (nearest(target.weight[i] * per_weight) << shift) + 1};
    });
}

}  // namespace hornbook
