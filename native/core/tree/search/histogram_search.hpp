// The best cut of an ordered column without sorting all of its rows. Rows are counted in coarse bins of
// codes; scores are convex in the sums left of the cut, so the corners of the box that a bin spans bound
// every cut inside it, and only the few bins that may hold the best cut are sorted. The result is that of a
// full sort.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/search/best_split.hpp"
#include "core/tree/search/split_evaluator.hpp"

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

// Keeps the first of the best cuts; a cut is identified by the smallest code on its right.
class BestCut {
  public:
    explicit BestCut(double tolerance) : tolerance_(tolerance) {}

    // Cuts of at most this score are ignored.
    void raise(double level) { bar_ = level; }
    double bar() const { return bar_; }
    double tolerance() const { return tolerance_; }

    void consider(const ScoredCut& scored, std::uint32_t edge) {
        if (!(scored.score > bar_)) return;
        bar_ = scored.score + tolerance_;
        best_ = scored;
        edge_ = edge;
    }

    // The codes next to the cut are determined later, when rows are partitioned.
    Candidate candidate() const {
        const auto edge = static_cast<std::int32_t>(edge_);
        return {best_.score, edge - 1, edge, best_.missing_child};
    }

  private:
    double tolerance_;
    double bar_ = no_gain;
    ScoredCut best_;
    std::uint32_t edge_ = 0;
};

// Scans sorted keys, moving one row after the other to the left side. The caller handles the cut before the
// first.
template <class Side>
void walk_keys(const std::uint64_t* keys, std::int64_t size, Side& side, BestCut& best) {
    auto last = static_cast<std::uint32_t>(keys[0] >> 32);
    for (std::int64_t i = 0; i < size; ++i) {
        const auto code = static_cast<std::uint32_t>(keys[i] >> 32);
        if (code != last) side.consider(best, code);
        last = code;
        side.add(static_cast<std::uint32_t>(keys[i]));
    }
}

// Bins of codes that agree but for the last `shift` bits. The first bin and the last have rows.
struct CodeGrid {
    static constexpr std::size_t margin = 4;  // entries that SIMD loops may read past the end

    CodeGrid(const GatheredCodes& gathered, std::int64_t rows_in_bin) : low(gathered.low) {
        const std::uint32_t range = gathered.high - low;
        const auto wanted = std::bit_width(static_cast<std::uint64_t>(gathered.size / rows_in_bin));
        shift = std::max(0, static_cast<int>(std::bit_width(range)) - static_cast<int>(wanted));
        count = (static_cast<std::int64_t>(range) >> shift) + 1;
    }

    std::uint32_t of(std::uint32_t code) const { return (code - low) >> shift; }
    std::uint32_t edge(std::int64_t b) const { return low + (static_cast<std::uint32_t>(b) << shift); }

    std::uint32_t low;
    int shift = 0;
    std::int64_t count = 0;
};

// Puts the rows of flagged bins into work.keys, sorted. Returns how many there are.
std::int64_t collect(const CodeGrid& grid, const GatheredCodes& gathered, Workspace& work);

// Two classes, or numbers: sums left of a cut.
template <class SplitEvaluator>
class ScoredSide {
  public:
    using Sums = typename SplitEvaluator::Sums;

    explicit ScoredSide(const SplitEvaluator& evaluator, const Sums& left = {})
        : evaluator_(evaluator), left_(left) {}

    void add(std::int64_t i) { left_ += evaluator_.of(i); }
    void consider(BestCut& best, std::uint32_t edge) const {
        if (evaluator_.may_reach(best.bar(), left_))
            best.consider(evaluator_.evaluate(left_, best.tolerance()), edge);
    }

  private:
    const SplitEvaluator& evaluator_;
    Sums left_;
};

// Two classes, or numbers: sums before each bin.
template <class SplitEvaluator>
class ScoredBins {
  public:
    using Side = ScoredSide<SplitEvaluator>;
    using Sums = typename SplitEvaluator::Sums;

