#include "core/kmeans/plus_plus.hpp"

#include <algorithm>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/kmeans/center_bounds.hpp"
#include "core/kmeans/centers.hpp"
#include "core/kmeans/lloyd.hpp"
#include "core/kmeans/pairwise_sum.hpp"
#include "core/kmeans/row_bounds.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

void check_start(const StartRows& rows, const Matrix<double>& centers) {
    check_centers(rows.x, centers);
    const std::int64_t n = rows.x.rows;
    if (rows.w.size != n)
        refuse("w must have one entry per row of X; it has ", rows.w.size, " for ", n, " rows.");
    if (rows.origin.size != rows.x.cols)
        refuse("origin must have one entry per column of X; it has ", rows.origin.size, " for ", rows.x.cols,
               ".");
    const std::int64_t size = checked_product(tile_count(n), tile_size(rows.x.cols));
    if (rows.tiles.size != size)
        refuse("tiles must have ", size, " entries for these rows; they have ", rows.tiles.size, ".");
}

// A row that a candidate may be nearer to than all centers so far.
struct Closer {
    std::int64_t row;
    std::int64_t candidate;
    double square;  // of their distance, where it is computed
    bool computed;
};

// What each candidate gains, at least and at most: the sum over rows of weight times fall of the square
// distance.
struct Gains {
    double* low;
    double* high;
};

// Finds these rows. Most rows are passed over by bounds in single precision; of the others only those are
// computed exactly on which the choice of the candidate depends.
class Comparison {
  public:
    Comparison(const StartRows& rows, const Matrix<double>& candidates, const double* closest)
        : rows_(rows), candidates_(candidates), closest_(closest), filter_(candidates, rows.origin) {}

    std::vector<Closer> chunk(std::int64_t first, std::int64_t last, const Gains& gains) const {
        std::vector<Closer> out;
        Pace pace;
        for (std::int64_t i = first; i < last; i += tile_rows) {
            compare(i, std::min(tile_rows, last - i),
                    [&](std::int64_t row, std::int64_t candidate, float square, float error) {
                        take(row, candidate, square, error, gains, out);
                    });
            pace.spend(tile_rows * candidates_.rows * rows_.x.cols / 4);
        }
        return out;
    }

    // Computes the distances to some of the candidates.
    void settle(std::vector<Closer>& rows, const std::vector<bool>& candidates) const {
        constexpr std::size_t ahead = 8;
        Pace pace;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i + ahead < rows.size() && !rows[i + ahead].computed) prefetch(rows[i + ahead].row);
            if (!rows[i].computed && candidates[static_cast<std::size_t>(rows[i].candidate)])
                compute(rows[i]);
            pace.spend(rows_.x.cols);
        }
    }

    // Whether bounds take less time than all distances: if only few rows may come closer, as some of the
    // tiles say.
    bool pays() const {
        constexpr std::int64_t step = 16;
        // A pair that bounds leave open takes about as long as 16 that are computed, of many columns as few.
        constexpr std::int64_t most = 16, many = 100;
        std::int64_t open = 0, pairs = 0;
        for (std::int64_t i = 0; i < rows_.x.rows; i += step * tile_rows) {
            const std::int64_t count = std::min(tile_rows, rows_.x.rows - i);
            compare(i, count, [&](std::int64_t, std::int64_t, float, float) { ++open; });
            pairs += count * candidates_.rows;
        }
        return open * most * many < pairs * (many + rows_.x.cols);
    }

    double gain(const Closer& one) const { return gain(one.row, one.square); }
    double gain(std::int64_t row, double square) const {
        const double fall = closest_[row] - square;
        return rows_.w.data[row] * (fall > 0.0 ? fall : 0.0);  // without a jump that nobody can foresee
    }

  private:
    // Notes the rows of a tile that may come closer to a candidate.
    template <class Note>
    void compare(std::int64_t first, std::int64_t count, const Note& note) const {
        const float* tile = rows_.tiles.data + first / tile_rows * tile_size(rows_.x.cols);
        float near[tile_rows];
        for (std::int64_t r = 0; r < count; ++r) near[r] = rounded_up(closest_[first + r]);
        alignas(64) float squares[CenterFilter::together][tile_rows];
        alignas(64) float errors[tile_rows];
        for (std::int64_t c = 0; c < candidates_.rows; ++c) {
            const std::int64_t place = c % CenterFilter::together;
            if (place == 0) filter_.squares(tile, c, squares, errors);
            std::int32_t maybe[tile_rows];
            std::int32_t any = 0;
            for (std::int64_t r = 0; r < count; ++r)
                any |= maybe[r] = !(squares[place][r] - errors[r] >= near[r]);
            for (std::int64_t r = 0; any != 0 && r < count; ++r)
                if (maybe[r] != 0) note(first + r, c, squares[place][r], errors[r]);
        }
    }

    void take(std::int64_t row, std::int64_t candidate, double square, double error, const Gains& gains,
              std::vector<Closer>& out) const {
        Closer one{row, candidate, square, false};
        if (error <= rough * closest_[row]) {  // also false where floats overflowed or a cell is missing
            gains.low[candidate] += gain(row, square + error);
            gains.high[candidate] += gain(row, square - error);
        } else {
            compute(one);
            gains.low[candidate] += gain(one);
            gains.high[candidate] += gain(one);
        }
        out.push_back(one);
    }

    void compute(Closer& one) const {
        one.square = square_distance(rows_.x.row(one.row), candidates_.row(one.candidate), rows_.x.cols);
        one.computed = true;
    }

    void prefetch(std::int64_t row) const {
        for (std::int64_t j = 0; j < rows_.x.cols; j += lanes) __builtin_prefetch(rows_.x.row(row) + j);
    }

    static constexpr double rough = 0x1p-7;  // share of the square distance that bounds may leave open

    const StartRows& rows_;
    const Matrix<double>& candidates_;
    const double* closest_;
    CenterFilter filter_;
};

