// Products of row-major matrices, by BLAS where they are large enough to be worth the call.
#pragma once

#include <cstdint>

namespace hornbook {

// The signature of Fortran's xGEMM.
template <class T>
using Gemm = void (*)(char*, char*, int*, int*, int*, T*, T*, int*, T*, int*, T*, T*, int*);

// Which functions multiply large matrices; without them plain loops do.
void use_gemm(Gemm<double> of_doubles, Gemm<float> of_floats);

// c (m x n) = op(a) op(b), where op transposes if its flag is set; the strides are those of rows as stored.
// Runs on this thread; which method is used depends on the sizes alone.
template <class T>
void multiply(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const T* a,
              std::int64_t stride_a, const T* b, std::int64_t stride_b, T* c, std::int64_t stride_c);

}  // namespace hornbook
