#include "core/tree/stump/sorted_rows.hpp"

#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

// A counting sort, which keeps the order of rows with the same code.
void sort_column(const CodedColumn& column, std::int64_t n_rows, std::uint32_t* out) {
    std::vector<std::uint32_t> next(static_cast<std::size_t>(column.bins) + 1);
    with_codes(column, n_rows, [&](const auto& codes) {
        const auto n = static_cast<std::int32_t>(n_rows);
        for (std::int32_t i = 0; i < n; ++i) ++next[codes[i] + 1];
        for (std::size_t code = 1; code < next.size(); ++code) next[code] += next[code - 1];
        for (std::int32_t i = 0; i < n; ++i) out[next[codes[i]]++] = static_cast<std::uint32_t>(i);
    });
    for (std::size_t code = 0; code + 1 < next.size(); ++code)
        if (next[code] > 0) out[next[code] - 1] |= SortedRows::last;
}

}  // namespace

void require_ordered(const CodedTable& table) {
    for (const CodedColumn& column : table.columns)
        if (column.nominal || column.missing) refuse("columns must be ordered and lack no value.");
}

SortedRows::SortedRows(const CodedTable& table, int threads)
    : n_rows_(table.n_rows), place_(std::ssize(table.columns)) {
    require_ordered(table);
    constexpr std::int64_t rows_of_a_code = 8;
    std::int64_t sorted = 0;
    for (std::int64_t j = 0; j < n_columns(); ++j) {
        const CodedColumn& column = table.columns[static_cast<std::size_t>(j)];
        place_[j] = column.bins * rows_of_a_code > n_rows_ ? sorted++ : -1;
    }
    rows_ = Buffer<std::uint32_t>(sorted, n_rows_);
    parallel_for(n_columns(), threads, [&](std::int64_t j) {
        if (place_[j] < 0) return;
        sort_column(table.columns[static_cast<std::size_t>(j)], n_rows_, rows_.data() + place_[j] * n_rows_);
    });
}

}  // namespace hornbook
