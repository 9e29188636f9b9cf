#include "core/tree/simd/simd_search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

// A code in the upper bits; in the lower ones the class of the row and its weight, or, for numbers, its
// position.
using Keys = LaneCodes;
constexpr int weight_bits = 7;
constexpr std::int32_t heaviest = (1 << weight_bits) - 1;
static_assert(most_lane_rows <= heaviest + 1, "positions are stored in the bits of weights");

int code_shift(std::size_t classes) {
    return weight_bits + static_cast<int>(std::bit_width(std::max<std::size_t>(1, classes) - 1));
}

typedef std::int32_t Ints __attribute__((vector_size(16), may_alias));
constexpr int halves = static_cast<int>(lanes / half_lanes);

// The lower bits of the keys; false when a weight does not fit.
bool read_payloads(const Rows& rows, std::int32_t* payloads) {
    std::uint64_t all = 0;
    if (rows.sum) std::iota(payloads, payloads + rows.size, 0);
    for (std::int64_t i = 0; i < rows.size && !rows.sum; ++i) {
        std::uint64_t weight = 1, label = 0;
        if (rows.pair) {
            weight = (rows.pair[i] | rows.pair[i] >> 32) & 0xffffffffu;
            label = rows.pair[i] >> 32 ? 1 : 0;
        } else {
            label = static_cast<std::uint64_t>(rows.label[i]);
            weight = static_cast<std::uint64_t>(rows.weight_of(i));
        }
        all |= weight;
        payloads[i] = static_cast<std::int32_t>(weight | label << weight_bits);
    }
    return all <= heaviest;
}

HORNBOOK_WIDE void add_payloads(const std::int32_t* payloads, std::int64_t size, int shift, Keys* keys) {
    for (std::int64_t i = 0; i < size; ++i) keys[i] = (keys[i] << shift) | payloads[i];
}

// Batcher's merge-exchange sorting network (Batcher 1968; Knuth, TAOCP 3, algorithm 5.2.2M), for any size.
HORNBOOK_WIDE void sort_keys_of_lanes(Keys* keys, std::int64_t size) {
    if (size < 2) return;
    const auto top = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(size - 1)));
    for (std::int64_t p = top; p > 0; p /= 2) {
        std::int64_t start = 0, apart = p;
        for (std::int64_t q = top;; q /= 2) {
            for (std::int64_t first = start; first < size - apart; first += 2 * p) {
                const std::int64_t end = std::min(first + p, size - apart);
                for (std::int64_t i = first; i < end; ++i) {
                    const Keys a = keys[i], b = keys[i + apart];
                    keys[i] = a < b ? a : b;
                    keys[i + apart] = a < b ? b : a;
                }
            }
            if (q == p) break;
            apart = q - p;
            start = p;
        }
    }
}

struct LaneResults {
    double score[lanes];
    std::int64_t at[lanes];  // the first key on the right
};

// Keeps the first of the best cuts of each lane.
class LaneBest {
  public:
    explicit LaneBest(double tolerance) : tolerance_(tolerance) {
        for (int h = 0; h < halves; ++h) best_[h] = bar_[h] = Numbers{} + no_gain;
    }
    __attribute__((always_inline)) void consider(int h, const Numbers& score, const Mask& allowed,
                                                 std::int64_t at) {
        const Mask better = allowed & (score > bar_[h]);
        best_[h] = better ? score : best_[h];
        bar_[h] = better ? score + tolerance_ : bar_[h];
        at_[h] = better ? Mask{} + at : at_[h];
    }
    void write(LaneResults& results) const {
        for (std::int64_t l = 0; l < lanes; ++l) {
            results.score[l] = best_[l / half_lanes][l % half_lanes];
            results.at[l] = at_[l / half_lanes][l % half_lanes];
        }
    }

  private:
    double tolerance_;
    Numbers best_[halves], bar_[halves];
    Mask at_[halves]{};
};

// Two classes; the score is the one of ClassScore::of_pair.
HORNBOOK_WIDE void scan_two(const Keys* keys, std::int64_t size, const LaneNode& node, LaneResults& results) {
    constexpr int shift = weight_bits + 1;
    const std::int64_t last = size - node.least_rows;
    const double whole = node.weight, whole_second = node.classes[1], least = node.least_weight;
    Ints weights[halves]{}, seconds[halves]{}, codes[halves]{};
    LaneBest best(node.tolerance);
    for (std::int64_t i = 0; i <= last; ++i) {
        const auto* key = reinterpret_cast<const Ints*>(keys + i);
        for (int h = 0; h < halves; ++h) {
            const Ints code = key[h] >> shift;
            if (i >= node.least_rows) {
                const Numbers weight = __builtin_convertvector(weights[h], Numbers);
                const Numbers second = __builtin_convertvector(seconds[h], Numbers);
                const Numbers rest = whole - weight, other = whole_second - second;
                Numbers mixed;
                mix_pair(weight, second, rest, other, mixed);
                const Mask allowed =
                    __builtin_convertvector(code != codes[h], Mask) & (weight >= least) & (rest >= least);
                best.consider(h, whole - 2.0 * mixed / (weight * rest), allowed, i);
            }
            codes[h] = code;
            const Ints load = key[h] & heaviest;
            weights[h] += load;
            seconds[h] += load & -((key[h] >> weight_bits) & 1);
        }
    }
    best.write(results);
}

