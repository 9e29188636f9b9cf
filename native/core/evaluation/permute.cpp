#include "core/evaluation/permute.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/philox.hpp"
#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::uint64_t stream = 0;
constexpr std::int64_t run = 64;  // replicates handed out together
// Upper limit of rejected draws. A draw is rejected with probability at most 3/4, so it is never reached.
constexpr int most_draws = 1024;

// Unbiased integers below a bound (Lemire, "Fast random integer generation in an interval", 2019) from 32-bit
// halves of one replicate's words, lower half first.
class Integers {
  public:
    Integers(std::uint64_t seed, std::uint64_t index, std::uint64_t first_block)
        : seed_(seed), index_(index), block_(first_block) {}

    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = std::uint64_t{next()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            // At most every other draw is rejected; after too many the last one is taken as it is.
            const std::uint32_t threshold = -bound % bound;
            for (int draw = 0; static_cast<std::uint32_t>(product) < threshold && draw < most_draws; ++draw)
                product = std::uint64_t{next()} * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

  private:
    std::uint32_t next() {
        if (used_ == 8) {
            words_ = philox_block(seed_, stream, index_, block_++);
            used_ = 0;
        }
        const std::uint64_t word = words_[used_ / 2];
        return static_cast<std::uint32_t>(used_++ % 2 == 0 ? word : word >> 32);
    }

    std::uint64_t seed_;
    std::uint64_t index_;
    std::uint64_t block_;
    std::array<std::uint64_t, 4> words_{};
    std::size_t used_ = 8;
};

// Sum of `count` values drawn without replacement: the first steps of a Fisher-Yates shuffle.
double shuffle_sum(std::vector<double>& values, std::int64_t count, Integers integers) {
    const auto size = static_cast<std::uint32_t>(values.size());
    double sum = 0.0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
        std::swap(values[i], values[i + integers.below(size - i)]);
        sum += values[i];
    }
    return sum;
}

// Shuffles y from its end and multiplies as it goes.
double shuffle_dot(const Vector<double>& x, std::vector<double>& y, Integers integers) {
    double sum = 0.0;
    for (auto i = static_cast<std::uint32_t>(y.size()); i-- > 1;) {
        std::swap(y[i], y[integers.below(i + 1)]);
        sum += x.data[i] * y[i];
    }
    return y.empty() ? 0.0 : sum + x.data[0] * y[0];
}

// Sums of subsets by their bits: the values in groups of four, and of each group the sums of its 16 subsets.
using SubsetSums = std::vector<std::array<double, 16>>;

SubsetSums subset_sums(const Vector<double>& values) {
    SubsetSums out(static_cast<std::size_t>(values.size + 3) / 4);
    for (std::size_t g = 0; g < out.size(); ++g) {
        out[g][0] = 0.0;
        for (unsigned subset = 1; subset < 16; ++subset) {
            const unsigned highest = std::bit_floor(subset);
            const auto i = static_cast<std::int64_t>(4 * g) + std::bit_width(subset) - 1;
            out[g][subset] = out[g][subset - highest] + (i < values.size ? values.data[i] : 0.0);
        }
    }
    return out;
}

