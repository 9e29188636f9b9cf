#include "core/tree/pairs/pair_histogram.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/stop.hpp"
#include "core/tree/pairs/two_codes.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t groups_at_once = 16;  // their histograms stay in the second-level cache
constexpr std::int64_t entry = 2 * lanes;    // words of CodeSums

// Calls add(cell, code) for `Count` columns that follow each other; `cells` are those of code 0.
template <int Count, class Cell, class Add>
__attribute__((always_inline)) inline void for_lanes(const std::uint8_t* line, Cell* cells, const Add& add) {
    asm("" : "+r"(cells));  // one address with an offset each, instead of a sum of three parts
#pragma GCC unroll 8
    for (int lane = 0; lane < Count; ++lane) add(cells + lane, std::int64_t{line[lane]});
}

// Calls add(pair, cell, code) for each row and column of groups begin, ..., groups - 1, some at a time. The
// last group has `Tail` columns, or is as full as the others when that is 0; codes have `Step` cells each.
template <int Tail, std::int64_t Step, class Cell, class PairOf, class Add>
__attribute__((always_inline)) inline void for_rows(const GroupedColumns& columns, std::int64_t begin,
                                                    std::int64_t groups, const std::int32_t* rows,
                                                    std::int64_t size, Cell* out, const PairOf& pair_of,
                                                    const Add& add) {
    const std::int64_t width = columns.columns, full = width / lanes;
    const std::int64_t* at = columns.first.data();
    for (std::int64_t first = begin; first < groups; first += groups_at_once) {
        const std::int64_t last = std::min(first + groups_at_once, groups);
        const std::int64_t whole = std::min(last, full) - first;
        const bool has_tail = Tail > 0 && last > full;
        const std::uint8_t* from = columns.lines + first * lanes;
        const std::int64_t end = std::min(last * lanes, width) - first * lanes - 1;
        Cell* cells[groups_at_once];
        for (std::int64_t g = first; g < last; ++g) cells[g - first] = out + at[g] * Step;
        for (std::int64_t i = 0; i < size; ++i) {
            const std::uint8_t* later = from + rows[i + rows_ahead] * width;
            __builtin_prefetch(later);
            __builtin_prefetch(later + end);
            const auto pair = pair_of(rows[i]);
            const auto one = [&](Cell* cell, std::int64_t code) { add(pair, cell + code * Step); };
            const std::uint8_t* line = from + rows[i] * width;
            std::int64_t g = 0;
            for (; g < whole; ++g, line += lanes) for_lanes<lanes>(line, cells[g], one);
            if (has_tail) for_lanes<Tail>(line, cells[g], one);
        }
    }
}

// Calls fn with the number of columns of the last group, 0 when it is full.
template <class Fn>
void with_tail(std::int64_t columns, const Fn& fn) {
    const auto call = [&]<int... Tail>(std::integer_sequence<int, Tail...>) {
        (void)((columns % lanes == Tail && (fn.template operator()<Tail>(), true)) || ...);
    };
    call(std::make_integer_sequence<int, lanes>{});
}

inline std::uint64_t packed_word(std::uint16_t pair) {
    const auto sum = static_cast<std::int64_t>(static_cast<std::int8_t>(pair >> 8));
    return (static_cast<std::uint64_t>(sum) << 40) + ((pair & std::uint64_t{0xFF}) << 16) + 1;
}

// The pair of a row, whichever form it has.
inline FixedPair pair_of(const RowPairs& pairs, std::int32_t row) {
    if (!pairs.is_small) return pairs.fixed.data()[row];
    const std::uint16_t pair = pairs.bytes.data()[row];
    return {static_cast<std::int8_t>(pair >> 8), (std::int64_t{pair & 0xFF} << pairs.units.count_bits) + 1};
}

bool has_two(const GroupedColumns& columns, std::int64_t g) {
    const std::int32_t codes = columns.codes[static_cast<std::size_t>(g)];
    return codes == 2 || codes == 3;
}

