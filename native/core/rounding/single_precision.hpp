// What single precision may get wrong. Searches compare in floats first, with a bound on the error of what
// they compare, and compute in double precision only what the bound leaves open, so that results are exact:
// kmeans/center_bounds, distance/rough_tiles, neighbors/rough_rows and neighbors/float_tiles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hornbook {

constexpr double float_rounding = 0x1p-24;  // largest relative error of a number rounded to a float

// How far the sum of that many products of floats, themselves rounded from doubles, is from the exact one, as
// a share of the sum of the absolute values of the products (Higham 2002, section 3.1). Eight more cover the
// rounding of the factors, a few numbers added to the sum, and what is of second order.
inline double product_error(std::int64_t terms) { return static_cast<double>(terms + 8) * float_rounding; }

// The power of two that brings numbers up to `largest` within [-1, 1]: it changes no digit, and squares of
// single precision overflow early.
inline double unit_scale(double largest) {
    return largest > 0.0 ? std::exp2(-std::ceil(std::log2(largest))) : 1.0;
}

// Bounds of distances that are kept as floats: a little more, or less, than computed, for the rounding of a
// few operations; the least covers square roots of numbers that are hardly above 0.
constexpr float bound_more = 1.0F + 0x1p-20F;
constexpr float bound_less = 1.0F - 0x1p-20F;
constexpr float bound_least = 0x1p-110F;
constexpr double bound_most = 1e38;

inline float rounded_up(double bound) { return static_cast<float>(bound * bound_more + bound_least); }
inline float rounded_down(double bound) {
    return static_cast<float>(std::max(std::min(bound, bound_most) * bound_less - bound_least, 0.0));
}

}  // namespace hornbook