double subset_sum(const SubsetSums& sums, const std::vector<std::uint64_t>& subset) {
    std::array<double, 4> sum{};
    for (std::size_t g = 0; g < sums.size(); ++g) sum[g % 4] += sums[g][subset[g / 16] >> 4 * (g % 16) & 15];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// A coin for each of n values; returns the number of heads.
std::int64_t toss(std::vector<std::uint64_t>& coins, std::int64_t n, std::uint64_t seed,
                  std::uint64_t index) {
    std::int64_t heads = 0;
    for (std::size_t w = 0; w < coins.size(); ++w) {
        if (w % 4 == 0) {
            const auto block = philox_block(seed, stream, index, w / 4);
            std::copy_n(block.begin(), std::min<std::size_t>(4, coins.size() - w), &coins[w]);
        }
        if (w + 1 == coins.size() && n % 64 != 0) coins[w] &= (std::uint64_t{1} << n % 64) - 1;
        heads += std::popcount(coins[w]);
    }
    return heads;
}

// A random coin among those that show heads, or tails; after too many draws, the next one in order.
std::uint32_t random_coin(const std::vector<std::uint64_t>& coins, bool head, std::uint32_t n,
                          Integers& integers) {
    const auto shows = [&](std::uint32_t i) { return ((coins[i / 64] >> i % 64 & 1) != 0) == head; };
    std::uint32_t i = integers.below(n);
    for (int draw = 1; !shows(i) && draw < most_draws; ++draw) i = integers.below(n);
    for (std::uint32_t step = 1; !shows(i) && step < n; ++step) i = (i + 1) % n;
    return i;
}

// Sum of `count` values drawn without replacement by coin tosses. If there are too many or too few heads,
// random coins are turned over: neither tosses nor turns depend on the values, so all subsets are equally
// likely.
double toss_sum(const Vector<double>& values, const SubsetSums& sums, std::vector<std::uint64_t>& coins,
                std::int64_t count, std::uint64_t seed, std::uint64_t index) {
    const std::int64_t excess = toss(coins, values.size, seed, index) - count;
    double sum = subset_sum(sums, coins);
    Integers integers(seed, index, (coins.size() + 3) / 4);
    const bool head = excess > 0;  // the side to turn over: at least every fourth coin shows it
    for (std::int64_t flips = std::abs(excess); flips > 0; --flips) {
        const std::uint32_t i = random_coin(coins, head, static_cast<std::uint32_t>(values.size), integers);
        coins[i / 64] ^= std::uint64_t{1} << i % 64;
        sum += head ? -values.data[i] : values.data[i];
    }
    return sum;
}

void check(std::int64_t size, std::int64_t n_permutations) {
    if (size > std::numeric_limits<std::int32_t>::max())
        refuse("there must be fewer than 2^31 values; got ", size, ".");
    if (n_permutations < 0) refuse("n_permutations must be at least 0; got ", n_permutations, ".");
}

// Calls statistic(copy of the sample, replicate) for every replicate.
template <class T, class Statistic>
void replicate(Buffer<double>& out, const std::vector<T>& sample, int threads, const Statistic& statistic) {
    parallel_rows(out.size(), run, threads, [&](std::int64_t first, std::int64_t last) {
        std::vector<T> copy(sample.size());
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            std::copy(sample.begin(), sample.end(), copy.begin());
            out[i] = statistic(copy, static_cast<std::uint64_t>(i));
            pace.spend(std::ssize(sample));
        }
    });
}

}  // namespace

Buffer<double> permute_two_sample_mean(const Vector<double>& values, std::int64_t n_first,
                                       std::int64_t n_permutations, std::uint64_t seed, int threads) {
    check(values.size, n_permutations);
    if (n_first < 1 || n_first >= values.size)
        refuse("n_first must leave at least one value on each side; got ", n_first, " of ", values.size, ".");
    const std::int64_t n_second = values.size - n_first;
    // The smaller sample is drawn, the other is what is left: value by value when it is small, by coins when
    // it is nearly half.
    const std::int64_t count = std::min(n_first, n_second);
    Buffer<double> out(n_permutations);
    if (4 * count < values.size) {
        const std::vector<double> sample(values.data, values.data + values.size);
        replicate(out, sample, threads, [&](std::vector<double>& copy, std::uint64_t i) {
            return shuffle_sum(copy, count, Integers(seed, i, 0));
        });
    } else {
        const SubsetSums sums = subset_sums(values);
        const std::vector<std::uint64_t> coins(static_cast<std::size_t>(values.size + 63) / 64);
        replicate(out, coins, threads, [&](std::vector<std::uint64_t>& copy, std::uint64_t i) {
            return toss_sum(values, sums, copy, count, seed, i);
        });
    }
    double total = 0.0;
    for (std::int64_t i = 0; i < values.size; ++i) total += values.data[i];
    for (std::int64_t i = 0; i < n_permutations; ++i) {
        const double first = n_first <= n_second ? out[i] : total - out[i];
        out[i] = first / static_cast<double>(n_first) - (total - first) / static_cast<double>(n_second);
    }
    return out;
}

Buffer<double> permute_dot(const Vector<double>& x, const Vector<double>& y, std::int64_t n_permutations,
                           std::uint64_t seed, int threads) {
    check(x.size, n_permutations);
    if (x.size != y.size) refuse("x and y must have the same length; got ", x.size, " and ", y.size, ".");
    Buffer<double> out(n_permutations);
    const std::vector<double> sample(y.data, y.data + y.size);
    replicate(out, sample, threads, [&](std::vector<double>& copy, std::uint64_t i) {
        return shuffle_dot(x, copy, Integers(seed, i, 0));
    });
    return out;
}

}  // namespace hornbook