// Some rows of a group of columns that have a bit each.
HORNBOOK_WIDE void sum_bits(const std::uint8_t* bits, TwoCodes& of, std::int64_t size, BitSums& out) {
    if (size >= rows_of_table) return sum_by_byte(bits, of, size, out);
    const Packed bit{1, 2, 4, 8, 16, 32, 64, 128};
    Whole sum{}, mass{};
    FixedPair total{0, 0};
    for (std::int64_t i = 0; i < size; ++i) {
        const FixedPair& pair = of.pair[i];
        const std::uint64_t byte = bits[of.at[i]];
        const auto counts = reinterpret_cast<Whole>(((Packed{} + byte) & bit) != 0);
        sum += counts & pair.sum;
        mass += counts & pair.mass;
        total.sum += pair.sum;
        total.mass += pair.mass;
    }
    out = {sum, mass, total};
}

// Some rows of a group whose columns have at most two codes and missing values, in registers, eight columns
// at once; the code 0 has what the others leave of the total. Few rows have missing values: they come in a
// loop of their own. Sums count `sign` times.
HORNBOOK_WIDE void sum_two(const std::uint8_t* from, std::int64_t width, std::int64_t here,
                           const TwoCodes& of, const std::int32_t* rows, std::int64_t size, std::int64_t sign,
                           std::int32_t codes, CodeSums* to) {
    Whole sum[2]{}, mass[2]{};
    FixedPair total{0, 0};
    std::uint64_t seen = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const FixedPair& pair = of.pair[i];
        const std::uint64_t bytes = load_codes(from + rows[i] * width, here);
        Whole counts;
        with_bit(bytes, of.one, counts);
        sum[0] += counts & pair.sum;
        mass[0] += counts & pair.mass;
        total.sum += pair.sum;
        total.mass += pair.mass;
        seen |= bytes;
    }
    for (std::int64_t i = 0; i < size && (seen & any_two) != 0; ++i) {
        const FixedPair& pair = of.pair[i];
        Whole counts;
        with_bit(load_codes(from + rows[i] * width, here), of.two, counts);
        sum[1] += counts & pair.sum;
        mass[1] += counts & pair.mass;
    }
    to[0].sum += sign * ((of.used & total.sum) - sum[0] - sum[1]);
    to[0].mass += sign * ((of.used & total.mass) - mass[0] - mass[1]);
    for (std::int32_t c = 1; c < codes; ++c) {
        to[c].sum += sign * sum[c - 1];
        to[c].mass += sign * mass[c - 1];
    }
}

// The same for pairs in words, each in the place of a sum.
HORNBOOK_WIDE void pack_two(const std::uint8_t* from, std::int64_t width, std::int64_t here,
                            const TwoCodes& of, const std::int32_t* rows, std::int64_t size,
                            std::int32_t codes, Packed* to) {
    Whole one{}, two{};
    std::int64_t total = 0;
    std::uint64_t seen = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t& word = of.pair[i].sum;
        const std::uint64_t bytes = load_codes(from + rows[i] * width, here);
        Whole counts;
        with_bit(bytes, of.one, counts);
        one += counts & word;
        total += word;
        seen |= bytes;
    }
    for (std::int64_t i = 0; i < size && (seen & any_two) != 0; ++i) {
        const std::int64_t& word = of.pair[i].sum;
        Whole counts;
        with_bit(load_codes(from + rows[i] * width, here), of.two, counts);
        two += counts & word;
    }
    to[0] += reinterpret_cast<Packed>((of.used & total) - one - two);
    to[1] += reinterpret_cast<Packed>(one);
    if (codes > 2) to[2] += reinterpret_cast<Packed>(two);
}

