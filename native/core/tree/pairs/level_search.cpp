#include "core/tree/pairs/level_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/simd.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

// The score of sums within bounds: 2 T(G) w - (H + l2) w^2 for the bounded value w = T(G) / (H + l2).
double bounded_score(double sum, double weight, const LevelLimits& limits) {
    const double pull = shrunk(sum, limits.l1), best = pull / (weight + limits.l2);
    const double value = std::clamp(best, limits.low, limits.high);
    if (value == best) return pull * value;
    return 2.0 * (sum * value - limits.l1 * std::abs(value)) - (weight + limits.l2) * value * value;
}

// Scores of the cuts after each level, from the sums on the left.
HORNBOOK_WIDE void plain_scores(const double* sum, const double* weight, std::int32_t size,
                                const LevelLimits& limits, double* scores) {
    const double all = limits.sum, total = limits.weight, l2 = limits.l2;
    for (std::int32_t i = 0; i < size; ++i) {
        const double other = all - sum[i], rest = total - weight[i];
        scores[i] = sum[i] * (sum[i] / (weight[i] + l2)) + other * (other / (rest + l2));
    }
}

double weight_between(const NodeLevels& levels, std::int32_t first, std::int32_t last) {
    double weight = 0.0;
    for (std::int32_t i = first; i < last; ++i) weight += levels.weight[i];
    return weight;
}

// Rare levels of each lane that has several become one.
__attribute__((always_inline)) inline void pool(const Whole* rare, std::int32_t levels, Whole* sum,
                                                Whole* mass) {
    Whole count{};
    for (std::int32_t c = 0; c < levels; ++c) count -= rare[c];
    const Whole several = count > 1;
    sum[levels] = mass[levels] = Whole{};
    for (std::int32_t c = 0; c < levels; ++c) {
        const Whole moved = rare[c] & several;
        sum[levels] += sum[c] & moved;
        mass[levels] += mass[c] & moved;
        sum[c] &= ~moved;
        mass[c] &= ~moved;
    }
}

// Integers below 2^51 as doubles: added to the bits of 1.5 * 2^52, for few processors can convert them.
__attribute__((always_inline)) inline void to_doubles(const Whole& whole, Lanes& out) {
    out = reinterpret_cast<Lanes>(whole + 0x4338000000000000) - 0x1.8p52;
}

}  // namespace

HORNBOOK_WIDE void sum_in_order(const CodeSums* sums, std::int32_t levels, int count_bits,
                                const LevelRule& rule, CodeSums* left) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Whole sum[few_levels + 1], mass[few_levels + 1], rare[few_levels];
    Lanes mean[few_levels + 1];
    Whole some{};
    for (std::int32_t c = 0; c < levels; ++c) {
        sum[c] = sums[c].sum;
        mass[c] = sums[c].mass;
        // By their signs, for the compiler would spell out a product of comparisons lane by lane.
        const Whole light = (mass[c] >> count_bits) - rule.support, present = -mass[c];
        const Whole other = c - rule.missing, beside = other | -other;
        rare[c] = (light & present & beside) >> 63;
        some |= rare[c];
    }
    std::int64_t bits = 0;
    for (std::int64_t lane = 0; lane < lanes; ++lane) bits |= some[lane];
    const bool any_rare = bits != 0;
    sum[levels] = mass[levels] = Whole{};
    if (any_rare) pool(rare, levels, sum, mass);
    const std::int32_t all = levels + (any_rare ? 1 : 0);
    for (std::int32_t c = 0; c < all; ++c) {
        Lanes weight, pull;
        to_doubles(mass[c] >> count_bits, weight);
        to_doubles(sum[c], pull);
        const Lanes ratio = pull / (weight + rule.l2);
        const Lanes number = ratio == ratio ? ratio : Lanes{} - infinity;
        mean[c] = mass[c] != 0 ? number : Lanes{} + infinity;  // levels without rows come last
    }
    for (std::int32_t c = 0; c < all; ++c) {
        Whole left_sum = sum[c], left_mass = mass[c];
        const Lanes own = mean[c];
        for (std::int32_t before = 0; before < c; ++before) {
            const Whole counts = mean[before] <= own;
            left_sum += sum[before] & counts;
            left_mass += mass[before] & counts;
        }
        for (std::int32_t after = c + 1; after < all; ++after) {
            const Whole counts = mean[after] < own;
            left_sum += sum[after] & counts;
            left_mass += mass[after] & counts;
        }
        left[c] = {left_sum, left_mass};
    }
    if (!any_rare) left[levels] = CodeSums{};
}

