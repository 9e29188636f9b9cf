// Thresholds: between two codes, or drawn.
#pragma once

#include <cstdint>
#include <span>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/columns/histogram.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

// The middle of two numbers; the lower one when no double lies between them.
double midpoint(double low, double high);

// The threshold of a split on an ordered column: values <= it go left. Infinity when only missing values go
// right.
double threshold_of(const CodedColumn& column, const Split& split);

// A threshold drawn evenly between the smallest and the largest value of rows. Inside a bin of several values
// it moves to the bin's upper end. In four steps, so that the cache misses of several columns overlap.
struct DrawnCut {
    std::int32_t first, last;  // range in which the code on its left is searched
    std::int32_t below = -1;   // that code
    double at = 0.0;

    static DrawnCut of(const CodedColumn& column, std::span<const std::uint32_t> codes);
    static DrawnCut between(const CodedColumn& column, std::int32_t first, std::int32_t last);
    bool is_possible() const { return first < last; }  // not all values are equal
    void draw(const CodedColumn& column, Draws draws);
    // Whether the drawn threshold can stay where it is: between the values of two codes, not in a bin.
    bool is_inside(const CodedColumn& column) const {
        return column.high.empty() && at < column.low[static_cast<std::size_t>(last)];
    }
    void narrow(const CodedColumn& column);
    void settle(const CodedColumn& column);
};

// Statistics of the rows left of a cut, right of it, and without a value, one after the other. (The right is
// not filled for pairs, where it is not needed.)
void sum_sides(const Rows& rows, const Layout& layout, const CodedColumn& column, const std::uint32_t* codes,
               std::int32_t below, double* sides);

}  // namespace hornbook
