#include "core/tree/search/histogram_search.hpp"

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

// A copy in which the rows with a value come first, in their order.
template <class T>
T* values_first(const T* values, const std::uint32_t* codes, std::uint32_t missing, std::int64_t size,
                std::vector<T>& to) {
    if (!values) return nullptr;
    T* out = resized(to, size);
    std::int64_t front = 0, back = size;
    for (std::int64_t i = 0; i < size; ++i) out[codes[i] == missing ? --back : front++] = values[i];
    return out;
}

HORNBOOK_WIDE GatheredCodes range_of(const std::uint32_t* codes, std::int64_t size) {
    std::uint32_t low = ~std::uint32_t{0}, high = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        low = std::min(low, codes[i]);
        high = std::max(high, codes[i]);
    }
    return {codes, size, low, high};
}

}  // namespace

void gather_codes(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                  Workspace& work) {
    const std::int64_t n = rows.size;
    std::uint32_t* out = resized(work.gathered, std::ssize(columns) * n);
    work.pace.spend(std::ssize(columns) * n);
    if (is_sparse(n, table.n_rows)) {
        with_lines(table, [&](const auto* lines, std::int64_t step) {
            for (std::int64_t i = 0; i < n; ++i) {
                constexpr std::int64_t ahead = 24;  // rows are scattered: prefetch their lines
                const auto* coming = lines + rows.row[std::min(i + ahead, n - 1)] * step;
                __builtin_prefetch(coming);
                __builtin_prefetch(coming + step - 1);
                const auto* line = lines + rows.row[i] * step;
                std::uint32_t* to = out + i;
                for (const std::int32_t j : columns) {
                    *to = line[j];
                    to += n;
                }
            }
        });
        return;
    }
    for (const std::int32_t j : columns) {
        with_codes(table.columns[static_cast<std::size_t>(j)], n, [&](const auto& view) {
            for (std::int64_t i = 0; i < n; ++i) out[i] = view[rows.row[i]];
        });
        out += n;
    }
}

std::int64_t collect(const CodeGrid& grid, const GatheredCodes& gathered, Workspace& work) {
    std::uint32_t* chosen = resized(work.chosen, gathered.size);
    std::uint64_t* keys = resized(work.keys, gathered.size);
    const std::uint32_t* codes = gathered.codes;
    const std::uint8_t* flags = work.flags.data();
    const std::int64_t n = gathered.size;
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < n; ++i) {  // branchless: the flags are unpredictable
        chosen[kept] = static_cast<std::uint32_t>(i);
        kept += flags[grid.of(codes[i])] & 1;
    }
    for (std::int64_t k = 0; k < kept; ++k) keys[k] = key_of(codes[chosen[k]], chosen[k]);
    sort_keys(work, kept, gathered.low, gathered.high);
    return kept;
}

GatheredCodes known_codes(const CodedColumn& column, std::int64_t place, Rows& rows, Workspace& work) {
    std::uint32_t* codes = work.gathered.data() + place * rows.size;
    work.pace.spend(rows.size);
    GatheredCodes range = range_of(codes, rows.size);
    const auto missing = static_cast<std::uint32_t>(column.bins);
    if (range.high != missing) return range;
    rows.pair = values_first(rows.pair, codes, missing, rows.size, work.pair);
    rows.label = values_first(rows.label, codes, missing, rows.size, work.label);
    rows.weight = values_first(rows.weight, codes, missing, rows.size, work.weight);
    rows.sum = values_first(rows.sum, codes, missing, rows.size, work.sum);
    std::int64_t known = 0;
    for (std::int64_t i = 0; i < rows.size; ++i)
        if (codes[i] != missing) codes[known++] = codes[i];
    return range_of(codes, known);
}

}  // namespace hornbook
