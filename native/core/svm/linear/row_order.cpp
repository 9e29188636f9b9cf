#include "core/svm/linear/row_order.hpp"

#include <algorithm>
#include <utility>

#include "core/base/philox.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

constexpr std::uint64_t stream = 31;  // of random numbers

}  // namespace

void shuffle_rows(std::int64_t* order, std::int64_t n, std::uint64_t seed, std::uint64_t pass) {
    for (std::int64_t i = 0; i < n; i += 4) {
        const auto words = philox_block(seed, stream, pass, static_cast<std::uint64_t>(i / 4));
        for (std::int64_t k = i; k < std::min(i + 4, n); ++k) {
            const auto room = static_cast<unsigned __int128>(n - k);
            const auto other =
                k + static_cast<std::int64_t>((room * words[static_cast<std::size_t>(k - i)]) >> 64);
            std::swap(order[k], order[other]);
        }
    }
}

void check_order(const std::int64_t* order, std::int64_t n, std::int64_t n_rows) {
    if (n < 0 || n > n_rows) refuse("n_active must be at most the number of rows.");
    for (std::int64_t k = 0; k < n; ++k)
        if (order[k] < 0 || order[k] >= n_rows) refuse("order names row ", order[k], ", which is none.");
}

}  // namespace hornbook
