#include "core/tree/columns/radix_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr int digit_bits = 11;
constexpr int digits = 3;  // 32 bits of the key
constexpr std::size_t buckets = std::size_t{1} << digit_bits;
constexpr std::int64_t few = 2048;  // words that are sorted by comparison

std::size_t digit(std::uint64_t word, int place) {
    return (word >> (32 + place * digit_bits)) & (buckets - 1);
}

// From counts of digits to the positions where their words start; false when all words share one digit.
bool starts(std::array<std::uint32_t, buckets>& count, std::int64_t size) {
    std::uint32_t before = 0;
    for (std::uint32_t& entry : count) {
        const std::uint32_t occurrences = entry;
        if (occurrences == size) return false;
        entry = before;
        before += occurrences;
    }
    return true;
}

}  // namespace

void RowOrder::sort(const Column& numbers, const double* w) {
    size_ = 0;
    lacks_ = false;
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    with_elements(numbers, [&](const auto* cells) {
        for (std::int64_t i = 0; i < numbers.size; ++i) {
            if (w && w[i] == 0.0) continue;
            const auto value = static_cast<double>(cells[i * numbers.stride]);
            if (std::isnan(value)) {
                lacks_ = true;
                continue;
            }
            const std::uint64_t key = ordered_bits(value);
            low = std::min(low, key);
            high = std::max(high, key);
            keys_[i] = key;
            words_[size_++] = static_cast<std::uint64_t>(i);
        }
    });
    if (size_ == 0) return;
    const int shift = std::max(0, 32 - std::countl_zero(high - low));
    for (std::int64_t i = 0; i < size_; ++i)
        words_[i] |= (keys_[static_cast<std::int64_t>(words_[i])] - low) >> shift << 32;
    sort_words();
    if (shift > 0) settle();
}

// Radix sort of the upper halves, least significant digit first.
void RowOrder::sort_words() {
    if (size_ < few) {
        std::sort(words_.data(), words_.data() + size_);
        return;
    }
    std::array<std::array<std::uint32_t, buckets>, digits> count{};
    for (std::int64_t i = 0; i < size_; ++i)
        for (int place = 0; place < digits; ++place)
            ++count[static_cast<std::size_t>(place)][digit(words_[i], place)];
    for (int place = 0; place < digits; ++place) {
        std::array<std::uint32_t, buckets>& start = count[static_cast<std::size_t>(place)];
        if (!starts(start, size_)) continue;
        stop_point();
        for (std::int64_t i = 0; i < size_; ++i) other_[start[digit(words_[i], place)]++] = words_[i];
        std::swap(words_, other_);
    }
}

// Rows that agree in the upper bits of their key are few, or have the same number.
void RowOrder::settle() {
    const auto by_number = [this](std::uint64_t a, std::uint64_t b) {
        const std::uint64_t ka = keys_[static_cast<std::uint32_t>(a)],
                            kb = keys_[static_cast<std::uint32_t>(b)];
        return ka != kb ? ka < kb : a < b;
    };
    for (std::int64_t first = 0, i = 1; i <= size_; ++i) {
        if (i < size_ && words_[i] >> 32 == words_[first] >> 32) continue;
        std::uint64_t* begin = words_.data() + first;
        std::uint64_t* end = words_.data() + i;
        if (end - begin > 1 && !std::is_sorted(begin, end, by_number)) std::sort(begin, end, by_number);
        first = i;
    }
}

}  // namespace hornbook
