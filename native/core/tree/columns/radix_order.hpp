// The rows of a column of numbers in ascending order.
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/base/gather.hpp"

namespace hornbook {

// Doubles as unsigned integers in the same order; both zeros are one.
inline std::uint64_t ordered_bits(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

inline double from_ordered_bits(std::uint64_t key) {
    return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// Rows that have a number and count, by number; rows with the same one in their own order. The memory serves
// one column after the other.
class RowOrder {
  public:
    explicit RowOrder(std::int64_t rows) : keys_(rows), words_(rows), other_(rows) {}

    // w is null when all rows count; those of weight 0 do not.
    void sort(const Column& numbers, const double* w);

    std::int64_t size() const { return size_; }
    std::uint32_t row(std::int64_t i) const { return static_cast<std::uint32_t>(words_[i]); }
    std::uint64_t key(std::int64_t i) const { return keys_[row(i)]; }
    // Whether places i and i + 1 have the same number.
    bool goes_on(std::int64_t i) const {
        return words_[i] >> 32 == words_[i + 1] >> 32 && key(i) == key(i + 1);
    }
    bool lacks() const { return lacks_; }  // whether a row that counts has no number

  private:
    void sort_words();
    void settle();

    Buffer<std::uint64_t> keys_;   // the number of each row as ordered bits
    Buffer<std::uint64_t> words_;  // the upper bits of the key that tell most rows apart, then the row
    Buffer<std::uint64_t> other_;  // for sorting
    std::int64_t size_ = 0;
    bool lacks_ = false;
};

}  // namespace hornbook
