#include "core/tree/pairs/pair_histogram.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

// Calls add(pair, cell, code) for each row and column, for some groups of columns at a time. The last group
// has `Tail` columns, or is as full as the others when that is 0; codes have `Step` cells each.
template <int Tail, std::int64_t Step, class Cell, class PairOf, class Add>
__attribute__((always_inline)) inline void for_rows(const GroupedColumns& columns, const std::int32_t* rows,
                                                    std::int64_t size, Cell* out, const PairOf& pair_of,
                                                    const Add& add) {
    const std::int64_t width = columns.columns, full = width / lanes;
    const std::int64_t* at = columns.first.data();
    for (std::int64_t first = 0; first < columns.groups(); first += groups_at_once) {
        const std::int64_t last = std::min(first + groups_at_once, columns.groups());
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

template <int Sign>
void change(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows, std::int64_t size,
            CodeSums* out) {
    with_tail(columns.columns, [&]<int Tail>() {
        for_rows<Tail, entry>(
            columns, rows, size, reinterpret_cast<std::int64_t*>(out),
            [&](std::int32_t row) { return pair_of(pairs, row); },
            [](const FixedPair& pair, std::int64_t* cell) {
                cell[0] += Sign * pair.sum;
                cell[lanes] += Sign * pair.mass;
            });
    });
}

std::vector<std::int32_t> bins_of(const CodedTable& table) {
    std::vector<std::int32_t> bins;
    for (const CodedColumn& column : table.columns) bins.push_back(column.bins);
    return bins;
}

}  // namespace

GroupedColumns::GroupedColumns(const CodedTable& table)
    : GroupedColumns(bins_of(table), table.lines.data()) {}

GroupedColumns::GroupedColumns(std::span<const std::int32_t> bins, const std::uint8_t* rows)
    : lines(rows), columns(std::ssize(bins)) {
    first.push_back(0);
    for (std::int64_t j = 0; j < columns; j += lanes) {
        const auto group = bins.subspan(static_cast<std::size_t>(j),
                                        static_cast<std::size_t>(std::min<std::int64_t>(lanes, columns - j)));
        codes.push_back(*std::max_element(group.begin(), group.end()) + 1);
        first.push_back(first.back() + codes.back());
    }
}

void add_packed(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows,
                std::int64_t size, std::uint64_t* out) {
    const std::uint16_t* bytes = pairs.bytes.data();
    with_tail(columns.columns, [&]<int Tail>() {
        for_rows<Tail, lanes>(
            columns, rows, size, out, [&](std::int32_t row) { return packed_word(bytes[row]); },
            [](std::uint64_t word, std::uint64_t* cell) { *cell += word; });
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
