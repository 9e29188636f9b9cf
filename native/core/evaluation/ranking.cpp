#include "core/evaluation/ranking.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/philox.hpp"
#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

__extension__ typedef unsigned __int128 Wide;  // the 128-bit product has no name in the standard

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

// An integer that is ordered as the score is; adding zero turns -0 into 0.
std::uint64_t key_of(double score) {
    const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

double score_of(std::uint64_t key) { return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key); }

struct Weighted {
    std::uint64_t key;
    double weight;
};

struct Placed {
    std::uint64_t key;
    std::int64_t row;
};

std::uint64_t key_in(std::uint64_t entry) { return entry; }
template <class Entry>
std::uint64_t key_in(const Entry& entry) {
    return entry.key;
}

// Stable radix sort by key, ascending: one counting pass for each digit of 11 bits that differs between keys.
template <class Entry>
void sort_by_key(std::vector<Entry>& entries) {
    constexpr int bits = 11;
    constexpr int digits = 6;
    constexpr std::size_t values = std::size_t{1} << bits;
    constexpr std::size_t few = 1024;
    if (entries.size() < few) {
        std::stable_sort(entries.begin(), entries.end(),
                         [](const Entry& a, const Entry& b) { return key_in(a) < key_in(b); });
        return;
    }
    std::vector<std::array<std::size_t, values>> counts(digits);
    for (const Entry& entry : entries)
        for (int d = 0; d < digits; ++d)
            ++counts[static_cast<std::size_t>(d)][(key_in(entry) >> (bits * d)) & (values - 1)];
    std::vector<Entry> other(entries.size());
    for (int d = 0; d < digits; ++d) {
        stop_point();
        std::array<std::size_t, values>& place = counts[static_cast<std::size_t>(d)];
        const int shift = bits * d;
        if (place[(key_in(entries.front()) >> shift) & (values - 1)] == entries.size()) continue;
        std::size_t before = 0;
        for (std::size_t& count : place) before += std::exchange(count, before);
        for (const Entry& entry : entries) other[place[(key_in(entry) >> shift) & (values - 1)]++] = entry;
        entries.swap(other);
    }
}

void check(const ScoredRows& rows) {
    for (std::int64_t i = 0; i < rows.score.size; ++i)
        if (std::isnan(rows.score.data[i])) refuse("score is NaN in row ", i, ".");
    if (rows.weight == nullptr) return;
    for (std::int64_t i = 0; i < rows.score.size; ++i)
        if (!(rows.weight[i] >= 0.0) || std::isinf(rows.weight[i]))
            refuse("w must be finite and not negative; got ", rows.weight[i], " in row ", i, ".");
}

// The keys of each class, sorted. Without weights an entry is the key alone, which halves the traffic.
template <class Entry>
struct Classes {
    std::vector<Entry> positive;
    std::vector<Entry> negative;
};

template <class Entry>
Classes<Entry> sorted_classes(const ScoredRows& rows) {
    Classes<Entry> out;
    const auto n = static_cast<std::size_t>(rows.score.size);
    const auto n_positive = static_cast<std::size_t>(std::count(rows.positive, rows.positive + n, true));
    // One spare entry each, so that the loop can write to both without a branch.
    out.positive.resize(n_positive + 1);
    out.negative.resize(n - n_positive + 1);
    std::size_t p = 0;
    std::size_t q = 0;
    for (std::size_t i = 0; i < n; ++i) {
        Entry entry;
        if constexpr (std::is_same_v<Entry, Weighted>)
            entry = {key_of(rows.score.data[i]), rows.weight[i]};
        else
            entry = key_of(rows.score.data[i]);
        const std::size_t yes = rows.positive[i] ? 1 : 0;
        out.positive[p] = entry;
        out.negative[q] = entry;
        p += yes;
        q += 1 - yes;
    }
    out.positive.pop_back();
    out.negative.pop_back();
    sort_by_key(out.positive);
    sort_by_key(out.negative);
    return out;
}

// Unweighted rows are counted as integers, so that their sums are exact.
std::uint64_t mass(std::uint64_t) { return 1; }
double mass(const Weighted& entry) { return entry.weight; }

