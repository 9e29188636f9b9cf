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

constexpr std::int64_t run_rows = 8 * tile_rows;

// A row that a candidate is nearer to than all centers so far.
struct Closer {
    std::int64_t row;
    std::int64_t candidate;
    double square;
};

// Finds these rows. Most are passed over by bounds in single precision; the others are fetched ahead and
// computed exactly.
class Comparison {
  public:
    Comparison(const StartRows& rows, const Matrix<double>& candidates)
        : rows_(rows), candidates_(candidates), filter_(candidates, rows.origin) {}

    std::vector<Closer> chunk(std::int64_t first, std::int64_t last, const double* closest) const {
        std::vector<Closer> out;
        Pace pace;
        for (std::int64_t i = first; i < last; i += run_rows) {
            run(i, std::min(i + run_rows, last), closest, out);
            pace.spend(run_rows * candidates_.rows * rows_.x.cols / 4);
        }
        return out;
    }

  private:
    void run(std::int64_t first, std::int64_t last, const double* closest, std::vector<Closer>& out) const {
        const std::int64_t cols = rows_.x.cols;
        const std::size_t before = out.size();
        for (std::int64_t i = first; i < last; i += tile_rows) {
            const std::int64_t count = std::min(tile_rows, last - i);
            float near[tile_rows];
            for (std::int64_t r = 0; r < count; ++r) near[r] = rounded_up(closest[i + r]);
            for (std::int64_t c = 0; c < candidates_.rows; ++c) note(i, count, c, near, out);
        }
        std::size_t kept = before;
        for (std::size_t i = before; i < out.size(); ++i) {
            Closer maybe = out[i];
            const double* row = rows_.x.row(maybe.row);
            maybe.square = square_distance(row, candidates_.row(maybe.candidate), cols);
            if (maybe.square < closest[maybe.row]) out[kept++] = maybe;
        }
        out.resize(kept);
    }

    // Notes the rows of a tile that this candidate may be nearer to.
    void note(std::int64_t first, std::int64_t count, std::int64_t candidate, const float* near,
              std::vector<Closer>& out) const {
        const std::int64_t cols = rows_.x.cols;
        alignas(64) float least[tile_rows];
        filter_.least_squares(rows_.tiles.data + first / tile_rows * tile_size(cols), candidate, least);
        std::int32_t any = 0;
        std::int32_t maybe[tile_rows];
        for (std::int64_t r = 0; r < count; ++r) any |= maybe[r] = !(least[r] >= near[r]);
        for (std::int64_t r = 0; any != 0 && r < count; ++r) {
            if (maybe[r] == 0) continue;
            for (std::int64_t j = 0; j < cols; j += lanes) __builtin_prefetch(rows_.x.row(first + r) + j);
            out.push_back({first + r, candidate, 0.0});
        }
    }

    const StartRows& rows_;
    const Matrix<double>& candidates_;
    CenterFilter filter_;
};

}  // namespace

std::int64_t closest_candidate(const StartRows& rows, double* closest, const Matrix<double>& candidates,
                               int threads) {
    check_start(rows, candidates);
    const Comparison comparison(rows, candidates);
    const std::int64_t width = candidates.rows;
    const std::int64_t chunks = (rows.x.rows + lloyd_chunk - 1) / lloyd_chunk;
    std::vector<std::vector<Closer>> closer(static_cast<std::size_t>(chunks));
    Buffer<double> gains(chunks, width, 0.0);
    parallel_rows(rows.x.rows, lloyd_chunk, threads, [&](std::int64_t first, std::int64_t last) {
        const std::int64_t chunk = first / lloyd_chunk;
        auto& mine = closer[static_cast<std::size_t>(chunk)];
        mine = comparison.chunk(first, last, closest);
        for (const Closer& one : mine)
            gains[chunk * width + one.candidate] += rows.w.data[one.row] * (closest[one.row] - one.square);
    });
    PairwiseSum sum(width);
    for (std::int64_t i = 0; i < chunks; ++i) sum.push(gains.data() + i * width);
    const Buffer<double> totals = sum.total();
    const std::int64_t best = std::max_element(totals.data(), totals.data() + width) - totals.data();
    for (const auto& some : closer)
        for (const Closer& one : some)
            if (one.candidate == best) closest[one.row] = one.square;
    return best;
}

}  // namespace hornbook
