#include "core/tree/simd/level_ranks.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

typedef double LooseLanes __attribute__((vector_size(64), may_alias, aligned(8)));

std::int64_t padded(std::int64_t size) { return (size + lanes - 1) / lanes * lanes; }

// Class frequencies of levels less their means, in rows and in columns, both filled up with zeros.
struct Shares {
    std::int64_t levels, classes;  // padded
    double *rows, *columns, *weight;
};

// part[r] = weight of level r times its share along the axis; the sum goes over the classes in order.
HORNBOOK_WIDE void project(const Shares& shares, std::int64_t classes, const double* axis, double* along) {
    for (std::int64_t r = 0; r < shares.levels; r += lanes) {
        Lanes sum{};
        for (std::int64_t c = 0; c < classes; ++c)
            sum += *reinterpret_cast<const LooseLanes*>(shares.columns + c * shares.levels + r) * axis[c];
        *reinterpret_cast<LooseLanes*>(along + r) = sum;
    }
}

// next = sum of weight * along * shares, over the levels in order.
HORNBOOK_WIDE void combine(const Shares& shares, std::int64_t levels, const double* along, double* next) {
    for (std::int64_t c = 0; c < shares.classes; c += lanes) {
        Lanes sum{};
        for (std::int64_t r = 0; r < levels; ++r)
            sum += (shares.weight[r] * along[r]) *
                   *reinterpret_cast<const LooseLanes*>(shares.rows + r * shares.classes + c);
        *reinterpret_cast<LooseLanes*>(next + c) = sum;
    }
}

HORNBOOK_WIDE double largest_of(const double* scores, std::int64_t size) {
    Lanes most = Lanes{} + no_gain;
    std::int64_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        const Lanes next = *reinterpret_cast<const LooseLanes*>(scores + i);
        most = next > most ? next : most;
    }
    double largest = no_gain;
    for (std::int64_t l = 0; l < lanes; ++l) largest = std::max(largest, most[l]);
    for (; i < size; ++i) largest = std::max(largest, scores[i]);
    return largest;
}

constexpr std::int64_t block = 4 * lanes;

// The first block from `at` on with a score of at least `level`, or the end of the last whole block.
HORNBOOK_WIDE std::int64_t next_block(const double* scores, std::int64_t at, std::int64_t size,
                                      double level) {
    for (; at + block <= size; at += block) {
        Lanes most = *reinterpret_cast<const LooseLanes*>(scores + at);
        for (std::int64_t i = lanes; i < block; i += lanes) {
            const Lanes next = *reinterpret_cast<const LooseLanes*>(scores + at + i);
            most = next > most ? next : most;
        }
        double largest = no_gain;
        for (std::int64_t l = 0; l < lanes; ++l) largest = most[l] > largest ? most[l] : largest;
        if (largest >= level) return at;
    }
    return at;
}

// Fills the shares, and the axis with those of the level that is farthest from the mean.
HORNBOOK_WIDE void center(const LevelWeights& table, const Shares& shares, double* mean, double* axis) {
    double all = 0.0, farthest = 0.0;
    for (std::int64_t r = 0; r < table.levels; ++r) {
        const double* weights = table.of(r);
        double weight = 0.0;
        for (std::int64_t c = 0; c < table.classes; ++c) weight += weights[c];
        shares.weight[r] = weight;
        all += weight;
        for (std::int64_t c = 0; c < table.classes; ++c) {
            mean[c] += weights[c];
            shares.rows[r * shares.classes + c] = weights[c] / weight;
        }
    }
    for (std::int64_t c = 0; c < table.classes; ++c) mean[c] /= all;
    for (std::int64_t r = 0; r < table.levels; ++r) {
        double* share = shares.rows + r * shares.classes;
        double square = 0.0;
        for (std::int64_t c = 0; c < table.classes; ++c) {
            share[c] -= mean[c];
            square += share[c] * share[c];
            shares.columns[c * shares.levels + r] = share[c];
        }
        if (shares.weight[r] * square > farthest) {
            farthest = shares.weight[r] * square;
            std::copy_n(share, table.classes, axis);
        }
    }
}

// A table of sums over all sets of the first `levels` levels, from the sums over single levels.
HORNBOOK_WIDE void add_level(const double* single, std::int64_t level, double scale, double* sums) {
    sums[0] = 0.0;
    for (std::int64_t j = 0; j < level; ++j) {
        const std::int64_t half = std::int64_t{1} << j;
        const double more = scale * single[j];
        for (std::int64_t s = 0; s < half; ++s) sums[half + s] = sums[s] + more;
    }
}

