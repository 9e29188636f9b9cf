// Four neighboring numbers of a row handled as one.
#pragma once

#include <cstdint>

namespace hornbook {

// Wherever they lie in memory.
typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
constexpr std::int64_t quad = 4;

inline Quad& quad_at(double* numbers) { return *reinterpret_cast<Quad*>(numbers); }
inline const Quad& quad_at(const double* numbers) { return *reinterpret_cast<const Quad*>(numbers); }

// Four rows of four numbers become four columns.
[[gnu::always_inline]] inline void transpose_quads(const Quad* rows, Quad* columns) {
    typedef std::int64_t Permutation __attribute__((vector_size(32)));
    const Permutation even = {0, 4, 2, 6};
    const Permutation odd = {1, 5, 3, 7};
    const Permutation low = {0, 1, 4, 5};
    const Permutation high = {2, 3, 6, 7};
    const Quad a = __builtin_shuffle(rows[0], rows[1], even);
    const Quad b = __builtin_shuffle(rows[0], rows[1], odd);
    const Quad c = __builtin_shuffle(rows[2], rows[3], even);
    const Quad d = __builtin_shuffle(rows[2], rows[3], odd);
    columns[0] = __builtin_shuffle(a, c, low);
    columns[1] = __builtin_shuffle(b, d, low);
    columns[2] = __builtin_shuffle(a, c, high);
    columns[3] = __builtin_shuffle(b, d, high);
}

}  // namespace hornbook
