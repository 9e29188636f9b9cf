// Rows of a node grouped by code: in a histogram over all codes, or, where the node has too few rows for
// that, by sorting them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

// Statistics of a set of rows: the weight of each class, then the number of rows if `count` >= 0 is its
// index; or, without classes, the sum, the weight and the number of rows.
struct Layout {
    int classes = 0;
    int count = -1;
    int stride = 0;
};

inline Layout class_layout(int classes, bool counted) {
    return {classes, counted ? classes : -1, classes + (counted ? 1 : 0)};
}

inline Layout sum_layout() { return {0, 2, 3}; }

template <class T>
double sum_of_classes(const T* weights, int classes) {
    double sum = 0.0;
    for (int k = 0; k < classes; ++k) sum += static_cast<double>(weights[k]);
    return sum;
}

template <class T>
double weight_of(const T* stats, const Layout& layout) {
    return layout.classes ? sum_of_classes(stats, layout.classes) : static_cast<double>(stats[1]);
}

inline void write_pairs(const PairSums& sums, std::int64_t rows, const Layout& layout, double* stats) {
    stats[0] = sums.first();
    stats[1] = sums.second();
    if (layout.count >= 0) stats[layout.count] = static_cast<double>(rows);
}

// Statistics by code. Without a list of codes, entry i is that of code i, empty or not.
template <class T>
struct Groups {
    const std::int32_t* codes;
    const T* stats;
    std::int64_t size;

    std::int32_t code(std::int64_t i) const { return codes ? codes[i] : static_cast<std::int32_t>(i); }
};

// A node with fewer rows than a quarter of the codes is sorted.
inline bool is_dense(std::int64_t rows, std::int32_t bins) { return 4 * rows >= bins; }

// Calls fn with the function that adds row i to the statistics of a group, or subtracts it; chosen once, so
// that loops over rows stay tight.
template <class T, int Sign = 1, class Fn = void>
void with_adder(const Rows& rows, const Layout& layout, Fn&& fn) {
    const std::int32_t* label = rows.label;
    const double* weight = rows.weight;
    const double* sum = rows.sum;
    if (rows.pair) {
        const std::uint64_t* pair = rows.pair;
        const int count = layout.count < 0 ? 0 : layout.count;
        const auto one = static_cast<T>(layout.count < 0 ? 0 : Sign);
        fn([=](T* stats, std::int64_t i) {
            stats[0] += static_cast<T>(Sign) * static_cast<T>(static_cast<std::uint32_t>(pair[i]));
            stats[1] += static_cast<T>(Sign) * static_cast<T>(static_cast<std::uint32_t>(pair[i] >> 32));
            stats[count] += one;
        });
    } else if (label && !weight) {
        fn([=](T* stats, std::int64_t i) { stats[label[i]] += static_cast<T>(Sign); });
    } else if (label && layout.count < 0) {
        fn([=](T* stats, std::int64_t i) {
            stats[label[i]] += static_cast<T>(Sign) * static_cast<T>(weight[i]);
        });
    } else if (label) {
        const int count = layout.count;
        fn([=](T* stats, std::int64_t i) {
            stats[label[i]] += static_cast<T>(Sign) * static_cast<T>(weight[i]);
            stats[count] += static_cast<T>(Sign);
        });
    } else if constexpr (std::is_same_v<T, double>) {
        fn([=](double* stats, std::int64_t i) {
            stats[0] += Sign * sum[i];
            stats[1] += Sign * (weight ? weight[i] : 1.0);
            stats[2] += Sign;
        });
    }
}

// Adds rows to (or subtracts them from) a histogram over the codes of a column, missing values included.
template <class T, int Sign = 1>
void fill_histogram(const CodedColumn& column, const Rows& rows, const Layout& layout, T* histogram) {
    with_codes(column, rows.size, [&](const auto& codes) {
        with_adder<T, Sign>(rows, layout, [&](auto add) {
            for (std::int64_t i = 0; i < rows.size; ++i)
                add(histogram + static_cast<std::int64_t>(codes[rows.row[i]]) * layout.stride, i);
        });
    });
}

// Sorts keys whose upper halves lie in [low, high]. A bucket sort: ranks are nearly uniform, so one pass
// into as many buckets as there are keys leaves little to do; crowded buckets are sorted by comparison.
void sort_keys(Workspace& work, std::int64_t size, std::uint32_t low, std::uint32_t high);
void sort_few(std::uint64_t* keys, std::int64_t size);

inline std::uint64_t key_of(std::uint32_t code, std::int64_t i) {
    return static_cast<std::uint64_t>(code) << 32 | static_cast<std::uint64_t>(i);
}

// Codes of the rows in the upper half of the keys, positions in the node in the lower half.
struct KeyRange {
    std::uint32_t low, high;
};

inline KeyRange gather_keys(const CodedColumn& column, const Rows& rows, Workspace& work) {
    std::uint64_t* keys = resized(work.keys, rows.size);
    work.pace.spend(rows.size);
    std::uint32_t low = ~std::uint32_t{0}, high = 0;
    with_codes(column, rows.size, [&](const auto& codes) {
        const std::int32_t* row = rows.row;
        const std::int64_t size = rows.size;
        for (std::int64_t i = 0; i < size; ++i) {
            const std::uint32_t code = codes[row[i]];
            low = std::min(low, code);
            high = std::max(high, code);
            keys[i] = key_of(code, i);
        }
    });
    return {low, high};
}

// The rows of a node by code, sorted. Returns the number of groups.
template <class T>
std::int64_t sort_groups(const CodedColumn& column, const Rows& rows, const Layout& layout, Workspace& work,
                         std::vector<T>& stats) {
    const std::int64_t size = rows.size;
    const auto [low, high] = gather_keys(column, rows, work);
    if (low == high) return 1;  // nothing to choose from
    sort_keys(work, size, low, high);
    T* first = resized(stats, size * layout.stride);
    std::int32_t* code = resized(work.code, size);
    std::int64_t groups = 0;
    with_adder<T>(rows, layout, [&](auto add) {
        const std::uint64_t* keys = work.keys.data();
        T* place = nullptr;
        std::uint32_t last = ~std::uint32_t{0};
        for (std::int64_t i = 0; i < size; ++i) {
            const auto here = static_cast<std::uint32_t>(keys[i] >> 32);
            if (here != last) {
                last = here;
                code[groups++] = static_cast<std::int32_t>(here);
                place = first + (groups - 1) * layout.stride;
                std::fill_n(place, layout.stride, T{0});
            }
            add(place, static_cast<std::int64_t>(keys[i] & 0xffffffffu));
        }
    });
    return groups;
}

// The rows of a node by code. `kept` is a histogram that is already filled, or null.
template <class T>
Groups<T> group_rows(const CodedColumn& column, const Rows& rows, const Layout& layout, const T* kept,
                     Workspace& work, std::vector<T>& stats) {
    work.pace.spend(kept ? column.bins : rows.size);
    if (kept) return {nullptr, kept, column.bins + std::int64_t{1}};
    if (!is_dense(rows.size, column.bins)) {
        const std::int64_t groups = sort_groups(column, rows, layout, work, stats);
        return {work.code.data(), stats.data(), groups};
    }
    const std::int64_t bins = column.bins + std::int64_t{1};
    stats.assign(static_cast<std::size_t>(bins * layout.stride), T{0});
    fill_histogram(column, rows, layout, stats.data());
    return {nullptr, stats.data(), bins};
}

}  // namespace hornbook
