// Rows of groups of eight columns with at most two codes: sums in registers, or by the bits of the codes.
#pragma once

#include <bit>
#include <cstdint>

#include "core/tree/pairs/pair_histogram.hpp"

namespace hornbook {

constexpr std::int64_t rows_at_once = 256;  // of groups of two codes: they stay in the first-level cache
constexpr std::int64_t pairs_in_vector = lanes / 2;  // pairs

// Constants of the loops over two codes. As arguments they are read from memory, where the compiler would
// make them anew for each row, and the same for the pairs of rows.
struct TwoCodes {
    Packed one{63, 55, 47, 39, 31, 23, 15, 7};  // shifts that bring the lowest bit of a code to the sign
    Packed two{62, 54, 46, 38, 30, 22, 14, 6};  // and the one above it
    FixedPair pair[rows_at_once];               // of the rows
    std::int64_t at[rows_at_once];              // where their bits begin
    Whole used{};                               // lanes that have a column
    Whole by_byte[256 / pairs_in_vector]{};     // sums of pairs; 0 between two uses
};

// The codes of eight columns of a row, or of fewer: 0 in the bytes that are left.
__attribute__((always_inline)) inline std::uint64_t load_codes(const std::uint8_t* line,
                                                               std::int64_t columns) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t bytes = 0;
    if (columns == lanes)
        __builtin_memcpy(&bytes, line, sizeof bytes);
    else
        for (std::int64_t lane = 0; lane < columns; ++lane) bytes |= std::uint64_t{line[lane]} << 8 * lane;
    return bytes;
}

// Which lanes have a bit of their code set: the one that `shift` brings to the sign.
__attribute__((always_inline)) inline void with_bit(std::uint64_t bytes, const Packed& shift, Whole& out) {
    out = reinterpret_cast<Whole>((Packed{} + bytes) << shift) < 0;
}

constexpr std::uint64_t any_one = 0x0101010101010101;
constexpr std::uint64_t any_two = 0x0202020202020202;      // bits of missing values among eight codes
constexpr std::uint64_t to_top_byte = 0x0102040810204080;  // as a factor: the lowest bit of each byte

// Sums of the rows whose bit is set, for eight columns, and of all rows.
struct BitSums {
    Whole sum{}, mass{};
    FixedPair total{0, 0};
};

constexpr std::int64_t rows_of_table = 48;  // from which on a table of all bytes is worth adding up
typedef std::int64_t TwoWords __attribute__((vector_size(16), may_alias));

// The pairs are added up by the byte of their row, of 256, and these sums halved bit after bit: a single
// addition a row for eight columns.
__attribute__((always_inline)) inline void sum_by_byte(const std::uint8_t* bits, TwoCodes& of,
                                                       std::int64_t size, BitSums& out) {
    auto* cells = reinterpret_cast<TwoWords*>(of.by_byte);
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < size; ++i)
        cells[bits[of.at[i]]] += TwoWords{of.pair[i].sum, of.pair[i].mass};
    for (int bit = lanes - 1; (1 << bit) >= pairs_in_vector; --bit) {
        const std::int64_t half = (1 << bit) / pairs_in_vector;
        Whole with{};
        for (std::int64_t v = 0; v < half; ++v) {
            const Whole upper = of.by_byte[half + v];
            with += upper;
            of.by_byte[v] += upper;
            of.by_byte[half + v] = Whole{};
        }
        out.sum[bit] = with[0] + with[2] + with[4] + with[6];
        out.mass[bit] = with[1] + with[3] + with[5] + with[7];
    }
    const Whole last = of.by_byte[0];
    of.by_byte[0] = Whole{};
    out.sum[1] = last[4] + last[6];
    out.mass[1] = last[5] + last[7];
    out.sum[0] = last[2] + last[6];
    out.mass[0] = last[3] + last[7];
    out.total = {last[0] + last[2] + out.sum[1], last[1] + last[3] + out.mass[1]};
}

}  // namespace hornbook