    ScoredBins(const SplitEvaluator& evaluator, const GatheredCodes& gathered, Workspace& work)
        : grid(gathered, rows_in_bin), evaluator_(evaluator) {
        std::vector<Sums>& memory = evaluator.bins(work);
        memory.assign(static_cast<std::size_t>(grid.count) + 1 + CodeGrid::margin, Sums{});
        const std::uint32_t* codes = gathered.codes;
        Sums* to = memory.data() + 1;
        const std::int64_t n = gathered.size;
        for (std::int64_t i = 0; i < n; ++i) to[grid.of(codes[i])] += evaluator.of(i);
        for (std::int64_t b = 1; b < grid.count; ++b) to[b] += to[b - 1];
        left_ = memory.data();
    }

    double best_edge() const { return evaluator_.best_edge(left_, grid.count); }
    void flag(double level, std::uint8_t* flags) const { evaluator_.flag(left_, grid.count, level, flags); }
    Side before(std::int64_t b) const { return Side(evaluator_, left_[b]); }
    void consider_edge(std::int64_t b, BestCut& best) const { before(b).consider(best, grid.edge(b)); }

    const CodeGrid grid;

  private:
    static constexpr std::int64_t rows_in_bin = 8;

    const SplitEvaluator& evaluator_;
    const Sums* left_;
};

// For few rows: sort them all.
template <class Side>
void cut_sorted(const GatheredCodes& gathered, Side side, Workspace& work, BestCut& best) {
    std::uint64_t* keys = resized(work.keys, gathered.size);
    for (std::int64_t i = 0; i < gathered.size; ++i) keys[i] = key_of(gathered.codes[i], i);
    sort_keys(work, gathered.size, gathered.low, gathered.high);
    walk_keys(work.keys.data(), gathered.size, side, best);
}

template <class Bins>
void cut_coarse(const Bins& bins, const GatheredCodes& gathered, Workspace& work, BestCut& best) {
    const CodeGrid& grid = bins.grid;
    const double level = std::max(bins.best_edge(), work.floor) - 2.0 * best.tolerance();
    work.flags.assign(static_cast<std::size_t>(grid.count) + CodeGrid::margin, 0);
    bins.flag(level, work.flags.data());
    best.raise(level);
    const std::int64_t kept = grid.shift > 0 ? collect(grid, gathered, work) : 0;
    const std::uint64_t* keys = work.keys.data();
    const std::uint64_t* end = keys + kept;
    for (std::int64_t b = 0; b < grid.count; ++b) {
        const std::uint8_t flags = work.flags[static_cast<std::size_t>(b)];
        if (!flags) continue;
        if (b > 0 && flags & 2) bins.consider_edge(b, best);
        const std::uint64_t* first = keys;
        while (keys != end &&
               grid.of(static_cast<std::uint32_t>(*keys >> 32)) == static_cast<std::uint32_t>(b))
            ++keys;
        if (keys == first) continue;
        typename Bins::Side side = bins.before(b);
        walk_keys(first, keys - first, side, best);
    }
}

// The best cut of the gathered codes; `Bins` and their sides are built from the evaluator.
template <class Bins, class SplitEvaluator>
Candidate best_cut(const SplitEvaluator& evaluator, const GatheredCodes& gathered, std::int32_t n_codes,
                   double tolerance, Workspace& work) {
    constexpr std::int64_t few = 24;
    BestCut best(tolerance);
    best.raise(work.floor - 2.0 * tolerance);
    if (gathered.low < gathered.high) {
        if (gathered.size <= few)
            cut_sorted(gathered, typename Bins::Side(evaluator), work, best);
        else
            cut_coarse(Bins(evaluator, gathered, work), gathered, work, best);
    }
    if (evaluator.has_missing())
        best.consider(evaluator.only_missing_right(), static_cast<std::uint32_t>(n_codes));
    work.floor = std::max(work.floor, best.candidate().score);
    return best.candidate();
}

}  // namespace hornbook
