#include "core/tree_lanes.hpp"

#include <algorithm>
#include <bit>

namespace hornbook {

namespace {

constexpr std::int64_t few = 128;

// A code in the upper bits; the class of the row and its weight in the lower ones.
typedef std::int32_t Keys __attribute__((vector_size(32), may_alias));
constexpr int weight_bits = 7;
constexpr std::int32_t heaviest = (1 << weight_bits) - 1;
constexpr int code_shift = weight_bits + 1;
constexpr std::int32_t most_codes = 1 << (31 - code_shift);

// Half of the lanes, as wide as the comparing of doubles gets.
typedef std::int32_t Ints __attribute__((vector_size(16), may_alias));
typedef std::int64_t Mask __attribute__((vector_size(32), may_alias));
typedef double Numbers __attribute__((vector_size(32), may_alias));
constexpr int halves = 2, half = lanes / halves;

bool fits(const CodedColumn& column) {
    return !column.nominal && !column.missing && column.bins < most_codes;
}

// The lower bits of the keys; false when a row is too heavy.
bool read_loads(const Rows& rows, std::int32_t* loads) {
    std::uint64_t all = 0;
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const std::uint64_t pair = rows.pair[i], second = pair >> 32;
        all |= pair | second;
        loads[i] = static_cast<std::int32_t>(pair | second | (second ? 1u << weight_bits : 0u));
    }
    return static_cast<std::uint32_t>(all) <= heaviest;
}

// Lanes without a column repeat the first.
void write_keys(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                const std::int32_t* loads, Keys* keys) {
    std::int32_t column[lanes];
    for (std::size_t l = 0; l < lanes; ++l) column[l] = columns[l < columns.size() ? l : 0];
    with_lines(table, [&](const auto* lines, std::int64_t step) {
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const auto* line = lines + rows.row[i] * step;
            Keys key;
            for (std::int64_t l = 0; l < lanes; ++l) key[l] = static_cast<std::int32_t>(line[column[l]]);
            keys[i] = (key << code_shift) | loads[i];
        }
    });
}

// Batcher's network for any size.
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

struct Found {
    double score[lanes];
    std::int64_t at[lanes];  // the first key on the right
};

// The first of the best cuts of each lane; the score is the one of ClassScore::of_pair.
HORNBOOK_WIDE void scan_lanes(const Keys* keys, std::int64_t size, const LaneNode& node, Found& found) {
    const std::int64_t last = size - node.least_rows;
    Ints weights[halves]{}, seconds[halves]{}, codes[halves]{};
    Mask at[halves]{};
    Numbers best[halves], bar[halves];
    for (int h = 0; h < halves; ++h) best[h] = bar[h] = Numbers{} + no_gain;
    for (std::int64_t i = 0; i <= last; ++i) {
        const auto* key = reinterpret_cast<const Ints*>(keys + i);
        for (int h = 0; h < halves; ++h) {
            const Ints code = key[h] >> code_shift;
            if (i >= node.least_rows) {
                const Numbers weight = __builtin_convertvector(weights[h], Numbers);
                const Numbers second = __builtin_convertvector(seconds[h], Numbers);
                const Numbers rest = node.weight - weight, other = node.second - second;
                const Numbers mixed = (weight - second) * second * rest + (rest - other) * other * weight;
                const Numbers score = node.weight - 2.0 * mixed / (weight * rest);
                const Mask better = __builtin_convertvector(code != codes[h], Mask) & (score > bar[h]) &
                                    (weight >= node.least_weight) & (rest >= node.least_weight);
                best[h] = better ? score : best[h];
                bar[h] = better ? score + node.tolerance : bar[h];
                at[h] = better ? Mask{} + i : at[h];
            }
            codes[h] = code;
            const Ints load = key[h] & heaviest;
            weights[h] += load;
            seconds[h] += load & -((key[h] >> weight_bits) & 1);
        }
    }
    for (std::int64_t l = 0; l < lanes; ++l) {
        found.score[l] = best[l / half][l % half];
        found.at[l] = at[l / half][l % half];
    }
}

}  // namespace

std::optional<LaneCut> cut_lanes(const CodedTable& table, std::span<const std::int32_t> columns,
                                 const Rows& rows, const LaneNode& node) {
    if (!rows.pair || rows.size > few) return {};
    for (const std::int32_t j : columns)
        if (!fits(table.columns[static_cast<std::size_t>(j)])) return {};
    std::int32_t loads[few];
    if (!read_loads(rows, loads)) return {};
    Keys keys[few];
    write_keys(table, columns, rows, loads, keys);
    sort_keys_of_lanes(keys, rows.size);
    Found found;
    scan_lanes(keys, rows.size, node, found);
    std::size_t best = 0;
    for (std::size_t l = 1; l < columns.size(); ++l)
        if (found.score[l] > found.score[best] + node.tolerance) best = l;
    return LaneCut{best, found.score[best], keys[found.at[best]][best] >> code_shift};
}

}  // namespace hornbook