using CloserRows = std::vector<std::vector<Closer>>;  // in each chunk

// Sums over chunks, with room for their rounding.
std::vector<bool> contenders(const Buffer<double>& low, const Buffer<double>& high, std::int64_t width) {
    constexpr double rounding = 1e-9;
    std::vector<double> least(static_cast<std::size_t>(width), 0.0), most = least;
    for (std::int64_t i = 0; i < low.size(); ++i) {
        least[static_cast<std::size_t>(i % width)] += low[i];
        most[static_cast<std::size_t>(i % width)] += high[i];
    }
    const double best = *std::max_element(least.begin(), least.end()) * (1.0 - rounding);
    std::vector<bool> out;
    for (const double number : most) out.push_back(!(number * (1.0 + rounding) < best));
    return out;
}

std::int64_t best_of(const Comparison& comparison, const CloserRows& closer,
                     const std::vector<bool>& candidates, std::int64_t width) {
    Buffer<double> gains(static_cast<std::int64_t>(closer.size()), width, 0.0);
    PairwiseSum sum(width);
    for (std::size_t chunk = 0; chunk < closer.size(); ++chunk) {
        double* here = gains.data() + static_cast<std::int64_t>(chunk) * width;
        for (const Closer& one : closer[chunk])
            if (candidates[static_cast<std::size_t>(one.candidate)])
                here[one.candidate] += comparison.gain(one);
        sum.push(here);
    }
    const Buffer<double> totals = sum.total();
    std::int64_t best = -1;
    for (std::int64_t c = 0; c < width; ++c)
        if (candidates[static_cast<std::size_t>(c)] && (best < 0 || totals[c] > totals[best])) best = c;
    return best;
}

// All distances, without bounds. The sums have the same bits: a row that does not come closer adds 0.
std::int64_t measured_candidate(const StartRows& rows, double* closest, const Matrix<double>& candidates,
                                const Comparison& comparison, int threads) {
    const std::int64_t n = rows.x.rows, width = candidates.rows;
    Buffer<double> squares(n, width), gains((n + lloyd_chunk - 1) / lloyd_chunk, width, 0.0);
    parallel_rows(n, lloyd_chunk, threads, [&](std::int64_t first, std::int64_t last) {
        double* sums = gains.data() + first / lloyd_chunk * width;
        Pace pace;
        for (std::int64_t i = first; i < last; i += tile_rows) {
            const std::int64_t count = std::min(tile_rows, last - i);
            double* out = squares.data() + i * width;
            square_distances({rows.x.row(i), count, rows.x.cols}, candidates, out);
            for (std::int64_t r = 0; r < count; ++r)
                for (std::int64_t c = 0; c < width; ++c)
                    sums[c] += comparison.gain(i + r, out[r * width + c]);
            pace.spend(tile_rows * width * rows.x.cols);
        }
    });
    PairwiseSum sum(width);
    for (std::int64_t i = 0; i < gains.size(); i += width) sum.push(gains.data() + i);
    const Buffer<double> totals = sum.total();
    const std::int64_t best = std::max_element(totals.data(), totals.data() + width) - totals.data();
    const double* taken = squares.data() + best;
    for (std::int64_t i = 0; i < n; ++i, taken += width)
        closest[i] = *taken < closest[i] ? *taken : closest[i];
    return best;
}

}  // namespace

std::int64_t closest_candidate(const StartRows& rows, double* closest, const Matrix<double>& candidates,
                               int threads) {
    check_start(rows, candidates);
    const Comparison comparison(rows, candidates, closest);
    if (!comparison.pays()) return measured_candidate(rows, closest, candidates, comparison, threads);
    const std::int64_t width = candidates.rows;
    const std::int64_t chunks = (rows.x.rows + lloyd_chunk - 1) / lloyd_chunk;
    CloserRows closer(static_cast<std::size_t>(chunks));
    Buffer<double> low(chunks, width, 0.0), high(chunks, width, 0.0);
    parallel_rows(rows.x.rows, lloyd_chunk, threads, [&](std::int64_t first, std::int64_t last) {
        const std::int64_t chunk = first / lloyd_chunk;
        closer[static_cast<std::size_t>(chunk)] =
            comparison.chunk(first, last, {low.data() + chunk * width, high.data() + chunk * width});
    });
    const std::vector<bool> possible = contenders(low, high, width);
    parallel_for(chunks, threads, [&](std::int64_t chunk) {
        comparison.settle(closer[static_cast<std::size_t>(chunk)], possible);
    });
    const std::int64_t best = best_of(comparison, closer, possible, width);
    for (const auto& some : closer)
        for (const Closer& one : some)
            if (one.candidate == best && one.square < closest[one.row]) closest[one.row] = one.square;
    return best;
}

}  // namespace hornbook
