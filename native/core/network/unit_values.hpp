// The logistic function and the hyperbolic tangent of four numbers at once.
#pragma once

#include "core/base/exponent.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

// Replaces z by 1 / (1 + e^-z), from e^-|z|, which does not overflow; NaN stays NaN.
__attribute__((always_inline)) inline void take_logistic(Numbers& z) {
    Numbers e = z < 0.0 ? z : -z;
    exponentiate(e);
    const Numbers upper = 1.0 / (1.0 + e);
    const Numbers value = z < 0.0 ? e * upper : upper;
    z = z == z ? value : z;
}

// Replaces z by tanh z: (1 - e) / (1 + e) with e = e^-2|z|, which cancels near 0: there Lambert's continued
// fraction to the seventh term, which is exact to the last digit up to 1/2. NaN stays NaN.
__attribute__((always_inline)) inline void take_tangent(Numbers& z) {
    const Numbers size = z < 0.0 ? -z : z;
    Numbers e = -2.0 * size;
    exponentiate(e);
    const Numbers far = (1.0 - e) / (1.0 + e);
    const Numbers square = size < 0.5 ? size * size : Numbers{};
    const Numbers above = ((square + 378.0) * square + 17325.0) * square + 135135.0;
    const Numbers below = ((28.0 * square + 3150.0) * square + 62370.0) * square + 135135.0;
    const Numbers near = size * (above / below);
    const Numbers value = size < 0.5 ? near : far;
    const Numbers signed_value = z < 0.0 ? -value : value;
    z = z == z ? signed_value : z;
}

}  // namespace hornbook