// Calls other(first, last) for runs of groups, and two(group, first row, rows) for those of two codes, for
// some rows at a time, whose pairs are those of pair_of.
template <class PairOf, class Two, class Other>
void for_runs(const GroupedColumns& columns, const std::int32_t* rows, std::int64_t size,
              const PairOf& pair_of, const Two& two, const Other& other) {
    for (std::int64_t first = 0, last = 0; first < columns.groups(); first = last) {
        while (last < columns.groups() && has_two(columns, last) == has_two(columns, first)) ++last;
        if (!has_two(columns, first)) {
            other(first, last);
            continue;
        }
        TwoCodes of;
        for (std::int64_t row = 0; row < size; row += rows_at_once) {
            const std::int64_t many = std::min(rows_at_once, size - row);
            for (std::int64_t i = 0; i < many; ++i) {
                const std::int64_t at = rows[row + i];
                __builtin_prefetch(columns.lines + at * columns.columns + first * lanes);
                __builtin_prefetch(columns.bits.data() + at * columns.bit_width);
                of.at[i] = at * columns.bit_width;
                of.pair[i] = pair_of(rows[row + i]);
            }
            for (std::int64_t g = first; g < last; ++g) {
                for (std::int64_t lane = 0; lane < lanes; ++lane)
                    of.used[lane] = lane < columns.in_group(g) ? -1 : 0;
                two(g, of, rows + row, many);
            }
        }
    }
}

template <int Sign>
void change(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows, std::int64_t size,
            CodeSums* out) {
    const auto pair = [&](std::int32_t row) { return pair_of(pairs, row); };
    const auto two = [&](std::int64_t g, TwoCodes& of, const std::int32_t* part, std::int64_t many) {
        const auto at = static_cast<std::size_t>(g);
        if (columns.bit_place[at] >= 0) {
            BitSums sums;
            sum_bits(columns.bits.data() + columns.bit_place[at], of, many, sums);
            CodeSums* to = out + columns.first[at];
            to[0].sum += Sign * ((of.used & sums.total.sum) - sums.sum);
            to[0].mass += Sign * ((of.used & sums.total.mass) - sums.mass);
            to[1].sum += Sign * sums.sum;
            to[1].mass += Sign * sums.mass;
            return;
        }
        sum_two(columns.lines + g * lanes, columns.columns, columns.in_group(g), of, part, many, Sign,
                columns.codes[at], out + columns.first[at]);
    };
    for_runs(columns, rows, size, pair, two, [&](std::int64_t first, std::int64_t last) {
        with_tail(columns.columns, [&]<int Tail>() {
            for_rows<Tail, entry>(columns, first, last, rows, size, reinterpret_cast<std::int64_t*>(out),
                                  pair, [](const FixedPair& pair, std::int64_t* cell) {
                                      cell[0] += Sign * pair.sum;
                                      cell[lanes] += Sign * pair.mass;
                                  });
        });
    });
}

std::vector<std::int32_t> bins_of(const CodedTable& table) {
    std::vector<std::int32_t> bins;
    for (const CodedColumn& column : table.columns) bins.push_back(column.bins);
    return bins;
}

}  // namespace

GroupedColumns::GroupedColumns(const CodedTable& table) : GroupedColumns(bins_of(table), table.lines.data()) {
    pack_bits(table.n_rows);
}

GroupedColumns::GroupedColumns(std::span<const std::int32_t> bins, const std::uint8_t* rows)
    : lines(rows), columns(std::ssize(bins)) {
    first.push_back(0);
    for (std::int64_t j = 0; j < columns; j += lanes) {
        const auto group = bins.subspan(static_cast<std::size_t>(j),
                                        static_cast<std::size_t>(std::min<std::int64_t>(lanes, columns - j)));
        codes.push_back(*std::max_element(group.begin(), group.end()) + 1);
        first.push_back(first.back() + codes.back());
        bit_place.push_back(-1);
    }
}