// Weights of the classes on the left of a cut, and sums of their squares on both sides.
struct ClassLanes {
    std::int32_t left[most_lane_classes][lanes];
    Keys weights{}, squares{}, other_squares{};
    std::int32_t whole[most_lane_classes];

    explicit ClassLanes(std::span<const double> classes) {
        for (std::size_t k = 0; k < classes.size(); ++k) {
            whole[k] = static_cast<std::int32_t>(classes[k]);
            std::fill_n(left[k], lanes, 0);
            other_squares += whole[k] * whole[k];
        }
    }
    // Moves a row of each lane to the left.
    void add(const Keys& key, std::int32_t label_mask) {
        const Keys weight = key & heaviest, label = (key >> weight_bits) & label_mask;
        Keys before, after;
        for (std::int64_t l = 0; l < lanes; ++l) {
            std::int32_t& sum = left[label[l]][l];
            before[l] = sum;
            after[l] = whole[label[l]] - sum;
            sum += weight[l];
        }
        weights += weight;
        squares += weight * (2 * before + weight);
        other_squares -= weight * (2 * after - weight);
    }
};

// Any number of classes; the score is the one of ClassScore.
HORNBOOK_WIDE void scan_many(const Keys* keys, std::int64_t size, const LaneNode& node,
                             LaneResults& results) {
    const int shift = code_shift(node.classes.size());
    const std::int32_t label_mask = (1 << (shift - weight_bits)) - 1;
    const std::int64_t last = size - node.least_rows;
    ClassLanes sums(node.classes);
    LaneBest best(node.tolerance);
    for (std::int64_t i = 0; i <= last; ++i) {
        if (i >= node.least_rows) {
            const Keys differ = (keys[i] >> shift) != (keys[i - 1] >> shift);
            for (int h = 0; h < halves; ++h) {
                const auto part = [h](const Keys& all) { return reinterpret_cast<const Ints*>(&all)[h]; };
                const Numbers weight = __builtin_convertvector(part(sums.weights), Numbers);
                const Numbers rest = node.weight - weight;
                const Numbers score = __builtin_convertvector(part(sums.squares), Numbers) / weight +
                                      __builtin_convertvector(part(sums.other_squares), Numbers) / rest;
                const Mask allowed = __builtin_convertvector(part(differ), Mask) &
                                     (weight >= node.least_weight) & (rest >= node.least_weight);
                best.consider(h, score, allowed, i);
            }
        }
        sums.add(keys[i], label_mask);
    }
    best.write(results);
}

// Numbers; the score is the one of SumScore.
HORNBOOK_WIDE void scan_numbers(const Keys* keys, const Rows& rows, const LaneNode& node,
                                LaneResults& results) {
    const std::int64_t last = rows.size - node.least_rows;
    Numbers weights[halves]{}, sums[halves]{};
    Ints codes[halves]{};
    LaneBest best(node.tolerance);
    for (std::int64_t i = 0; i <= last; ++i) {
        const auto* key = reinterpret_cast<const Ints*>(keys + i);
        for (int h = 0; h < halves; ++h) {
            const Ints code = key[h] >> weight_bits, place = key[h] & heaviest;
            if (i >= node.least_rows) {
                const Numbers weight = weights[h], rest = node.weight - weight;
                const Numbers excess = sums[h] - weight * node.mean;
                const Mask allowed = __builtin_convertvector(code != codes[h], Mask) &
                                     (weight >= node.least_weight) & (rest >= node.least_weight);
                best.consider(h, excess * excess * node.weight / (weight * rest), allowed, i);
            }
            codes[h] = code;
            sums[h] +=
                Numbers{rows.sum[place[0]], rows.sum[place[1]], rows.sum[place[2]], rows.sum[place[3]]};
            if (rows.weight)
                weights[h] += Numbers{rows.weight[place[0]], rows.weight[place[1]], rows.weight[place[2]],
                                      rows.weight[place[3]]};
            else
                weights[h] += 1.0;
        }
    }
    best.write(results);
}

}  // namespace

bool fits_lanes(const CodedColumn& column, std::size_t classes) {
    return !column.nominal && !column.missing && classes <= most_lane_classes &&
           column.bins < 1 << (31 - code_shift(classes));
}

bool fits_lanes(const Rows& rows) {
    std::int32_t payloads[most_lane_rows];
    return rows.size <= most_lane_rows && read_payloads(rows, payloads);
}

LaneCut cut_lanes(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                  const LaneNode& node) {
    const int shift = code_shift(node.classes.size());
    std::int32_t payloads[most_lane_rows];
    read_payloads(rows, payloads);
    Keys keys[most_lane_rows];
    read_lanes(table, columns, rows.row, rows.size, keys);
    add_payloads(payloads, rows.size, shift, keys);
    sort_keys_of_lanes(keys, rows.size);
    LaneResults results;
    if (rows.sum)
        scan_numbers(keys, rows, node, results);
    else if (node.classes.size() == 2)
        scan_two(keys, rows.size, node, results);
    else
        scan_many(keys, rows.size, node, results);
    std::size_t best = 0;
    for (std::size_t l = 1; l < columns.size(); ++l)
        if (results.score[l] > results.score[best] + node.tolerance) best = l;
    return LaneCut{best, results.score[best], keys[results.at[best]][best] >> shift};
}

}  // namespace hornbook