void NodeLevels::pool_rare(double support, std::int32_t missing) {
    rare = 0;
    for (std::int32_t i = 0; i < size; ++i)
        if (weight[i] < support && code[i] != missing) rare_code[rare++] = code[i];
    if (rare < 2) return;
    const std::int32_t all = size;
    double sums = 0.0, weights = 0.0, count = 0.0;
    size = 0;
    for (std::int32_t i = 0; i < all; ++i) {
        if (weight[i] < support && code[i] != missing) {
            sums += sum[i];
            weights += weight[i];
            count += rows[i];
        } else {
            add(code[i], sum[i], weight[i], rows[i]);
        }
    }
    add(rare_levels, sums, weights, count);
}

NodeLevels NodeLevels::sorted(double l2) const {
    double keys[most_levels];
    std::int32_t order[most_levels];
    for (std::int32_t i = 0; i < size; ++i) {
        order[i] = i;
        keys[i] = sum[i] / (weight[i] + l2);
        if (keys[i] != keys[i]) keys[i] = -std::numeric_limits<double>::infinity();
    }
    std::sort(order, order + size,
              [&](std::int32_t a, std::int32_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
    NodeLevels out;
    out.rare = rare;
    for (std::int32_t i = 0; i < rare; ++i) out.rare_code[i] = rare_code[i];
    for (std::int32_t i = 0; i < size; ++i)
        out.add(code[order[i]], sum[order[i]], weight[order[i]], rows[order[i]]);
    return out;
}

LevelCut best_cut(const NodeLevels& levels, const LevelLimits& limits) {
    const std::int32_t cuts = levels.size - 1;
    double sum[most_levels], weight[most_levels], rows[most_levels], scores[most_levels];
    double sums = 0.0, weights = 0.0, count = 0.0;
    for (std::int32_t i = 0; i < cuts; ++i) {
        sum[i] = sums += levels.sum[i];
        weight[i] = weights += levels.weight[i];
        rows[i] = count += levels.rows[i];
    }
    if (limits.l1 > 0.0 || std::isfinite(limits.low) || std::isfinite(limits.high))
        for (std::int32_t i = 0; i < cuts; ++i)
            scores[i] = bounded_score(sum[i], weight[i], limits) +
                        bounded_score(limits.sum - sum[i], limits.weight - weight[i], limits);
    else
        plain_scores(sum, weight, cuts, limits, scores);
    const Limits least{limits.fewest, limits.lightest};
    LevelCut best;
    for (std::int32_t i = 0; i < cuts; ++i)
        if (scores[i] > best.score + limits.tolerance &&
            least.hold(rows[i], limits.rows - rows[i], weight[i], limits.weight - weight[i]))
            best = {scores[i], levels.code[i]};
    return best;
}

Split split_levels(const NodeLevels& levels, std::int32_t last, std::int32_t bins) {
    std::int32_t cut = 1;
    while (cut < levels.size && levels.code[cut - 1] != last) ++cut;
    const bool lists_left = !(weight_between(levels, cut, levels.size) < weight_between(levels, 0, cut));
    const auto fill = [&](std::int32_t first, std::int32_t end, std::vector<std::int32_t>& listed) {
        bool has_missing = false;
        for (std::int32_t i = first; i < end; ++i) {
            if (levels.code[i] == bins)
                has_missing = true;
            else if (levels.code[i] == rare_levels)
                listed.insert(listed.end(), levels.rare_code, levels.rare_code + levels.rare);
            else
                listed.push_back(levels.code[i]);
        }
        std::sort(listed.begin(), listed.end());
        return has_missing;
    };
    Split split;
    split.kind = SplitKind::subset;
    std::vector<std::int32_t> left, right;
    const bool missing_left = fill(0, cut, left), missing_right = fill(cut, levels.size, right);
    std::vector<std::int32_t>& listed = lists_left ? left : right;
    if (missing_left || missing_right) split.missing_child = missing_left == lists_left ? 0 : 1;
    if (listed.empty()) {  // only missing values are listed: list the others instead
        (lists_left ? right : left).swap(listed);
        split.missing_child = 1;
    }
    split.levels = std::move(listed);
    return split;
}

}  // namespace hornbook
