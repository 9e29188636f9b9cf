#include "core/tree_coarse.hpp"

namespace hornbook {

namespace {

// A copy in which the rows with a value come first, in their order.
template <class T>
T* values_first(const T* values, const std::uint32_t* codes, std::uint32_t missing, std::int64_t size,
                std::vector<T>& to) {
    if (!values) return nullptr;
    if (to.size() < static_cast<std::size_t>(size)) to.resize(static_cast<std::size_t>(size));
    std::int64_t front = 0, back = size;
    for (std::int64_t i = 0; i < size; ++i)
        to[static_cast<std::size_t>(codes[i] == missing ? --back : front++)] = values[i];
    return to.data();
}

}  // namespace

GatheredCodes gather_codes(const CodedColumn& column, Rows& rows, Workspace& work) {
    GatheredCodes found;
    const auto size = static_cast<std::size_t>(rows.size);
    if (work.gathered.size() < size) work.gathered.resize(size);
    std::uint32_t* codes = work.gathered.data();
    with_codes(column, rows.size, [&](const auto& view) {
        const std::int32_t* row = rows.row;
        const std::int64_t n = rows.size;
        std::uint32_t low = found.low, high = found.high;  // of its own, or each would be written back
        for (std::int64_t i = 0; i < n; ++i) {
            const std::uint32_t code = view[row[i]];
            codes[i] = code;
            low = std::min(low, code);
            high = std::max(high, code);
        }
        found = {n, low, high};
    });
    const auto missing = static_cast<std::uint32_t>(column.bins);
    if (found.high != missing) return found;
    rows.pair = values_first(rows.pair, codes, missing, rows.size, work.pair);
    rows.label = values_first(rows.label, codes, missing, rows.size, work.label);
    rows.weight = values_first(rows.weight, codes, missing, rows.size, work.weight);
    rows.sum = values_first(rows.sum, codes, missing, rows.size, work.sum);
    found.size = 0;
    found.high = 0;
    for (std::int64_t i = 0; i < rows.size; ++i) {
        if (codes[i] == missing) continue;
        found.high = std::max(found.high, codes[i]);
        codes[found.size++] = codes[i];
    }
    return found;
}

}  // namespace hornbook
