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

    void offer(const Judged& judged, std::uint32_t edge) {
        if (!(judged.score > bar_)) return;
        bar_ = judged.score + tolerance_;
        best_ = judged;
        edge_ = edge;
    }
    void offer(const typename Judge::Sums& left, std::uint32_t edge) {
        offer(judge_.judge(left, tolerance_), edge);
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

// Puts the rows of the bins that survive into work.keys, bin by bin; places end up behind each bin.
template <class BinOf>
void collect(const std::uint32_t* codes, std::int64_t size, const BinOf& bin_of, BinPlace* places,
             Workspace& work) {
    if (work.keys.size() < static_cast<std::size_t>(size) + 1)
        work.keys.resize(static_cast<std::size_t>(size) + 1);
    std::uint64_t* keys = work.keys.data();
    for (std::int64_t i = 0; i < size; ++i) {
        BinPlace& place = places[bin_of(codes[i])];
        keys[place.at] = key_of(codes[i], i);
        place.at += place.step;
    }
}

template <class Judge>
void cut_coarse(const Judge& judge, const GatheredCodes& gathered, double tolerance, Workspace& work,
                BestCut<Judge>& best) {
    using Sums = typename Judge::Sums;
    constexpr std::int64_t rows_in_bin = 8;
    const std::uint32_t low = gathered.low, range = gathered.high - low;
    const auto wanted =
        static_cast<int>(std::bit_width(static_cast<std::uint64_t>(gathered.size / rows_in_bin)));
    const int shift = std::max(0, static_cast<int>(std::bit_width(range)) - wanted);
    const std::size_t n_bins = (static_cast<std::size_t>(range) >> shift) + 1;
    const auto bin_of = [=](std::uint32_t code) { return (code - low) >> shift; };
    const std::uint32_t* codes = work.gathered.data();
    std::vector<Sums>& bins = judge.bins(work);
    bins.assign(n_bins, Sums{});
    for (std::int64_t i = 0; i < gathered.size; ++i) bins[bin_of(codes[i])] += judge.of(i);

    if (shift == 0) {
        Sums left{};
        for (std::size_t b = 0; b < n_bins; ++b) {
            if (bins[b].rows == 0) continue;
            if (b > 0) best.offer(left, low + static_cast<std::uint32_t>(b));
            left += bins[b];
        }
        return;
    }

    // The cuts between bins. The first bin and the last are never empty.
    std::vector<Judged>& edges = work.edges;
    edges.resize(n_bins);
    Sums left{};
    double highest = no_gain;
    for (std::size_t b = 0; b < n_bins; ++b) {
        if (bins[b].rows == 0) continue;
        if (b > 0) {
            edges[b] = judge.judge(left, tolerance);
            highest = std::max(highest, edges[b].score);
        }
        left += bins[b];
    }

    std::vector<BinPlace>& places = work.places;
    places.resize(n_bins);
    const double level = highest - 2.0 * tolerance;
    left = {};
    std::uint32_t kept = 0;
    for (std::size_t b = 0; b < n_bins; ++b) {
        const bool survives = bins[b].rows > 1 && judge.may_reach(level, left, bins[b]);
        places[b] = {survives ? kept : static_cast<std::uint32_t>(gathered.size), survives ? 1u : 0u};
        if (survives) kept += static_cast<std::uint32_t>(bins[b].rows);
        left += bins[b];
    }
    if (kept > 0) collect(codes, gathered.size, bin_of, places.data(), work);

    left = {};
    std::uint32_t first = 0;
    for (std::size_t b = 0; b < n_bins; ++b) {
        if (bins[b].rows == 0) continue;
        if (b > 0) best.offer(edges[b], low + (static_cast<std::uint32_t>(b) << shift));
        if (places[b].step) {
            std::uint64_t* keys = work.keys.data() + first;
            const std::int64_t size = places[b].at - first;
            first = places[b].at;
            sort_few(keys, size);
            walk_keys(judge, keys, size, left, best);
        }
        left += bins[b];
    }
}

// The best cut of the gathered codes.
template <class Judge>
Candidate best_cut(const Judge& judge, const GatheredCodes& gathered, std::int32_t n_codes, double tolerance,
                   Workspace& work) {
    constexpr std::int64_t few = 40;
    BestCut<Judge> best(judge, tolerance);
    if (gathered.low < gathered.high) {
        if (gathered.size <= few)
            cut_sorted(judge, gathered, work, best);
        else
            cut_coarse(judge, gathered, tolerance, work, best);
    }
    if (judge.has_missing()) best.offer(judge.only_missing_right(), static_cast<std::uint32_t>(n_codes));
    return best.found();
}

}  // namespace hornbook
