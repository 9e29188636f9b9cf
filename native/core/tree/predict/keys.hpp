// Rows of numbers and codes as keys that trees compare with cuts.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/tree/predict/prediction.hpp"

namespace hornbook {

// Integers in the order of the values, which take half the memory: numbers in single precision, so that those
// that differ here are in their true order; codes doubled, to leave odd numbers for the cuts between them.
using WholeKey = std::int32_t;
constexpr WholeKey missing_key = std::numeric_limits<WholeKey>::min();
constexpr WholeKey highest_cut = std::numeric_limits<WholeKey>::max();

inline bool is_missing(WholeKey key) { return key == missing_key; }
inline bool is_missing(double key) { return key != key; }

// One or the other without a branch.
inline std::int32_t choose(bool which, std::int32_t one, std::int32_t other) {
    const std::int32_t all = -static_cast<std::int32_t>(which);
    return (one & all) | (other & ~all);
}

// The bits of a float, turned so that they are in its order; -0 is 0.
inline WholeKey key_of(double number, WholeKey if_missing) {
    const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(number) + 0.0f);
    return choose(is_missing(number), if_missing,
                  bits ^ ((bits >> 31) & std::numeric_limits<WholeKey>::max()));
}

// No key is above the cut of a leaf, nor above one that is not a number.
template <class Key>
Key cut_of(double threshold, bool leaf) {
    if constexpr (std::is_same_v<Key, double>)
        return leaf ? std::numeric_limits<double>::infinity() : threshold;
    else
        return choose(leaf, highest_cut, key_of(threshold, highest_cut));
}

WholeKey cut_of_levels(double last);

// Rows first, ..., last - 1, counted from 0 here, as whole numbers.
class KeyRows {
  public:
    using Key = WholeKey;

    KeyRows(const TreeRows& rows, std::int64_t first, std::int64_t last);

    std::int64_t size() const { return size_; }
    const Key* row(std::int64_t r) const { return keys_.data() + r * width_; }
    double exact(std::int64_t r, std::int32_t place) const { return rows_.numbers.row(first_ + r)[place]; }
    bool has_gaps() const { return has_gaps_; }

  private:
    const TreeRows& rows_;
    std::int64_t first_, size_, width_;
    Buffer<Key> keys_;
    bool has_gaps_;
};

// The same with the numbers themselves as keys, where there are too few trees for the conversion to pay off.
// There must be numbers, and no codes.
class ExactRows {
  public:
    using Key = double;

    ExactRows(const TreeRows& rows, std::int64_t first, std::int64_t last)
        : numbers_{rows.numbers.row(first), last - first, rows.numbers.cols} {}

    std::int64_t size() const { return numbers_.rows; }
    const Key* row(std::int64_t r) const { return numbers_.row(r); }
    double exact(std::int64_t r, std::int32_t place) const { return row(r)[place]; }
    bool has_gaps() const { return true; }  // not checked

  private:
    Matrix<double> numbers_;
};

}  // namespace hornbook
