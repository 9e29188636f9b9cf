// e^x for eight numbers at once.
#pragma once

#include <cstdint>

#include "core/base/simd.hpp"

namespace hornbook {

// Below this exponent e^x is negligible, and the formula below would leave the normal numbers.
constexpr double lowest_exponent = -708.0;

typedef std::uint64_t Bits __attribute__((vector_size(64), may_alias));

// Replaces x by e^x, for x <= 0, within two units in the last place. Cody-Waite range reduction
// x = k log(2) + r with log(2) split in two, then the Taylor series of e^r: only operations that exist at
// every vector width, so that all instruction sets give the same bits.
__attribute__((always_inline)) inline void exponentiate(Lanes& x) {
    constexpr double shifter = 0x1.8p52;  // adding it rounds to an integer, held by the lowest bits
    const Lanes lowest = Lanes{} + lowest_exponent;
    x = x > lowest ? x : lowest;
    const Lanes shifted = x * 0x1.71547652b82fep0 + shifter;
    const Lanes whole = shifted - shifter;
    const Lanes r = (x - whole * 0x1.62e42fefa0000p-1) - whole * 0x1.cf79abc9e3b3ap-40;
    Lanes sum = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;  // Horner's scheme; |r| <= log(2) / 2
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    x = reinterpret_cast<Lanes>(reinterpret_cast<Bits>(sum) + (reinterpret_cast<Bits>(shifted) << 52));
}

}  // namespace hornbook
