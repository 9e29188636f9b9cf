#include "core/tree/columns/threshold.hpp"

#include <algorithm>
#include <limits>

#include "core/base/simd.hpp"

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

// The last of sorted numbers that is not above `number`; the first if all are. A branchless binary search.
const double* last_below(const double* numbers, std::int64_t size, double number) {
    while (size > 1) {
        const std::int64_t half = size / 2;
        numbers += numbers[half] <= number ? half : 0;
        size -= half;
    }
    return numbers;
}

// Codes of rows that have a value.
HORNBOOK_WIDE DrawnCut known_range(const std::uint32_t* codes, std::int64_t size, std::int32_t bins) {
    std::int32_t first = bins, last = -1;
    for (std::int64_t i = 0; i < size; ++i) {
        const auto code = static_cast<std::int32_t>(codes[i]);
        first = std::min(first, code);
        last = std::max(last, code == bins ? -1 : code);
    }
    return {first, last};
}

// Values of codes are scattered in memory: they are prefetched, for several columns at a time.
void prefetch(const double* values, std::int64_t size) {
    constexpr std::int64_t in_line = 8;
    for (std::int64_t i = 0; i < size; i += in_line) __builtin_prefetch(values + i);
}

HORNBOOK_WIDE CountedPairs pairs_below(const Rows& rows, const std::uint32_t* codes, std::uint32_t end) {
    const std::uint64_t* pair = rows.pair;
    const std::int64_t n = rows.size;
    std::uint64_t sum = 0, count = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        sum += codes[i] < end ? pair[i] : 0;
        count += codes[i] < end ? 1 : 0;
    }
    return {{sum}, count};
}

}  // namespace

DrawnCut DrawnCut::of(const CodedColumn& column, std::span<const std::uint32_t> codes) {
    const DrawnCut range = known_range(codes.data(), std::ssize(codes), column.bins);
    return between(column, range.first, range.last);
}

DrawnCut DrawnCut::between(const CodedColumn& column, std::int32_t first, std::int32_t last) {
    const DrawnCut cut{first, last};
    if (!cut.is_possible()) return cut;
    prefetch(column.low.data() + cut.first, 1);
    prefetch((column.high.empty() ? column.low : column.high).data() + cut.last, 1);
    return cut;
}

void DrawnCut::draw(const CodedColumn& column, Draws draws) {
    const double share = draws.uniform();
    at = (1.0 - share) * column.low[static_cast<std::size_t>(first)] + share * column.largest(last);
}

void DrawnCut::narrow(const CodedColumn& column) {
    const double* marks = column.marks.data();
    const std::int32_t from = first / column.marked, to = (last - 1) / column.marked;
    const auto mark = static_cast<std::int32_t>(last_below(marks + from, to - from + 1, at) - marks);
    first = std::max(first, mark * column.marked);
    last = std::min(last, (mark + 1) * column.marked);
    prefetch(column.low.data() + first, last - first);
}

void DrawnCut::settle(const CodedColumn& column) {
    const double* low = column.low.data();
    below = static_cast<std::int32_t>(last_below(low + first, last - first, at) - low);
    const double inner = column.largest(below), outer = low[below + 1];
    if (!(at >= inner && at < outer)) at = midpoint(inner, outer);
}

void sum_sides(const Rows& rows, const Layout& layout, const CodedColumn& column, const std::uint32_t* codes,
               std::int32_t below, double* sides) {
    std::fill_n(sides, 3 * layout.stride, 0.0);
    const auto limit = static_cast<std::uint32_t>(below), lacking = static_cast<std::uint32_t>(column.bins);
    if (rows.pair) {
        const CountedPairs left = pairs_below(rows, codes, limit + 1);
        write_pairs(left, static_cast<std::int64_t>(left.rows), layout, sides);
        if (!column.missing) return;
        CountedPairs missing = pairs_below(rows, codes, lacking + 1);
        const CountedPairs known = pairs_below(rows, codes, lacking);
        missing.pair -= known.pair;
        missing.rows -= known.rows;
        write_pairs(missing, static_cast<std::int64_t>(missing.rows), layout, sides + 2 * layout.stride);
        return;
    }
    with_adder<double>(rows, layout, [&](auto add) {
        for (std::int64_t i = 0; i < rows.size; ++i) {  // branchless: the side is unpredictable
            const int side = (codes[i] > limit ? 1 : 0) + (codes[i] == lacking ? 1 : 0);
            add(sides + side * layout.stride, i);
        }
    });
}

}  // namespace hornbook
