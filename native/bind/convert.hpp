// NumPy arrays to views, owned buffers to NumPy arrays. Nothing is converted or copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>

#include "core/base/arrays.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace nb = nanobind;

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Arrays that are updated in place.
template <class T>
using State1 = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using State2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Result1 = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;
template <class T>
using Result2 = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

// NumPy lets an array of doubles start at any byte; kernels need aligned ones.
inline void check_aligned(const void* data, std::size_t alignment, const char* name) {
    if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0)
        refuse(name, " must be aligned in memory; pass a copy of it.");
}

template <class T>
Vector<T> view(const Array1<T>& array, const char* name) {
    check_aligned(array.data(), alignof(T), name);
    return {array.data(), static_cast<std::int64_t>(array.shape(0))};
}

template <class T>
Matrix<T> view(const Array2<T>& array, const char* name) {
    check_aligned(array.data(), alignof(T), name);
    return {array.data(), static_cast<std::int64_t>(array.shape(0)),
            static_cast<std::int64_t>(array.shape(1))};
}

template <class T>
T* state(const State1<T>& array, std::int64_t rows, const char* name) {
    check_aligned(array.data(), alignof(T), name);
    if (static_cast<std::int64_t>(array.shape(0)) != rows)
        refuse(name, " must have one entry per row; it has ", array.shape(0), " for ", rows, " rows.");
    return array.data();
}

// Passes ownership of the memory to NumPy, which frees it through the capsule.
template <class Result, class T>
Result give(Buffer<T>&& buffer, std::initializer_list<std::size_t> shape) {
    T* data = buffer.release();
    nb::capsule owner(data, [](void* memory) noexcept { release(memory); });
    return Result(data, shape, owner);
}

template <class T>
Result1<T> give_vector(Buffer<T>&& buffer) {
    const auto size = static_cast<std::size_t>(buffer.size());
    return give<Result1<T>>(std::move(buffer), {size});
}

template <class T>
Result2<T> give_matrix(Buffer<T>&& buffer, std::int64_t rows, std::int64_t cols) {
    return give<Result2<T>>(std::move(buffer),
                            {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)});
}

}  // namespace hornbook