template <class Entry>
using Mass = decltype(mass(std::declval<Entry>()));

// Adds up the entries with this key.
template <class Entry>
Mass<Entry> take(const std::vector<Entry>& entries, std::size_t& next, std::uint64_t key) {
    Mass<Entry> total{};
    while (next < entries.size() && key_in(entries[next]) == key) total += mass(entries[next++]);
    return total;
}

// Calls visit(key, positive, negative) for each distinct score, from the lowest to the highest.
template <class Entry, class Visit>
void for_each_score(const Classes<Entry>& classes, const Visit& visit) {
    std::size_t p = 0;
    std::size_t q = 0;
    while (p < classes.positive.size() || q < classes.negative.size()) {
        const bool from_positive =
            q == classes.negative.size() ||
            (p < classes.positive.size() && key_in(classes.positive[p]) < key_in(classes.negative[q]));
        const std::uint64_t key = from_positive ? key_in(classes.positive[p]) : key_in(classes.negative[q]);
        const Mass<Entry> yes = take(classes.positive, p, key);
        visit(key, yes, take(classes.negative, q, key));
    }
}

template <class Entry>
ScoreGroups groups_of(const ScoredRows& rows) {
    const Classes<Entry> classes = sorted_classes<Entry>(rows);
    std::int64_t count = 0;
    for_each_score(classes, [&](std::uint64_t, Mass<Entry>, Mass<Entry>) { ++count; });
    ScoreGroups out{Buffer<double>(count), Buffer<double>(count), Buffer<double>(count)};
    std::int64_t place = count;
    for_each_score(classes, [&](std::uint64_t key, Mass<Entry> yes, Mass<Entry> no) {
        --place;
        out.score[place] = score_of(key);
        out.positive[place] = static_cast<double>(yes);
        out.negative[place] = static_cast<double>(no);
    });
    return out;
}

[[noreturn]] void refuse_one_class() { refuse("both classes need a row of positive weight; one has none."); }

template <class Entry>
double auc_of(const ScoredRows& rows) {
    Mass<Entry> twice_above{};
    Mass<Entry> below{};
    Mass<Entry> positive{};
    for_each_score(sorted_classes<Entry>(rows), [&](std::uint64_t, Mass<Entry> yes, Mass<Entry> no) {
        twice_above += yes * (2 * below + no);
        below += no;
        positive += yes;
    });
    const double pairs = static_cast<double>(positive) * static_cast<double>(below);
    if (!(pairs > 0.0)) refuse_one_class();
    return static_cast<double>(twice_above) / (2.0 * pairs);
}

// Rows in ascending order of the score: the class, and whether the next row has a higher score.
struct Order {
    std::vector<std::uint8_t> positive;
    std::vector<std::uint8_t> last;
};

Order order_of(const ScoredRows& rows) {
    const auto n = static_cast<std::size_t>(rows.score.size);
    std::vector<Placed> entries(n);
    for (std::size_t i = 0; i < n; ++i)
        entries[i] = {key_of(rows.score.data[i]), static_cast<std::int64_t>(i)};
    sort_by_key(entries);
    Order out{std::vector<std::uint8_t>(n), std::vector<std::uint8_t>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        out.positive[i] = rows.positive[entries[i].row] ? 1 : 0;
        out.last[i] = i + 1 == n || entries[i + 1].key != entries[i].key ? 1 : 0;
    }
    return out;
}

// AUC of rows that count as often as they were drawn; -1 when a class is missing.
double auc_of_draw(const Order& order, const std::vector<std::uint32_t>& drawn) {
    std::uint64_t twice_above = 0;
    std::uint64_t below = 0;
    std::uint64_t positive = 0;
    std::uint64_t yes = 0;
    std::uint64_t no = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const std::uint64_t count = drawn[i];
        yes += order.positive[i] * count;
        no += count - order.positive[i] * count;
        if (order.last[i] == 0) continue;
        twice_above += yes * (2 * below + no);
        below += no;
        positive += yes;
        yes = no = 0;
    }
    if (positive == 0 || below == 0) return -1.0;
    return static_cast<double>(twice_above) /
           (2.0 * static_cast<double>(positive) * static_cast<double>(below));
}

