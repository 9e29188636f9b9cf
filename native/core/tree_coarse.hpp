// The best cut of an ordered column without sorting all of its rows. Rows are counted in coarse bins of
// codes; scores are convex in what lies left of the cut, so the corners of the box that a bin spans bound
// every cut inside it, and only the few bins that may hold the best cut are sorted. The answer is that of a
// full sort.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/tree_groups.hpp"
#include "core/tree_judge.hpp"
#include "core/tree_pick.hpp"

namespace hornbook {

// Codes of the rows of a node that have a value.
struct GatheredCodes {
    const std::uint32_t* codes;
    std::int64_t size;
    std::uint32_t low, high;
};

// Copies the codes of the rows into work.gathered, one column after the other. Where few of the table's rows
// are read, all columns are read together, because those of one row are close to each other.
void gather_codes(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                  Workspace& work);

// The gathered codes of one of the columns. If some rows lack the value, `rows` becomes a copy in which they
// come last.
GatheredCodes known_codes(const CodedColumn& column, std::int64_t place, Rows& rows, Workspace& work);

// Keeps the first of the best cuts; a cut is told by the smallest code on its right.
template <class Judge>
class BestCut {
  public:
    BestCut(const Judge& judge, double tolerance) : judge_(judge), tolerance_(tolerance) {}

    // Cuts of at most this score are not wanted.
    void raise(double level) { bar_ = level; }

    void offer(const Judged& judged, std::uint32_t edge) {
        if (!(judged.score > bar_)) return;
        bar_ = judged.score + tolerance_;
        best_ = judged;
        edge_ = edge;
    }
    void offer(const typename Judge::Sums& left, std::uint32_t edge) {
        if (judge_.may_reach(bar_, left)) offer(judge_.judge(left, tolerance_), edge);
    }

    // Which codes lie next to the cut is found out when rows are sent to its sides.
    Candidate found() const {
        const auto edge = static_cast<std::int32_t>(edge_);
        return {best_.score, edge - 1, edge, best_.missing_child};
    }

  private:
    const Judge& judge_;
    double tolerance_;
    double bar_ = no_gain;
    Judged best_;
    std::uint32_t edge_ = 0;
};

// Walks sorted keys; `left` is what lies before them. A cut before the first is somebody else's.
template <class Judge>
void walk_keys(const Judge& judge, const std::uint64_t* keys, std::int64_t size, typename Judge::Sums left,
               BestCut<Judge>& best) {
    auto last = static_cast<std::uint32_t>(keys[0] >> 32);
    for (std::int64_t i = 0; i < size; ++i) {
        const auto code = static_cast<std::uint32_t>(keys[i] >> 32);
        if (code != last) best.offer(left, code);
        last = code;
        left += judge.of(static_cast<std::uint32_t>(keys[i]));
    }
}

// Few rows are sorted.
template <class Judge>
void cut_sorted(const Judge& judge, const GatheredCodes& gathered, Workspace& work, BestCut<Judge>& best) {
    std::uint64_t* keys = room(work.keys, gathered.size);
    for (std::int64_t i = 0; i < gathered.size; ++i) keys[i] = key_of(gathered.codes[i], i);
    sort_keys(work, gathered.size, gathered.low, gathered.high);
    walk_keys(judge, work.keys.data(), gathered.size, typename Judge::Sums{}, best);
}

// What lies before each bin; a bin holds codes that agree but for the last `shift` bits. The first bin and
// the last have rows.
template <class Judge>
struct CoarseBins {
    using Sums = typename Judge::Sums;
    static constexpr std::size_t margin = 4;  // that wide loops may read beyond the end