void GroupedColumns::pack_bits(std::int64_t n_rows) {
    constexpr std::int64_t between_stops = 1 << 16;
    const auto codes_of = [&](std::int64_t row, std::int64_t g) {
        if (row % between_stops == 0) stop_point();
        return load_codes(lines + row * columns + g * lanes, in_group(g));
    };
    for (std::int64_t g = 0; g < groups(); ++g) {
        if (!has_two(*this, g)) continue;
        std::uint64_t seen = 0;
        for (std::int64_t i = 0; i < n_rows && (seen & any_two) == 0; ++i) seen |= codes_of(i, g);
        if ((seen & any_two) == 0) bit_place[static_cast<std::size_t>(g)] = bit_width++;
    }
    bits.resize(static_cast<std::size_t>(n_rows * bit_width));
    for (std::int64_t i = 0; i < n_rows && bit_width > 0; ++i)
        for (std::int64_t g = 0; g < groups(); ++g)
            if (const std::int64_t place = bit_place[static_cast<std::size_t>(g)]; place >= 0)
                bits[static_cast<std::size_t>(i * bit_width + place)] =
                    static_cast<std::uint8_t>((codes_of(i, g) & any_one) * to_top_byte >> 56);
}

void add_packed(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows,
                std::int64_t size, std::uint64_t* out) {
    const std::uint16_t* bytes = pairs.bytes.data();
    const auto word = [&](std::int32_t row) { return packed_word(bytes[row]); };
    const auto as_pair = [&](std::int32_t row) { return FixedPair{static_cast<std::int64_t>(word(row)), 0}; };
    const auto two = [&](std::int64_t g, TwoCodes& of, const std::int32_t* part, std::int64_t many) {
        const auto at = static_cast<std::size_t>(g);
        Packed* to = reinterpret_cast<Packed*>(out) + columns.first[at];
        if (columns.bit_place[at] >= 0) {
            BitSums sums;
            sum_bits(columns.bits.data() + columns.bit_place[at], of, many, sums);
            to[0] += reinterpret_cast<Packed>((of.used & sums.total.sum) - sums.sum);
            to[1] += reinterpret_cast<Packed>(sums.sum);
            return;
        }
        pack_two(columns.lines + g * lanes, columns.columns, columns.in_group(g), of, part, many,
                 columns.codes[at], to);
    };
    for_runs(columns, rows, size, as_pair, two, [&](std::int64_t first, std::int64_t last) {
        with_tail(columns.columns, [&]<int Tail>() {
            for_rows<Tail, lanes>(columns, first, last, rows, size, out, word,
                                  [](std::uint64_t pair, std::uint64_t* cell) { *cell += pair; });
        });
    });
}

void add_rows(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows,
              std::int64_t size, CodeSums* out) {
    change<1>(columns, pairs, rows, size, out);
}

void take_rows(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows,
               std::int64_t size, CodeSums* out) {
    change<-1>(columns, pairs, rows, size, out);
}

HORNBOOK_WIDE void unpack(Packed* words, std::int64_t entries, int count_bits, bool fresh, CodeSums* out) {
    for (std::int64_t e = 0; e < entries; ++e) {
        const Packed word = words[e];
        const Whole sum = reinterpret_cast<Whole>(word) >> 40;
        const Whole mass = reinterpret_cast<Whole>((word >> 16 & 0xFFFFFFu) << count_bits | (word & 0xFFFFu));
        out[e].sum = fresh ? sum : out[e].sum + sum;
        out[e].mass = fresh ? mass : out[e].mass + mass;
        words[e] = Packed{};
    }
}

HORNBOOK_WIDE void move_sums(CodeSums* from, std::int64_t entries, CodeSums* out) {
    for (std::int64_t e = 0; e < entries; ++e) {
        out[e].sum += from[e].sum;
        out[e].mass += from[e].mass;
        from[e] = CodeSums{};
    }
}

HORNBOOK_WIDE void subtract(const CodeSums* part, std::int64_t entries, CodeSums* out) {
    for (std::int64_t e = 0; e < entries; ++e) {
        out[e].sum -= part[e].sum;
        out[e].mass -= part[e].mass;
    }
}

}  // namespace hornbook
