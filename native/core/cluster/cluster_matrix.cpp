#include "core/cluster/cluster_matrix.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t ahead = 16;  // rows that are fetched before they are needed
constexpr double fewer = 0.7;      // of the clusters: the matrix is made smaller

typedef double LooseLanes __attribute__((vector_size(64), may_alias, aligned(8)));
typedef std::int64_t LooseInts __attribute__((vector_size(64), may_alias, aligned(8)));
typedef std::int64_t IntLanes __attribute__((vector_size(64), may_alias));

// Where the distances of a row to the rows after it begin, less the number of the first.
std::int64_t row_start(std::int64_t i, std::int64_t n) { return i * n - i * (i + 1) / 2 - i - 1; }

// The lowest place of the least sum of a distance and its barrier, in places `first` and after.
HORNBOOK_WIDE void least(const double* distances, const double* barrier, std::int64_t first,
                         std::int64_t last, double& distance, std::int64_t& place) {
    Lanes best = Lanes{} + infinity;
    IntLanes where{};
    IntLanes now = IntLanes{0, 1, 2, 3, 4, 5, 6, 7} + first;
    std::int64_t i = first;
    for (; i + lanes <= last; i += lanes, now += lanes) {
        const Lanes sum = *reinterpret_cast<const LooseLanes*>(distances + i) +
                          *reinterpret_cast<const LooseLanes*>(barrier + i);
        const IntLanes lower = sum < best;
        best = lower ? sum : best;
        where = lower ? now : where;
    }
    const auto take = [&](double sum, std::int64_t j) {
        if (sum < distance || (sum == distance && sum < infinity && j < place)) {
            distance = sum;
            place = j;
        }
    };
    for (std::int64_t r = 0; r < lanes; ++r) take(best[r], where[r]);
    for (; i < last; ++i) take(distances[i] + barrier[i], i);
}

// Compares the distances of row i to the rows after it with the least of those rows so far.
HORNBOOK_WIDE void lower_columns(const double* distances, std::int64_t i, std::int64_t n, double* least,
                                 std::int64_t* place) {
    std::int64_t j = i + 1;
    for (; j + lanes <= n; j += lanes) {
        const Lanes now = *reinterpret_cast<const LooseLanes*>(distances + j);
        LooseLanes& best = *reinterpret_cast<LooseLanes*>(least + j);
        LooseInts& where = *reinterpret_cast<LooseInts*>(place + j);
        const IntLanes lower = now < best;
        best = lower ? now : best;
        where = lower ? IntLanes{} + i : where;
    }
    for (; j < n; ++j)
        if (distances[j] < least[j]) {
            least[j] = distances[j];
            place[j] = i;
        }
}

// What a merge needs to know of the places that it passes.
struct Merging {
    std::int64_t kept;
    std::int64_t gone;
    double mass;  // of the first
    double other_mass;
    double* nearest;
    std::int64_t* partner;
};

// The distance to a merger, by those to its parts.
template <Linkage linkage, class Number>
[[gnu::always_inline]] inline void join(const Merging& m, Number& one, const Number& other) {
    if constexpr (linkage == Linkage::single)
        one = one < other ? one : other;
    else if constexpr (linkage == Linkage::complete)
        one = one > other ? one : other;
    else
        one = (m.mass * one + m.other_mass * other) / (m.mass + m.other_mass);
}

// Distances to the merger, in place of those to its first part, and what is nearest to each place after the
// merge: others were no nearer than the parts, and where equally near, no lower.
template <Linkage linkage>
[[gnu::always_inline]] inline void join_places(const Merging& m, std::int64_t first, std::int64_t last,
                                               double* distances, const double* others) {
    const IntLanes kept = IntLanes{} + m.kept;
    const IntLanes gone = IntLanes{} + m.gone;
    const IntLanes nobody = IntLanes{} - 1;
    const Lanes unknown = Lanes{} - infinity;
    std::int64_t i = first;
    for (; i + lanes <= last; i += lanes) {
        LooseLanes& place = *reinterpret_cast<LooseLanes*>(distances + i);
        const Lanes other = *reinterpret_cast<const LooseLanes*>(others + i);
        Lanes distance = place;
        join<linkage, Lanes>(m, distance, other);
        place = distance;
        LooseLanes& nearest = *reinterpret_cast<LooseLanes*>(m.nearest + i);
        LooseInts& partner = *reinterpret_cast<LooseInts*>(m.partner + i);
        const IntLanes who = partner;
        // One comparison in each choice: compilers take masks that are combined apart, number by number.
        const Lanes before = nearest;
        IntLanes rank = distance == before ? who : nobody;
        rank = distance < before ? kept : rank;
        Lanes otherwise = who == kept ? unknown : before;
        otherwise = who == gone ? unknown : otherwise;
        IntLanes unless = who == kept ? nobody : who;
        unless = who == gone ? nobody : unless;
        nearest = rank >= kept ? distance : otherwise;
        partner = rank >= kept ? kept : unless;
    }
    for (; i < last; ++i) {
        join<linkage, double>(m, distances[i], others[i]);
        const double distance = distances[i];
        double& nearest = m.nearest[i];
        std::int64_t& partner = m.partner[i];
        if (distance < nearest || (distance == nearest && partner >= m.kept)) {
            nearest = distance;
            partner = m.kept;
        } else if (partner == m.kept || partner == m.gone) {
            nearest = -infinity;
            partner = -1;
        }
    }
}

