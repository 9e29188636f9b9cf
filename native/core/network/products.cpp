#include "core/network/products.hpp"

#include <algorithm>
#include <atomic>

#include "core/base/simd.hpp"
#include "core/network/wide_products.hpp"

namespace hornbook {

namespace {

std::atomic<Gemm<double>> gemm_of_doubles{nullptr};
std::atomic<Gemm<float>> gemm_of_floats{nullptr};

Gemm<double> gemm(double) { return gemm_of_doubles.load(std::memory_order_relaxed); }
Gemm<float> gemm(float) { return gemm_of_floats.load(std::memory_order_relaxed); }

constexpr std::int64_t few = 8192;  // multiplications below which a call of BLAS takes longer than a loop

template <class T>
__attribute__((always_inline)) inline void add_multiple(T factor, const T* from, T* to, std::int64_t n) {
    for (std::int64_t j = 0; j < n; ++j) to[j] += factor * from[j];
}

template <class T>
__attribute__((always_inline)) inline void plain_product(bool transpose_a, bool transpose_b, std::int64_t m,
                                                         std::int64_t n, std::int64_t k, const T* a,
                                                         std::int64_t stride_a, const T* b,
                                                         std::int64_t stride_b, T* c, std::int64_t stride_c) {
    for (std::int64_t i = 0; i < m; ++i) {
        T* row = c + i * stride_c;
        if (transpose_b) {
            for (std::int64_t j = 0; j < n; ++j) {
                T sum{0};
                for (std::int64_t p = 0; p < k; ++p)
                    sum += (transpose_a ? a[p * stride_a + i] : a[i * stride_a + p]) * b[j * stride_b + p];
                row[j] = sum;
            }
            continue;
        }
        std::fill_n(row, n, T{0});
        for (std::int64_t p = 0; p < k; ++p)
            add_multiple(transpose_a ? a[p * stride_a + i] : a[i * stride_a + p], b + p * stride_b, row, n);
    }
}

HORNBOOK_WIDE void plain(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                         const double* a, std::int64_t stride_a, const double* b, std::int64_t stride_b,
                         double* c, std::int64_t stride_c) {
    plain_product(transpose_a, transpose_b, m, n, k, a, stride_a, b, stride_b, c, stride_c);
}

HORNBOOK_WIDE void plain(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                         const float* a, std::int64_t stride_a, const float* b, std::int64_t stride_b,
                         float* c, std::int64_t stride_c) {
    plain_product(transpose_a, transpose_b, m, n, k, a, stride_a, b, stride_b, c, stride_c);
}

// Whether the product was made by our own loops for registers of 512 bits instead of BLAS.
template <class T>
bool multiplied_wide([[maybe_unused]] bool transpose_a, [[maybe_unused]] std::int64_t m,
                     [[maybe_unused]] std::int64_t n, [[maybe_unused]] std::int64_t k,
                     [[maybe_unused]] const T* a, [[maybe_unused]] std::int64_t stride_a,
                     [[maybe_unused]] const T* b, [[maybe_unused]] std::int64_t stride_b,
                     [[maybe_unused]] T* c, [[maybe_unused]] std::int64_t stride_c) {
#if defined(HORNBOOK_WIDE_PRODUCTS)
    static const bool known = __builtin_cpu_supports("avx512f");
    if (known && transpose_a) multiply_wide<T, true>(m, n, k, a, stride_a, b, stride_b, c, stride_c);
    if (known && !transpose_a) multiply_wide<T, false>(m, n, k, a, stride_a, b, stride_b, c, stride_c);
    return known;
#else
    return false;
#endif
}

}  // namespace

void use_gemm(Gemm<double> of_doubles, Gemm<float> of_floats) {
    gemm_of_doubles = of_doubles;
    gemm_of_floats = of_floats;
}

template <class T>
void multiply(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const T* a,
              std::int64_t stride_a, const T* b, std::int64_t stride_b, T* c, std::int64_t stride_c) {
    const Gemm<T> blas = gemm(T{});
    const bool small = m * n * k <= few;
    if (!small && !transpose_b &&
        multiplied_wide(transpose_a, m, n, k, a, stride_a, b, stride_b, c, stride_c))
        return;
    if (small || blas == nullptr) {
        plain(transpose_a, transpose_b, m, n, k, a, stride_a, b, stride_b, c, stride_c);
        return;
    }
    // To BLAS, which stores columns, each matrix is its own transpose: c' = op(b)' op(a)'.
    char of_b = transpose_b ? 'T' : 'N';
    char of_a = transpose_a ? 'T' : 'N';
    int columns = static_cast<int>(n), rows = static_cast<int>(m), inner = static_cast<int>(k);
    int lda = static_cast<int>(stride_a), ldb = static_cast<int>(stride_b), ldc = static_cast<int>(stride_c);
    T one{1}, zero{0};
    blas(&of_b, &of_a, &columns, &rows, &inner, &one, const_cast<T*>(b), &ldb, const_cast<T*>(a), &lda, &zero,
         c, &ldc);
}

template void multiply<double>(bool, bool, std::int64_t, std::int64_t, std::int64_t, const double*,
                               std::int64_t, const double*, std::int64_t, double*, std::int64_t);
template void multiply<float>(bool, bool, std::int64_t, std::int64_t, std::int64_t, const float*,
                              std::int64_t, const float*, std::int64_t, float*, std::int64_t);

}  // namespace hornbook
