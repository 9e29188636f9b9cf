// Thresholds: between two codes, or drawn.
#pragma once

#include <cstdint>

#include "core/tree_codes.hpp"
#include "core/tree_node.hpp"

namespace hornbook {

// The middle of two numbers; the lower one when no number lies between them.
double midpoint(double low, double high);

// The threshold of a split on an ordered column: values <= it go left. Infinity when only missing values go
// right.
double threshold_of(const CodedColumn& column, const Split& split);

struct Cut {
    std::int32_t below;  // -1 when all values are equal
    double at;
};

// A threshold drawn evenly between the smallest and the largest value of the rows. Inside a bin of several
// values it moves to the bin's upper end.
Cut draw_cut(const CodedColumn& column, const Rows& rows, Draws& draws);

}  // namespace hornbook