HORNBOOK_WIDE void join_single(const Merging& m, std::int64_t first, std::int64_t last, double* distances,
                               const double* others) {
    join_places<Linkage::single>(m, first, last, distances, others);
}

HORNBOOK_WIDE void join_complete(const Merging& m, std::int64_t first, std::int64_t last, double* distances,
                                 const double* others) {
    join_places<Linkage::complete>(m, first, last, distances, others);
}

HORNBOOK_WIDE void join_average(const Merging& m, std::int64_t first, std::int64_t last, double* distances,
                                const double* others) {
    join_places<Linkage::average>(m, first, last, distances, others);
}

}  // namespace

ClusterMatrix::ClusterMatrix(double* condensed, const Vector<double>& masses, Linkage linkage)
    : distances_(condensed),
      room_(masses.size * (masses.size - 1) / 2),
      linkage_(linkage),
      n_(masses.size),
      rows_(static_cast<std::size_t>(n_)),
      masses_(masses.data, masses.data + n_),
      barrier_(rows_.size(), 0.0),
      nearest_(rows_.size(), infinity),
      partner_(rows_.size(), n_),
      column_(rows_.size(), 0.0),
      other_column_(rows_.size(), 0.0) {
    std::iota(rows_.begin(), rows_.end(), 0);
    places_ = alive_ = rows_;
    survey();
}

// The nearest of every row, in one reading of the distances.
void ClusterMatrix::survey() {
    for (std::int64_t i = 0; i < n_; ++i) {
        pace_.spend(n_ - i);
        const double* row = distances_ + row_start(i, n_);
        double& best = nearest_[static_cast<std::size_t>(i)];
        std::int64_t& partner = partner_[static_cast<std::size_t>(i)];
        least(row, barrier_.data(), i + 1, n_, best, partner);
        lower_columns(row, i, n_, nearest_.data(), partner_.data());
        if (best < infinity) continue;
        best = -infinity;
        partner = -1;
    }
}

double ClusterMatrix::at(std::int64_t i, std::int64_t j) const {
    if (square_) return distances_[i * n_ + j];
    return i < j ? distances_[row_start(i, n_) + j] : distances_[row_start(j, n_) + i];
}

Nearby ClusterMatrix::nearest(std::int64_t cluster, std::int64_t preferred) {
    const std::int64_t place = place_of(cluster);
    const auto p = static_cast<std::size_t>(place);
    if (partner_[p] < 0) search(place);
    if (preferred >= 0)
        if (const double distance = at(place, place_of(preferred)); distance <= nearest_[p])
            return {preferred, distance};
    return {rows_[static_cast<std::size_t>(partner_[p])], nearest_[p]};
}

void ClusterMatrix::search(std::int64_t place) {
    pace_.spend(static_cast<std::int64_t>(alive_.size()));
    double best = infinity;
    std::int64_t partner = n_;
    if (square_) {
        least(distances_ + place * n_, barrier_.data(), 0, n_, best, partner);
    } else {
        read_column(place, column_.data());
        least(column_.data(), barrier_.data(), 0, place, best, partner);
        least(distances_ + row_start(place, n_), barrier_.data(), place + 1, n_, best, partner);
    }
    // Distances may all be infinite, where rows have no column in common.
    if (!(best < infinity)) partner = alive_[alive_.front() == place ? 1 : 0];
    nearest_[static_cast<std::size_t>(place)] = best;
    partner_[static_cast<std::size_t>(place)] = partner;
}

// The distances to the clusters at lower places, each from a row of its own.
void ClusterMatrix::read_column(std::int64_t place, double* out) const {
    const double* column = distances_ + place;
    for (std::size_t k = 0; k < alive_.size() && alive_[k] < place; ++k) {
        if (k + ahead < alive_.size()) __builtin_prefetch(column + row_start(alive_[k + ahead], n_));
        out[alive_[k]] = column[row_start(alive_[k], n_)];
    }
}