    CoarseBins(const Judge& judge, const GatheredCodes& gathered, Workspace& work) : low(gathered.low) {
        constexpr std::int64_t rows_in_bin = 8;
        const std::uint32_t range = gathered.high - low;
        const auto wanted = std::bit_width(static_cast<std::uint64_t>(gathered.size / rows_in_bin));
        shift = std::max(0, static_cast<int>(std::bit_width(range)) - static_cast<int>(wanted));
        count = (static_cast<std::int64_t>(range) >> shift) + 1;
        std::vector<Sums>& memory = judge.bins(work);
        memory.assign(static_cast<std::size_t>(count) + 1 + margin, Sums{});
        const std::uint32_t* codes = gathered.codes;
        Sums* to = memory.data() + 1;
        const std::int64_t n = gathered.size;
        for (std::int64_t i = 0; i < n; ++i) to[of(codes[i])] += judge.of(i);
        for (std::int64_t b = 1; b < count; ++b) to[b] += to[b - 1];
        left = memory.data();
    }

    std::uint32_t of(std::uint32_t code) const { return (code - low) >> shift; }
    std::uint32_t edge(std::int64_t b) const { return low + (static_cast<std::uint32_t>(b) << shift); }

    std::uint32_t low;
    int shift = 0;
    std::int64_t count = 0;
    const Sums* left;
};

// Puts the rows of flagged bins into work.keys, sorted. Returns how many there are.
template <class Judge>
std::int64_t collect(const CoarseBins<Judge>& bins, const GatheredCodes& gathered, Workspace& work) {
    std::uint32_t* chosen = room(work.chosen, gathered.size);
    std::uint64_t* keys = room(work.keys, gathered.size);
    const std::uint32_t* codes = gathered.codes;
    const std::uint8_t* flags = work.flags.data();
    const std::int64_t n = gathered.size;
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < n; ++i) {  // no branch, it would be a guess
        chosen[kept] = static_cast<std::uint32_t>(i);
        kept += flags[bins.of(codes[i])] & 1;
    }
    for (std::int64_t k = 0; k < kept; ++k) keys[k] = key_of(codes[chosen[k]], chosen[k]);
    sort_keys(work, kept, gathered.low, gathered.high);
    return kept;
}

template <class Judge>
void cut_coarse(const Judge& judge, const GatheredCodes& gathered, double tolerance, Workspace& work,
                BestCut<Judge>& best) {
    const CoarseBins<Judge> bins(judge, gathered, work);
    const double level = std::max(judge.best_edge(bins.left, bins.count), work.floor) - 2.0 * tolerance;
    work.flags.assign(static_cast<std::size_t>(bins.count) + bins.margin, 0);
    judge.flag(bins.left, bins.count, level, work.flags.data());
    best.raise(level);
    const std::int64_t kept = bins.shift > 0 ? collect(bins, gathered, work) : 0;
    const std::uint64_t* keys = work.keys.data();
    const std::uint64_t* end = keys + kept;
    for (std::int64_t b = 0; b < bins.count; ++b) {
        if (!work.flags[static_cast<std::size_t>(b)]) continue;
        if (b > 0 && work.flags[static_cast<std::size_t>(b)] & 2) best.offer(bins.left[b], bins.edge(b));
        const std::uint64_t* first = keys;
        while (keys != end &&
               bins.of(static_cast<std::uint32_t>(*keys >> 32)) == static_cast<std::uint32_t>(b))
            ++keys;
        if (keys != first) walk_keys(judge, first, keys - first, bins.left[b], best);
    }
}

// The best cut of the gathered codes.
template <class Judge>
Candidate best_cut(const Judge& judge, const GatheredCodes& gathered, std::int32_t n_codes, double tolerance,
                   Workspace& work) {
    constexpr std::int64_t few = 24;
    BestCut<Judge> best(judge, tolerance);
    best.raise(work.floor - 2.0 * tolerance);
    if (gathered.low < gathered.high) {
        if (gathered.size <= few)
            cut_sorted(judge, gathered, work, best);
        else
            cut_coarse(judge, gathered, tolerance, work, best);
    }
    if (judge.has_missing()) best.offer(judge.only_missing_right(), static_cast<std::uint32_t>(n_codes));
    work.floor = std::max(work.floor, best.found().score);
    return best.found();
}

}  // namespace hornbook
