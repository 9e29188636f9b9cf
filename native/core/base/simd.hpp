// Wide loops: one switch for functions that are compiled once per instruction set and picked when the module
// is loaded, and numbers in fixed lanes, so that a sum has the same order on every one of them.
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

// Half of them, as wide as doubles are compared in one step on most machines, and the answer of comparing.
constexpr std::int64_t half_lanes = lanes / 2;
typedef double Numbers __attribute__((vector_size(32), may_alias));
typedef std::int64_t Mask __attribute__((vector_size(32), may_alias));

}  // namespace hornbook
