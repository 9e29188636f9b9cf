// SIMD loops: one macro for functions that are compiled once per instruction set and dispatched when the
// module is loaded, and a fixed number of lanes, so that a sum has the same order on every machine.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(HORNBOOK_SANITIZE)
#define HORNBOOK_WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define HORNBOOK_WIDE
#endif

namespace hornbook {

// Eight doubles handled as one; the compiler spells them out for machines with narrower registers.
constexpr std::int64_t lanes = 8;
typedef double Lanes __attribute__((vector_size(64), may_alias));

// Half as many, the width in which most machines compare doubles in one step, and the mask of a comparison.
constexpr std::int64_t half_lanes = lanes / 2;
typedef double Numbers __attribute__((vector_size(32), may_alias));
typedef std::int64_t Mask __attribute__((vector_size(32), may_alias));

}  // namespace hornbook
