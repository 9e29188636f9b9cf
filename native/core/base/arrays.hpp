// Views that kernels read from, and owned buffers that they return.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace hornbook {

template <class T>
struct Vector {
    const T* data;
    std::int64_t size;
};

// Row-major, without gaps.
template <class T>
struct Matrix {
    const T* data;
    std::int64_t rows;
    std::int64_t cols;

    const T* row(std::int64_t i) const { return data + i * cols; }
};

// a * b for sizes; throws on overflow instead of wrapping around.
std::int64_t checked_product(std::int64_t a, std::int64_t b);

// Uninitialized memory for `count` objects of `size` bytes, on huge pages when it is large; never null.
void* allocate(std::int64_t count, std::int64_t size);
void release(void* memory) noexcept;

struct Release {
    void operator()(void* memory) const noexcept { release(memory); }
};

// An owned, flat array of numbers.
template <class T>
class Buffer {
    static_assert(std::is_trivial_v<T>);

  public:
    explicit Buffer(std::int64_t size) : size_(size), data_(static_cast<T*>(allocate(size, sizeof(T)))) {}
    Buffer(std::int64_t rows, std::int64_t cols) : Buffer(checked_product(rows, cols)) {}
    Buffer(std::int64_t rows, std::int64_t cols, T value) : Buffer(rows, cols) {
        for (std::int64_t i = 0; i < size_; ++i) data_[i] = value;
    }

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::int64_t size() const { return size_; }
    T& operator[](std::int64_t i) { return data_[i]; }
    const T& operator[](std::int64_t i) const { return data_[i]; }
    T* release() { return data_.release(); }

  private:
    std::int64_t size_;
    std::unique_ptr<T[], Release> data_;
};

}  // namespace hornbook
