#include "core/tree_threshold.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace hornbook {

double midpoint(double low, double high) {
    const double middle = 0.5 * low + 0.5 * high;
    return middle >= low && middle < high ? middle : low;
}

double threshold_of(const CodedColumn& column, const Split& split) {
    if (split.above >= column.bins) return std::numeric_limits<double>::infinity();
    if (split.cut == split.cut) return split.cut;
    return midpoint(column.largest(split.below), column.low[static_cast<std::size_t>(split.above)]);
}

namespace {

constexpr std::int64_t few = 128;

// The largest code whose smallest value is not above a number, among codes first, ..., last - 1.
std::int32_t code_at(const CodedColumn& column, std::int32_t first, std::int32_t last, double number) {
    const auto above = std::upper_bound(column.low.begin() + first, column.low.begin() + last, number);
    return std::max(static_cast<std::int32_t>(above - column.low.begin()) - 1, first);
}

// The same among codes that were seen: each value that has to be read takes away many others.
std::int32_t code_at(const CodedColumn& column, std::int32_t first, std::int32_t last, double number,
                     const std::int32_t* seen, std::int64_t size) {
    std::int32_t below = first, above = last;
    for (std::int64_t i = 0; i < size; ++i) {
        if (seen[i] <= below || seen[i] >= above) continue;
        (column.low[static_cast<std::size_t>(seen[i])] <= number ? below : above) = seen[i];
    }
    return below;
}

}  // namespace

Cut draw_cut(const CodedColumn& column, const Rows& rows, Draws& draws) {
    std::int32_t first = column.bins, last = -1;
    std::array<std::int32_t, few> seen;
    with_codes(column, rows.size, [&](const auto& codes) {
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const auto code = static_cast<std::int32_t>(codes[rows.row[i]]);
            seen[static_cast<std::size_t>(i % few)] = code;
            if (code == column.bins) continue;
            first = std::min(first, code);
            last = std::max(last, code);
        }
    });
    if (first >= last) return {-1, 0.0};
    const double low = column.low[static_cast<std::size_t>(first)];
    const double high = column.largest(last);
    const double share = draws.uniform();
    const double at = (1.0 - share) * low + share * high;
    // Each code is one value: which of those that nobody has here lie below the threshold does not matter.
    if (rows.size <= few && column.high.empty() && at < high)
        return {code_at(column, first, last, at, seen.data(), rows.size), at};
    const std::int32_t below = code_at(column, first, last, at);
    const double inner = column.largest(below);
    const double outer = column.low[static_cast<std::size_t>(below + 1)];
    return {below, at >= inner && at < outer ? at : midpoint(inner, outer)};
}

}  // namespace hornbook
