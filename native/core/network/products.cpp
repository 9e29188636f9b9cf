#include "core/network/products.hpp"

#include <algorithm>
#include <atomic>

#include "core/base/simd.hpp"

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

// Where there are registers of 512 bits, OpenBLAS multiplies matrices of up to 10^6 multiplications without
// copying them into another order first, which is a fifth faster (measured: 45 and 55 billion operations a
// second for 64 x 784 times 784 x 128 doubles). Larger products are cut into such ones. Elsewhere, and for a
// transposed right factor, whose kernel takes only small matrices, the whole product is one call.
struct Tile {
    std::int64_t m, n, k;
};

constexpr std::int64_t tile_limit = 1000000, tile_columns = 128, tile_inner = 240, tile_step = 8;

bool wide_registers() {
#if defined(__x86_64__)
    static const bool known = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    return known;
#else
    return false;
#endif
}

// Equal parts of at most `most`, rounded up to whole registers.
std::int64_t part_of(std::int64_t size, std::int64_t most) {
    const std::int64_t parts = (size + most - 1) / most, even = (size + parts - 1) / parts;
    return std::min(most, (even + tile_step - 1) / tile_step * tile_step);
}

Tile tile_of(bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k) {
    if (transpose_b || !wide_registers()) return {m, n, k};
    const Tile tile{m, part_of(n, tile_columns), part_of(k, tile_inner)};
    const std::int64_t rows = tile_limit / (tile.n * tile.k) / tile_step * tile_step;
    return {part_of(m, rows), tile.n, tile.k};
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
    if (m * n * k <= few || blas == nullptr) {
        plain(transpose_a, transpose_b, m, n, k, a, stride_a, b, stride_b, c, stride_c);
        return;
    }
    // To BLAS, which stores columns, each matrix is its own transpose: c' = op(b)' op(a)'.
    char of_b = transpose_b ? 'T' : 'N';
    char of_a = transpose_a ? 'T' : 'N';
    int lda = static_cast<int>(stride_a), ldb = static_cast<int>(stride_b), ldc = static_cast<int>(stride_c);
    const Tile tile = tile_of(transpose_b, m, n, k);
    T one{1}, zero{0};
    for (std::int64_t p = 0; p < k; p += tile.k)
        for (std::int64_t j = 0; j < n; j += tile.n)
            for (std::int64_t i = 0; i < m; i += tile.m) {
                int columns = static_cast<int>(std::min(tile.n, n - j));
                int rows = static_cast<int>(std::min(tile.m, m - i));
                int inner = static_cast<int>(std::min(tile.k, k - p));
                const T* from_a = a + (transpose_a ? p * stride_a + i : i * stride_a + p);
                const T* from_b = b + (transpose_b ? j * stride_b + p : p * stride_b + j);
                blas(&of_b, &of_a, &columns, &rows, &inner, &one, const_cast<T*>(from_b), &ldb,
                     const_cast<T*>(from_a), &lda, p == 0 ? &zero : &one, c + i * stride_c + j, &ldc);
            }
}

template void multiply<double>(bool, bool, std::int64_t, std::int64_t, std::int64_t, const double*,
                               std::int64_t, const double*, std::int64_t, double*, std::int64_t);
template void multiply<float>(bool, bool, std::int64_t, std::int64_t, std::int64_t, const float*,
                              std::int64_t, const float*, std::int64_t, float*, std::int64_t);

}  // namespace hornbook
