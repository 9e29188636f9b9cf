// Rows coded by cuts that were chosen before, so that a table larger than memory is coded chunk by chunk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/columns/bin_mapper.hpp"

namespace hornbook {

// What the codes of one column stand for.
struct CodeRange {
    std::vector<double> low,
        high;              // smallest and largest value of each code; infinite for codes that do not occur
    bool missing = false;  // whether some row lacks a value
};

// Codes of some rows, row by row, all of the same width.
struct CodedRows {
    Buffer<std::uint8_t> bytes{0};
    int width = 1;
    std::vector<CodeRange> ranges;
};

// How the numbers of a column become codes: the code of a number is the number of ascending cuts below it.
// Columns with levels have no cuts.
struct ColumnCuts {
    std::int32_t bins = 0;
    Vector<double> cuts;
};

// Codes by the cuts of all columns. Rows of weight 0 get the code of a missing value and do not widen the
// ranges. w is null for weights of 1.
CodedRows code_rows(const ColumnPlan& plan, std::span<const ColumnCuts> cuts, const Vector<double>* w,
                    int threads);

// A view of existing codes, row by row.
struct RowCodes {
    const std::uint8_t* bytes;
    int width;
    std::int64_t rows, columns;
};

// Columns without their codes: what LevelGrower and table_of start from.
struct ColumnCodes {
    std::int32_t bins = 0;
    bool nominal = false;
    CodeRange range;  // without values for nominal columns
};

CodedTable table_of(const RowCodes& codes, std::span<const ColumnCodes> columns, int threads);

// Rejects codes that a column does not have; code bins[j] is a missing value of column j.
void check_codes(const RowCodes& codes, std::span<const std::int32_t> bins);

// Calls fn with a view on the codes of a column.
template <class Fn>
auto with_column(const RowCodes& codes, std::int64_t j, Fn&& fn) {
    return with_width(codes.bytes + j * codes.width, codes.width, codes.columns, fn);
}

}  // namespace hornbook
