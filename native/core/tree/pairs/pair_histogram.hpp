// Histograms of gradient pairs over all columns of a node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/simd.hpp"
#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/pairs/row_pairs.hpp"

namespace hornbook {

// Whole numbers, one for each of eight columns.
typedef std::int64_t Whole __attribute__((vector_size(64), may_alias));

// The sums of one code in each of the eight columns of a group.
struct CodeSums {
    Whole sum, mass;
};

// Columns in groups of eight, searched together, one in each lane. A histogram has an entry for each code of
// each group; columns with fewer codes than others of their group have empty ones at the end.
struct GroupedColumns {
    explicit GroupedColumns(const CodedTable& table);
    // Columns by their number of codes, without the missing value, and codes of one byte row by row.
    GroupedColumns(std::span<const std::int32_t> bins, const std::uint8_t* lines);

    std::int64_t groups() const { return static_cast<std::int64_t>(codes.size()); }
    std::int64_t entries() const { return first.back(); }
    // Columns of a group.
    std::int64_t in_group(std::int64_t g) const {
        return columns - g * lanes < lanes ? columns - g * lanes : lanes;
    }

    std::vector<std::int32_t> codes;  // of the largest column of each group, missing value included
    std::vector<std::int64_t> first;  // entry of the first code of each group
    const std::uint8_t* lines;        // codes row by row
    std::int64_t columns;
    // A byte for each row and each group of columns with two codes and no missing value, a bit for each
    // column: an eighth of the memory. `bit_place` is the place of a group in a row, -1 of others.
    std::vector<std::uint8_t> bits;
    std::vector<std::int64_t> bit_place;
    std::int64_t bit_width = 0;

  private:
    void pack_bits(std::int64_t n_rows);
};

// The sums of up to 65535 rows fit into one word: 24 bits each for 8-bit sums and weights, 16 for the number
// of rows.
constexpr std::int64_t packed_rows = 65535;
typedef std::uint64_t Packed __attribute__((vector_size(64), may_alias));

// Rows are fetched into the cache this many before they are needed: there must be as many more entries after
// those of a node, each a row of the table.
constexpr std::int64_t rows_ahead = 12;

// Add some rows of a node to a histogram of words or of sums, or take them out of one.
void add_packed(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows,
                std::int64_t size, std::uint64_t* out);
void add_rows(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows,
              std::int64_t size, CodeSums* out);
void take_rows(const GroupedColumns& columns, const RowPairs& pairs, const std::int32_t* rows,
               std::int64_t size, CodeSums* out);

// Move words to sums, leaving zeros behind; `fresh` overwrites the sums.
void unpack(Packed* words, std::int64_t entries, int count_bits, bool fresh, CodeSums* out);
// The same for sums of other rows.
void move_sums(CodeSums* from, std::int64_t entries, CodeSums* out);
void subtract(const CodeSums* part, std::int64_t entries, CodeSums* out);

}  // namespace hornbook
