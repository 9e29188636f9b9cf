// Products of row-major matrices on machines with registers of 512 bits. OpenBLAS takes its loops for 256
// bits on some of these, as on Zen 5, where one core makes 118 billion operations a second here and 60 there
// in double precision, 244 and 130 in single (128 x 784 times 784 x 128).
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(HORNBOOK_SANITIZE)
#define HORNBOOK_WIDE_PRODUCTS
#include <immintrin.h>

namespace hornbook {

#define HORNBOOK_AVX512 __attribute__((target("avx512f")))
#define HORNBOOK_AVX512_INLINE __attribute__((target("avx512f"), always_inline)) inline

template <class T>
struct Wide;  // a register full of numbers

template <>
struct Wide<double> {
    using Values = __m512d;
    using Some = __mmask8;
    static constexpr std::int64_t count = 8;

    HORNBOOK_AVX512_INLINE static Values none() { return _mm512_setzero_pd(); }
    HORNBOOK_AVX512_INLINE static Values all(double x) { return _mm512_set1_pd(x); }
    HORNBOOK_AVX512_INLINE static Values load(const double* from) { return _mm512_loadu_pd(from); }
    HORNBOOK_AVX512_INLINE static Values load(Some which, const double* from) {
        return _mm512_maskz_loadu_pd(which, from);
    }
    HORNBOOK_AVX512_INLINE static void store(Some which, Values x, double* to) {
        _mm512_mask_storeu_pd(to, which, x);
    }
    HORNBOOK_AVX512_INLINE static void store(Values x, double* to) { _mm512_storeu_pd(to, x); }
    HORNBOOK_AVX512_INLINE static Values add_product(Values a, Values b, Values sum) {
        return _mm512_fmadd_pd(a, b, sum);
    }
};

template <>
struct Wide<float> {
    using Values = __m512;
    using Some = __mmask16;
    static constexpr std::int64_t count = 16;

    HORNBOOK_AVX512_INLINE static Values none() { return _mm512_setzero_ps(); }
    HORNBOOK_AVX512_INLINE static Values all(float x) { return _mm512_set1_ps(x); }
    HORNBOOK_AVX512_INLINE static Values load(const float* from) { return _mm512_loadu_ps(from); }
    HORNBOOK_AVX512_INLINE static Values load(Some which, const float* from) {
        return _mm512_maskz_loadu_ps(which, from);
    }
    HORNBOOK_AVX512_INLINE static void store(Some which, Values x, float* to) {
        _mm512_mask_storeu_ps(to, which, x);
    }
    HORNBOOK_AVX512_INLINE static void store(Values x, float* to) { _mm512_storeu_ps(to, x); }
    HORNBOOK_AVX512_INLINE static Values add_product(Values a, Values b, Values sum) {
        return _mm512_fmadd_ps(a, b, sum);
    }
};

// 12 rows times two registers of columns leave 8 of 32 registers for the factors.
constexpr std::int64_t tile_rows = 12, small_tile_rows = 4;
// Rows of b that are packed at a time: 26 KB, which stay in the first cache.
constexpr std::int64_t packed_rows = 208;

// Which of two registers side by side are used, and whether the sums go on from those before.
template <class T>
struct TileEdge {
    typename Wide<T>::Some left, right;
    bool goes_on;
};

// Some rows of op(a) times two registers of columns of b, `packed` side by side, over k.
template <class T, std::int64_t rows, bool transpose_a>
HORNBOOK_AVX512 __attribute__((noinline)) void multiply_tile(std::int64_t k, const T* a,
                                                             std::int64_t stride_a, const T* packed,
                                                             TileEdge<T> edge, T* c, std::int64_t stride_c) {
    using W = Wide<T>;
    typename W::Values left[rows], right[rows];
    for (std::int64_t i = 0; i < rows; ++i) {
        left[i] = edge.goes_on ? W::load(edge.left, c + i * stride_c) : W::none();
        right[i] = edge.goes_on ? W::load(edge.right, c + i * stride_c + W::count) : W::none();
    }
    for (std::int64_t p = 0; p < k; ++p, packed += 2 * W::count) {
        const typename W::Values b_left = W::load(packed), b_right = W::load(packed + W::count);
        for (std::int64_t i = 0; i < rows; ++i) {
            const typename W::Values x = W::all(transpose_a ? a[p * stride_a + i] : a[i * stride_a + p]);
            left[i] = W::add_product(x, b_left, left[i]);
            right[i] = W::add_product(x, b_right, right[i]);
        }
    }
    for (std::int64_t i = 0; i < rows; ++i) {
        W::store(edge.left, left[i], c + i * stride_c);
        W::store(edge.right, right[i], c + i * stride_c + W::count);
    }
}

// c (m x n) = op(a) b. Every sum runs over k in order, whatever the sizes.
template <class T, bool transpose_a>
HORNBOOK_AVX512 void multiply_wide(std::int64_t m, std::int64_t n, std::int64_t k, const T* a,
                                   std::int64_t stride_a, const T* b, std::int64_t stride_b, T* c,
                                   std::int64_t stride_c) {
    using W = Wide<T>;
    constexpr std::int64_t width = 2 * W::count;
    alignas(64) T packed[packed_rows * width];
    const std::int64_t parts = (k + packed_rows - 1) / packed_rows, step = (k + parts - 1) / parts;
    for (std::int64_t p = 0; p < k; p += step) {
        const std::int64_t depth = std::min(step, k - p);
        for (std::int64_t j = 0; j < n; j += width) {
            const std::int64_t right = std::clamp<std::int64_t>(n - j - W::count, 0, W::count);
            const std::int64_t left = std::min(n - j, W::count);
            const TileEdge<T> edge{static_cast<typename W::Some>((1u << left) - 1u),
                                   static_cast<typename W::Some>((1u << right) - 1u), p > 0};
            for (std::int64_t q = 0; q < depth; ++q) {
                const T* from = b + (p + q) * stride_b + j;
                W::store(W::load(edge.left, from), packed + q * width);
                W::store(W::load(edge.right, from + W::count), packed + q * width + W::count);
            }
            const T* block = a + (transpose_a ? p * stride_a : p);
            const std::int64_t next = transpose_a ? 1 : stride_a;
            T* to = c + j;
            std::int64_t i = 0;
            for (; i + tile_rows <= m; i += tile_rows)
                multiply_tile<T, tile_rows, transpose_a>(depth, block + i * next, stride_a, packed, edge,
                                                         to + i * stride_c, stride_c);
            for (; i + small_tile_rows <= m; i += small_tile_rows)
                multiply_tile<T, small_tile_rows, transpose_a>(depth, block + i * next, stride_a, packed,
                                                               edge, to + i * stride_c, stride_c);
            for (; i < m; ++i)
                multiply_tile<T, 1, transpose_a>(depth, block + i * next, stride_a, packed, edge,
                                                 to + i * stride_c, stride_c);
        }
    }
}

#undef HORNBOOK_AVX512
#undef HORNBOOK_AVX512_INLINE

}  // namespace hornbook

#endif
