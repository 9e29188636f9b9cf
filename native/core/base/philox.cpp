#include "core/base/philox.hpp"

#include <algorithm>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

using Words = std::array<std::uint64_t, 4>;
__extension__ typedef unsigned __int128 Wide;  // the 128-bit product has no name in the standard

struct Product {
    std::uint64_t high;
    std::uint64_t low;
};

Product multiply(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), ten rounds.
Words block(Words c, std::uint64_t key0, std::uint64_t key1) {
    for (int round = 0; round < 10; ++round) {
        const Product p0 = multiply(0xD2E7470EE14C6C93u, c[0]);
        const Product p1 = multiply(0xCA5A826395121157u, c[2]);
        c = {p1.high ^ c[1] ^ key0, p1.low, p0.high ^ c[3] ^ key1, p0.low};
        key0 += 0x9E3779B97F4A7C15u;
        key1 += 0xBB67AE8584CAA73Bu;
    }
    return c;
}

// Words `start`, start + 1, ... of a stream.
void fill(std::uint64_t seed, std::uint64_t stream, std::uint64_t index, std::int64_t n, std::uint64_t start,
          std::uint64_t* out) {
    std::uint64_t number = start / 4;
    auto skip = static_cast<std::int64_t>(start % 4);
    for (std::int64_t done = 0; done < n; ++number, skip = 0) {
        const Words words = philox_block(seed, stream, index, number);
        const std::int64_t take = std::min<std::int64_t>(4 - skip, n - done);
        std::copy_n(words.begin() + skip, take, out + done);
        done += take;
    }
}

}  // namespace

std::array<std::uint64_t, 4> philox_block(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                                          std::uint64_t number) {
    return block({number, index, 0, 0}, seed, stream);
}

Buffer<std::uint64_t> philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t index, std::int64_t n,
                             std::int64_t start) {
    constexpr std::int64_t at_once = std::int64_t{1} << 16;
    if (n < 0) refuse("n must be at least 0; got ", n, ".");
    if (start < 0) refuse("start must be at least 0; got ", start, ".");
    Buffer<std::uint64_t> out(n);
    for (std::int64_t first = 0; first < n; first += at_once) {
        stop_point();
        fill(seed, stream, index, std::min(at_once, n - first),
             static_cast<std::uint64_t>(start) + static_cast<std::uint64_t>(first), out.data() + first);
    }
    return out;
}

}  // namespace hornbook
