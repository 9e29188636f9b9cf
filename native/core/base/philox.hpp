// The only source of random bits: Philox4x64-10 (Salmon, Moraes, Dror and Shaw 2011), a counter-based
// generator: a pure function of (seed, stream, index, position).
#pragma once

#include <array>
#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Words start, ..., start + n - 1 of key (seed, stream): block b of four words comes from counter
// (b, index, 0, 0).
Buffer<std::uint64_t> philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t index, std::int64_t n,
                             std::int64_t start);

// The four words of one block of that sequence.
std::array<std::uint64_t, 4> philox_block(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                                          std::uint64_t number);

}  // namespace hornbook
