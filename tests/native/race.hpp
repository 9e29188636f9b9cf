// What the threaded programs share: numbers, comparisons, and how a failure ends them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/base/parallel.hpp"
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

// The same call from many threads gives what it gives alone.
template <class Call>
void at_once(int threads, const Call& call, const char* what) {
    const Buffer<double> expected = call();
    hornbook::parallel_for(8, threads, [&](std::int64_t) { require(same(call(), expected), what); });
}

// The kernels of clusterings, mixtures and components.
void clusterings_agree(int threads);

// The kernels of networks.
void networks_agree(int threads);

}  // namespace race
