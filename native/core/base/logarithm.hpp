// The natural logarithm of eight numbers at once.
#pragma once

#include <cstdint>

#include "core/base/exponent.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

// Replaces x by log(x), for x from 1e-300 to 1e300 (what is outside is brought to the nearer end), within a
// few units in the last place. x = 2^k m with m from sqrt(1/2) to sqrt(2), and log(m) = 2 atanh((m - 1) /
// (m + 1)) by its series: only operations that exist at every vector width, as in exponentiate().
__attribute__((always_inline)) inline void logarithm(Lanes& x) {
    constexpr double low = 1e-300, high = 1e300;
    constexpr std::uint64_t one = 0x3ff0000000000000, fraction = 0x000fffffffffffff;
    constexpr std::uint64_t half_root = 0x3fe6a09e667f3bcd;  // sqrt(1/2)
    x = x > low ? x : Lanes{} + low;
    x = x < high ? x : Lanes{} + high;
    // Counted from sqrt(1/2), the exponent field is k, and what remains is m.
    const Bits shifted = reinterpret_cast<Bits>(x) - half_root + one;
    const Bits mantissa = (shifted & fraction) + half_root;
    // 2^52 + k + 1023 as bits: the exponent field put into the lowest bits of 2^52.
    const Lanes whole =
        reinterpret_cast<Lanes>((shifted >> 52) | std::uint64_t{0x4330000000000000}) - (0x1p52 + 1023.0);
    const Lanes m = reinterpret_cast<Lanes>(mantissa);
    const Lanes f = (m - 1.0) / (m + 1.0);  // |f| <= 0.172
    const Lanes s = f * f;
    Lanes sum = s * (1.0 / 23.0) + 1.0 / 21.0;
    sum = sum * s + 1.0 / 19.0;
    sum = sum * s + 1.0 / 17.0;
    sum = sum * s + 1.0 / 15.0;
    sum = sum * s + 1.0 / 13.0;
    sum = sum * s + 1.0 / 11.0;
    sum = sum * s + 1.0 / 9.0;
    sum = sum * s + 1.0 / 7.0;
    sum = sum * s + 1.0 / 5.0;
    sum = sum * s + 1.0 / 3.0;
    sum = sum * s + 1.0;
    x = whole * 0x1.62e42fefa39efp-1 + (f + f) * sum;
}

}  // namespace hornbook
