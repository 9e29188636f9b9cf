// Sums over the columns for a batch of queries with rows in groups, one row in each lane of a vector: all
// sums of a group stay in registers. Kernels of support vector machines and searches for neighbors share it.
#pragma once

#include <cstdint>

namespace hornbook {

// Rows are packed in groups: the first column of all rows of the group, then the second, and so on. Queries
// are interleaved in the same way, `batch` of them. Calls start(sum, group) for what the sums of a group
// begin with, step(sum, numbers of the rows, number of the query) for each column; out[k * stride + row] are
// the sums of query k.
template <class Lanes, std::int64_t batch, class Number, class Start, class Step>
[[gnu::always_inline]] inline void sweep_groups(const Number* packed, std::int64_t cols,
                                                const Number* queries, std::int64_t groups, Number* out,
                                                std::int64_t stride, const Start& start, const Step& step) {
    constexpr auto width = static_cast<std::int64_t>(sizeof(Lanes) / sizeof(Number));
    for (std::int64_t g = 0; g < groups; ++g, packed += cols * width) {
        Lanes sums[batch];
        for (std::int64_t k = 0; k < batch; ++k) start(sums[k], g);
        for (std::int64_t j = 0; j < cols; ++j) {
            const Lanes x = *reinterpret_cast<const Lanes*>(packed + j * width);
            for (std::int64_t k = 0; k < batch; ++k) step(sums[k], x, queries[j * batch + k]);
        }
        for (std::int64_t k = 0; k < batch; ++k)
            *reinterpret_cast<Lanes*>(out + k * stride + g * width) = sums[k];
    }
}

}  // namespace hornbook
