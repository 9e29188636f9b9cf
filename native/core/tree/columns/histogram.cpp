#include "core/tree/columns/histogram.hpp"

#include <algorithm>
#include <bit>

namespace hornbook {

namespace {

constexpr std::int64_t few = 24;

void insertion_sort(std::uint64_t* keys, std::int64_t size) {
    for (std::int64_t i = 1; i < size; ++i) {
        const std::uint64_t key = keys[i];
        std::int64_t place = i;
        for (; place > 0 && keys[place - 1] > key; --place) keys[place] = keys[place - 1];
        keys[place] = key;
    }
}

}  // namespace

void sort_few(std::uint64_t* keys, std::int64_t size) {
    if (size <= few)
        insertion_sort(keys, size);
    else
        std::sort(keys, keys + size);
}

void sort_keys(Workspace& work, std::int64_t size, std::uint32_t low, std::uint32_t high) {
    if (size <= few) {
        insertion_sort(work.keys.data(), size);
        return;
    }
    const int wide = std::bit_width(high - low), wanted = std::bit_width(static_cast<std::uint64_t>(size));
    const int shift = std::max(0, wide - wanted);
    const std::size_t buckets = (static_cast<std::size_t>(high - low) >> shift) + 1;
    if (work.bucket.size() < buckets + 1) work.bucket.resize(2 * buckets + 1);
    std::uint32_t* start = work.bucket.data();
    std::fill_n(start, buckets + 1, 0u);
    const std::uint64_t* from = work.keys.data();
    const auto bucket_of = [&](std::uint64_t key) {
        return (static_cast<std::uint32_t>(key >> 32) - low) >> shift;
    };
    for (std::int64_t i = 0; i < size; ++i) ++start[bucket_of(from[i]) + 1];
    std::uint32_t fullest = 0;
    for (std::size_t b = 1; b <= buckets; ++b) {
        fullest = std::max(fullest, start[b]);
        start[b] += start[b - 1];
    }
    std::uint64_t* to = resized(work.sorted_keys, std::ssize(work.keys));
    for (std::int64_t i = 0; i < size; ++i) to[start[bucket_of(from[i])]++] = from[i];
    work.keys.swap(work.sorted_keys);
    if (shift == 0) return;  // a bucket for each code, and rows came in order
    if (fullest <= few) {
        insertion_sort(work.keys.data(), size);
        return;
    }
    // start[b] is now where bucket b ends.
    for (std::size_t b = 0; b < buckets; ++b) {
        const std::uint32_t first = b ? start[b - 1] : 0;
        sort_few(work.keys.data() + first, start[b] - first);
    }
}

}  // namespace hornbook