// Counts how often each row is drawn when n rows are.
void draw(std::vector<std::uint32_t>& drawn, std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
    const std::uint64_t n = drawn.size();
    std::fill(drawn.begin(), drawn.end(), 0);
    for (std::uint64_t first = 0; first < n; first += 4) {
        const std::array<std::uint64_t, 4> words = philox_block(seed, stream, index, first / 4);
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(4, n - first); ++i)
            ++drawn[static_cast<std::uint64_t>((static_cast<Wide>(words[i]) * n) >> 64)];
    }
}

double auc_of_replicate(const Order& order, std::vector<std::uint32_t>& drawn, std::uint64_t seed,
                        std::uint64_t stream, std::uint64_t replicate) {
    // At most every other draw lacks a class (with two rows); if all of them did, each row counts once.
    constexpr std::uint64_t most_draws = 1024;
    for (std::uint64_t attempt = 0; attempt < most_draws; ++attempt) {
        draw(drawn, seed, stream + attempt, replicate);
        const double area = auc_of_draw(order, drawn);
        if (area >= 0.0) return area;
    }
    std::fill(drawn.begin(), drawn.end(), 1);
    return auc_of_draw(order, drawn);
}

}  // namespace

ScoreGroups score_groups(const ScoredRows& rows) {
    check(rows);
    return rows.weight == nullptr ? groups_of<std::uint64_t>(rows) : groups_of<Weighted>(rows);
}

double auc(const ScoredRows& rows) {
    check(rows);
    return rows.weight == nullptr ? auc_of<std::uint64_t>(rows) : auc_of<Weighted>(rows);
}

Buffer<double> auc_bootstrap(const ScoredRows& rows, std::int64_t n_replicates, std::uint64_t seed,
                             std::uint64_t stream, int threads) {
    check(rows);
    if (n_replicates < 0) refuse("n_replicates must be at least 0; got ", n_replicates, ".");
    const auto n = static_cast<std::size_t>(rows.score.size);
    const auto positive = static_cast<std::size_t>(std::count(rows.positive, rows.positive + n, true));
    if (positive == 0 || positive == n) refuse_one_class();
    const Order order = order_of(rows);
    Buffer<double> out(n_replicates);
    constexpr std::int64_t run = 16;  // replicates that share one array of counts
    parallel_rows(n_replicates, run, threads, [&](std::int64_t first, std::int64_t last) {
        std::vector<std::uint32_t> drawn(n);
        Pace pace;
        for (std::int64_t r = first; r < last; ++r) {
            out[r] = auc_of_replicate(order, drawn, seed, stream, static_cast<std::uint64_t>(r));
            pace.spend(static_cast<std::int64_t>(n));
        }
    });
    return out;
}

Buffer<std::int64_t> upper_hull(Vector<double> x, Vector<double> y) {
    if (x.size != y.size) refuse("x and y must have the same length; got ", x.size, " and ", y.size, ".");
    std::vector<std::int64_t> hull;
    for (std::int64_t i = 0; i < x.size; ++i) {
        if (!std::isfinite(x.data[i]) || !std::isfinite(y.data[i])) refuse("point ", i, " is not finite.");
        if (i > 0 && (x.data[i] < x.data[i - 1] || y.data[i] < y.data[i - 1]))
            refuse("neither x nor y may descend; one does at point ", i, ".");
        // Drop a vertex if the line from the one before it to the new point passes through or above it.
        while (hull.size() >= 2) {
            const std::int64_t a = hull[hull.size() - 2];
            const std::int64_t b = hull.back();
            const double up = (y.data[b] - y.data[a]) * (x.data[i] - x.data[b]);
            const double on = (y.data[i] - y.data[b]) * (x.data[b] - x.data[a]);
            if (up > on) break;
            hull.pop_back();
        }
        hull.push_back(i);
    }
    Buffer<std::int64_t> out(static_cast<std::int64_t>(hull.size()));
    std::copy(hull.begin(), hull.end(), out.data());
    return out;
}

}  // namespace hornbook