// Squares of the sums over sets that hold the level, from those that do not.
HORNBOOK_WIDE void extend_squares(double* squares, const double* cross, double own, std::int64_t size) {
    for (std::int64_t s = 0; s < size; ++s) squares[size + s] = squares[s] + (cross[s] + own);
}

HORNBOOK_WIDE void score_sets(const double* weight, const double* along, double whole, double all_squares,
                              std::int64_t size, double* squares) {
    for (std::int64_t s = 0; s < size; ++s) {
        const double other = all_squares - 2.0 * along[s] + squares[s];
        squares[s] = squares[s] / weight[s] + other / (whole - weight[s]);
    }
}

}  // namespace

double largest_score(std::span<const double> scores) { return largest_of(scores.data(), std::ssize(scores)); }

std::int64_t next_reaching(std::span<const double> scores, std::int64_t at, double level) {
    const std::int64_t size = std::ssize(scores);
    for (; at < size; ++at) {
        if (at % block == 0) at = next_block(scores.data(), at, size, level);
        if (at < size && scores[static_cast<std::size_t>(at)] >= level) break;
    }
    return std::min(at, size);
}

void rank_by_component(const LevelWeights& table, Workspace& work, double* rank) {
    constexpr int rounds = 12;
    Shares shares{padded(table.levels), padded(table.classes), nullptr, nullptr, nullptr};
    const std::int64_t cells = shares.levels * shares.classes;
    const std::int64_t size = 2 * cells + 2 * shares.levels + 3 * shares.classes;
    double* memory = resized(work.planes, size);
    std::fill_n(memory, size, 0.0);
    shares.rows = memory;
    shares.columns = memory + cells;
    shares.weight = shares.columns + cells;
    double* along = shares.weight + shares.levels;
    double* mean = along + shares.levels;
    double* axis = mean + shares.classes;
    double* next = axis + shares.classes;
    center(table, shares, mean, axis);
    for (int round = 0; round < rounds; ++round) {
        project(shares, table.classes, axis, along);
        combine(shares, table.levels, along, next);
        double largest = 0.0;
        for (std::int64_t c = 0; c < table.classes; ++c) largest = std::max(largest, std::fabs(next[c]));
        if (!(largest > 0.0)) break;  // all levels have the same shares
        for (std::int64_t c = 0; c < table.classes; ++c) axis[c] = next[c] / largest;
    }
    project(shares, table.classes, axis, along);
    std::copy_n(along, table.levels, rank);
}

// With c_i the class weights of level i, the squares of a set grow by |c_i|^2 + 2 sum c_i.c_j with a level i,
// and those of its complement are |T|^2 - 2 T.l + |l|^2, where l sums the set and T all levels.
std::span<const double> score_subsets(const LevelWeights& table, Workspace& work) {
    const std::int64_t n = table.levels, sets = std::int64_t{1} << (n - 1);
    double* squares = resized(work.planes, 4 * sets + 4 * n + table.classes);
    double *cross = squares + sets, *weight = cross + sets, *along = weight + sets;
    double *gram = along + sets, *weights = gram + n, *alongs = weights + n, *total = alongs + n;
    std::fill_n(total, table.classes, 0.0);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < table.classes; ++k) total[k] += table.of(i)[k];
    const auto dot = [&](const double* a, const double* b) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < table.classes; ++k) sum += a[k] * b[k];
        return sum;
    };
    squares[0] = 0.0;
    for (std::int64_t i = 0; i + 1 < n; ++i) {
        const double* own = table.of(i);
        for (std::int64_t j = 0; j <= i; ++j) gram[j] = dot(own, table.of(j));
        add_level(gram, i, 2.0, cross);
        extend_squares(squares, cross, gram[i], std::int64_t{1} << i);
        weights[i] = 0.0;
        for (std::int64_t k = 0; k < table.classes; ++k) weights[i] += own[k];
        alongs[i] = dot(own, total);
    }
    add_level(weights, n - 1, 1.0, weight);
    add_level(alongs, n - 1, 1.0, along);
    double whole = 0.0;
    for (std::int64_t k = 0; k < table.classes; ++k) whole += total[k];
    score_sets(weight, along, whole, dot(total, total), sets, squares);
    squares[0] = no_gain;
    return {squares, static_cast<std::size_t>(sets)};
}

}  // namespace hornbook
