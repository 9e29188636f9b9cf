// Statistics of the rows of a node.
#pragma once

#include <limits>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/grow/options.hpp"

namespace hornbook {

// How far the numbers of a node spread: the sum of weight times square, the smallest and the largest. The
// terms of the sum are multiples of one unit, so that it is exact in any order.
struct Spread {
    double squares = 0.0;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    // A row's weight times number, and its weight. The unit is a power of 2, and sums stay below 2^51 units:
    // adding and subtracting 1.5 * 2^52 units rounds a term to a multiple of the unit.
    void add(double sum, double weight, double unit) {
        const double number = sum / weight, far = 0x1.8p52 * unit;
        squares += (number * sum + far) - far;
        low = low < number ? low : number;
        high = high > number ? high : number;
    }
};

// With square_unit = 0 numbers are squared around the mean of the node: most precise, but in the order of the
// rows.
void count_totals(const Rows& rows, const Layout& layout, const TreeOptions& options, double square_unit,
                  NodeTotals& totals);

// The same from sums that are already in totals.stats; the spread is that of numbers.
void finish_totals(const Layout& layout, const TreeOptions& options, const Spread& spread,
                   NodeTotals& totals);

}  // namespace hornbook
