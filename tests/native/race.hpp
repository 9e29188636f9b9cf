// What the threaded programs share: numbers, comparisons, and how a failure ends them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/base/philox.hpp"

namespace race {

using hornbook::Buffer;

inline void require(bool fact, const char* what) {
    if (fact) return;
    std::fprintf(stderr, "race: %s\n", what);
    std::exit(1);
}

inline std::vector<double> uniform(std::int64_t n, std::uint64_t stream) {
    const Buffer<std::uint64_t> bits = hornbook::philox(1, stream, 0, n, 0);
    std::vector<double> out;
    for (std::int64_t i = 0; i < n; ++i) out.push_back(static_cast<double>(bits[i] >> 11) * 0x1p-53);
    return out;
}

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
    for (std::int64_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) return false;
    return a.size() == b.size();
}

// The kernels of clusterings, mixtures and components.
void clusterings_agree(int threads);

}  // namespace race