void ClusterMatrix::merge(std::int64_t one, std::int64_t other) {
    const std::int64_t kept = place_of(std::min(one, other));
    const std::int64_t gone = place_of(std::max(one, other));
    pace_.spend(3 * static_cast<std::int64_t>(alive_.size()));
    alive_.erase(std::lower_bound(alive_.begin(), alive_.end(), gone));
    barrier_[static_cast<std::size_t>(gone)] = infinity;
    join(kept, gone);
    masses_[static_cast<std::size_t>(kept)] += masses_[static_cast<std::size_t>(gone)];
    const auto left = static_cast<std::int64_t>(alive_.size());
    if (square_ ? static_cast<double>(left) < fewer * static_cast<double>(n_) : left * left <= room_)
        shrink();
}

void ClusterMatrix::join(std::int64_t kept, std::int64_t gone) {
    const Merging m{kept,
                    gone,
                    masses_[static_cast<std::size_t>(kept)],
                    masses_[static_cast<std::size_t>(gone)],
                    nearest_.data(),
                    partner_.data()};
    const auto pass = linkage_ == Linkage::single     ? join_single
                      : linkage_ == Linkage::complete ? join_complete
                                                      : join_average;
    double best = infinity;
    std::int64_t partner = n_;
    if (square_) {
        double* row = distances_ + kept * n_;
        pass(m, 0, n_, row, distances_ + gone * n_);
        row[kept] = infinity;
        least(row, barrier_.data(), 0, n_, best, partner);
        for (std::size_t k = 0; k < alive_.size(); ++k) {
            if (k + ahead < alive_.size()) __builtin_prefetch(distances_ + alive_[k + ahead] * n_ + kept, 1);
            distances_[alive_[k] * n_ + kept] = row[alive_[k]];
        }
    } else {
        double* row = distances_ + row_start(kept, n_);
        read_column(kept, column_.data());
        read_column(gone, other_column_.data());
        pass(m, 0, kept, column_.data(), other_column_.data());
        pass(m, kept + 1, gone, row, other_column_.data());
        pass(m, gone + 1, n_, row, distances_ + row_start(gone, n_));
        least(column_.data(), barrier_.data(), 0, kept, best, partner);
        least(row, barrier_.data(), kept + 1, n_, best, partner);
        for (std::size_t k = 0; k < alive_.size() && alive_[k] < kept; ++k)
            distances_[row_start(alive_[k], n_) + kept] = column_[static_cast<std::size_t>(alive_[k])];
    }
    const bool known = best < infinity;
    nearest_[static_cast<std::size_t>(kept)] = known ? best : -infinity;
    partner_[static_cast<std::size_t>(kept)] = known ? partner : -1;
}

// Leaves out the places of clusters that are gone.
void ClusterMatrix::shrink() {
    const auto left = static_cast<std::int64_t>(alive_.size());
    std::vector<std::int64_t> fresh(static_cast<std::size_t>(n_), -1);
    for (std::int64_t k = 0; k < left; ++k) {
        pace_.spend(left);
        const std::int64_t i = alive_[static_cast<std::size_t>(k)];
        fresh[static_cast<std::size_t>(i)] = k;
        const double* from = distances_ + (square_ ? i * n_ : row_start(i, n_));
        double* to = distances_ + (square_ ? k * left : row_start(k, left));
        for (std::int64_t l = square_ ? 0 : k + 1; l < left; ++l)
            to[l] = from[alive_[static_cast<std::size_t>(l)]];
    }
    for (std::int64_t k = 0; k < left; ++k) {
        const auto i = static_cast<std::size_t>(alive_[static_cast<std::size_t>(k)]);
        const auto to = static_cast<std::size_t>(k);
        nearest_[to] = nearest_[i];
        partner_[to] = partner_[i] < 0 ? -1 : fresh[static_cast<std::size_t>(partner_[i])];
        masses_[to] = masses_[i];
        rows_[to] = rows_[i];
        places_[static_cast<std::size_t>(rows_[to])] = k;
        barrier_[to] = 0.0;
    }
    n_ = left;
    std::iota(alive_.begin(), alive_.end(), 0);
    if (!square_) to_square();
}

void ClusterMatrix::to_square() {
    constexpr std::int64_t side = 32;  // of a piece that is turned at a time
    square_ = true;
    // From the last row on, no row lands on one that has not been moved.
    for (std::int64_t i = n_ - 1; i >= 0; --i) {
        pace_.spend(n_ - i);
        const double* from = distances_ + row_start(i, n_) + i + 1;
        std::copy_backward(from, from + (n_ - i - 1), distances_ + (i + 1) * n_);
    }
    for (std::int64_t top = 0; top < n_; top += side) {
        pace_.spend(top * side);
        for (std::int64_t left = 0; left <= top; left += side)
            for (std::int64_t i = top; i < std::min(top + side, n_); ++i)
                for (std::int64_t j = left; j < std::min(left + side, i); ++j)
                    distances_[i * n_ + j] = distances_[j * n_ + i];
    }
    for (std::int64_t i = 0; i < n_; ++i) distances_[i * n_ + i] = infinity;
}

}  // namespace hornbook
