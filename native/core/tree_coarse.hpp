// The best cut of an ordered column without sorting all of its rows. Rows are counted in coarse bins of
// codes; scores are convex in what lies left of the cut, so the corners of the box that a bin spans bound
// every cut inside it, and only the few bins that may hold the best cut are sorted. The answer is that of a
// full sort.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/tree_groups.hpp"
#include "core/tree_judge.hpp"
#include "core/tree_pick.hpp"

namespace hornbook {

// Codes of the rows of a node that have a value.
struct GatheredCodes {
    std::int64_t size = 0;
    std::uint32_t low = ~std::uint32_t{0}, high = 0;
};

// Gathers the codes of the rows into work.gathered. If some lack the value, `rows` becomes a copy in which
// they come last.
GatheredCodes gather_codes(const CodedColumn& column, Rows& rows, Workspace& work);

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

inline std::uint64_t key_of(std::uint32_t code, std::int64_t i) {
    return static_cast<std::uint64_t>(code) << 32 | static_cast<std::uint64_t>(i);
}

// Few rows are sorted.
template <class Judge>
void cut_sorted(const Judge& judge, const GatheredCodes& gathered, Workspace& work, BestCut<Judge>& best) {
    const auto size = static_cast<std::size_t>(gathered.size);
    if (work.keys.size() < size) work.keys.resize(size);
    for (std::int64_t i = 0; i < gathered.size; ++i) work.keys.data()[i] = key_of(work.gathered.data()[i], i);
    sort_keys(work, gathered.size, gathered.low, gathered.high);
    walk_keys(judge, work.keys.data(), gathered.size, typename Judge::Sums{}, best);
}

// Sums over the rows of each bin; a bin holds codes that agree but for the last `shift` bits.
template <class Judge>
struct CoarseBins {
    using Sums = typename Judge::Sums;

    CoarseBins(const Judge& judge, const GatheredCodes& gathered, Workspace& work)
        : low(gathered.low), sums(judge.bins(work)) {
        constexpr std::int64_t rows_in_bin = 8;
        const std::uint32_t range = gathered.high - low;
        const auto wanted = std::bit_width(static_cast<std::uint64_t>(gathered.size / rows_in_bin));
        shift = std::max(0, static_cast<int>(std::bit_width(range)) - static_cast<int>(wanted));
        sums.assign((static_cast<std::size_t>(range) >> shift) + 1, Sums{});
        const std::uint32_t* codes = work.gathered.data();
        Sums* to = sums.data();
        const std::int64_t n = gathered.size;
        for (std::int64_t i = 0; i < n; ++i) to[of(codes[i])] += judge.of(i);
    }

    std::uint32_t of(std::uint32_t code) const { return (code - low) >> shift; }

    // Calls fn(bin, what lies left of it) for all bins with rows. The first bin and the last have some.
    template <class Fn>
    void each(Fn&& fn) const {
        Sums left{};
        for (std::size_t b = 0; b < sums.size(); ++b) {
            if (sums[b].rows == 0) continue;
            fn(b, left);
            left += sums[b];
        }
    }
    std::uint32_t edge(std::size_t b) const { return low + (static_cast<std::uint32_t>(b) << shift); }

    std::uint32_t low;
    int shift = 0;
    std::vector<Sums>& sums;
};

// Puts the rows of the bins in which a cut may score `level` into work.keys, bin by bin. Places end up behind
// the rows of each bin. False when there are none.
template <class Judge>
bool collect(const Judge& judge, const CoarseBins<Judge>& bins, const GatheredCodes& gathered, double level,
             Workspace& work) {
    const auto nowhere = static_cast<std::uint32_t>(gathered.size);
    work.places.assign(bins.sums.size(), {nowhere, 0});
    BinPlace* places = work.places.data();
    std::uint32_t kept = 0;
    bins.each([&](std::size_t b, const auto& left) {
        if (bins.sums[b].rows < 2 || !judge.may_reach(level, left, bins.sums[b])) return;
        places[b] = {kept, 1};
        kept += static_cast<std::uint32_t>(bins.sums[b].rows);
    });
    if (kept == 0) return false;
    if (work.keys.size() <= nowhere) work.keys.resize(nowhere + std::size_t{1});
    std::uint64_t* keys = work.keys.data();
    const std::uint32_t* codes = work.gathered.data();
    const std::int64_t n = gathered.size;
    for (std::int64_t i = 0; i < n; ++i) {
        BinPlace& place = places[bins.of(codes[i])];
        keys[place.at] = key_of(codes[i], i);
        place.at += place.step;
    }
    return true;
}

template <class Judge>
void cut_coarse(const Judge& judge, const GatheredCodes& gathered, double tolerance, Workspace& work,
                BestCut<Judge>& best) {
    const CoarseBins<Judge> bins(judge, gathered, work);
    if (bins.shift > 0) {
        BestCut<Judge> edges(judge, 0.0);
        edges.raise(work.floor);
        bins.each([&](std::size_t b, const auto& left) {
            if (b > 0) edges.offer(left, 0);
        });
        const double level = std::max(edges.found().score, work.floor) - 2.0 * tolerance;
        if (!collect(judge, bins, gathered, level, work) && level >= edges.found().score) return;
        best.raise(level);
    }
    std::uint32_t first = 0;
    bins.each([&](std::size_t b, const auto& left) {
        if (b > 0) best.offer(left, bins.edge(b));
        if (bins.shift == 0 || !work.places[b].step) return;
        const std::uint32_t last = work.places[b].at;
        sort_few(work.keys.data() + first, last - first);
        walk_keys(judge, work.keys.data() + first, last - first, left, best);
        first = last;
    });
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
