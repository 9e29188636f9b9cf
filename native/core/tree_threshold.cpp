#include "core/tree_threshold.hpp"

#include <algorithm>
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

Cut draw_cut(const CodedColumn& column, const Rows& rows, Draws& draws) {
    std::int32_t first = column.bins, last = -1;
    with_codes(column, rows.size, [&](const auto& codes) {
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const auto code = static_cast<std::int32_t>(codes[rows.row[i]]);
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
    const auto above = std::upper_bound(column.low.begin() + first, column.low.begin() + last, at);
    const auto below = std::clamp(static_cast<std::int32_t>(above - column.low.begin()) - 1, first, last - 1);
    const double inner = column.largest(below);
    const double outer = column.low[static_cast<std::size_t>(below + 1)];
    return {below, at >= inner && at < outer ? at : midpoint(inner, outer)};
}

}  // namespace hornbook
