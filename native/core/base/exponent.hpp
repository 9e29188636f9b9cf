// e^x for several numbers at once.
#pragma once

#include <cstdint>

#include "core/base/simd.hpp"

namespace hornbook {

// Below this exponent e^x is negligible, and the formula below would leave the normal numbers.
constexpr double lowest_exponent = -708.0;

typedef std::uint64_t Bits __attribute__((vector_size(64), may_alias));
typedef std::uint64_t HalfBits __attribute__((vector_size(32), may_alias));

// The Taylor series of e^r for |r| <= log(2) / 2, in pairs of terms (Estrin's scheme): three products more
// than Horner's, but a third of the operations that wait for each other.
template <class V>
__attribute__((always_inline)) inline void sum_series(const V& r, V& sum) {
    const V r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const V first = (1.0 + r) + (0.5 + r * (1.0 / 6.0)) * r2;
    const V second = (1.0 / 24.0 + r * (1.0 / 120.0)) + (1.0 / 720.0 + r * (1.0 / 5040.0)) * r2;
    const V third = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) * r2;
    const V fourth = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0);
    sum = (first + second * r4) + (third + fourth * r4) * r8;
}

// Replaces x by e^x, for x <= 0, within two units in the last place. Cody-Waite range reduction
// x = k log(2) + r with log(2) split in two, then the series of e^r: only operations that exist at every
// vector width, so that all instruction sets give the same bits.
template <class V, class B>
__attribute__((always_inline)) inline void exponentiate_bits(V& x) {
    constexpr double shifter = 0x1.8p52;  // adding it rounds to an integer, held by the lowest bits
    const V lowest = V{} + lowest_exponent;
    x = x > lowest ? x : lowest;
    const V shifted = x * 0x1.71547652b82fep0 + shifter;
    const V whole = shifted - shifter;
    const V r = (x - whole * 0x1.62e42fefa0000p-1) - whole * 0x1.cf79abc9e3b3ap-40;
    V sum;
    sum_series(r, sum);
    x = reinterpret_cast<V>(reinterpret_cast<B>(sum) + (reinterpret_cast<B>(shifted) << 52));
}

__attribute__((always_inline)) inline void exponentiate(Lanes& x) { exponentiate_bits<Lanes, Bits>(x); }
__attribute__((always_inline)) inline void exponentiate(Numbers& x) {
    exponentiate_bits<Numbers, HalfBits>(x);
}

}  // namespace hornbook
