#include "core/distance/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/distance/center_bounds.hpp"
#include "core/distance/centers.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run_rows = 256;
constexpr double smallest = 1e-140;  // distances below this may have lost digits in their squares
constexpr std::int64_t numbers_at_once = std::int64_t{1} << 18;

// Four columns of one row, wherever it starts.
typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
constexpr std::int64_t quad = 4;

Quad& quad_at(double* numbers) { return *reinterpret_cast<Quad*>(numbers); }
const Quad& quad_at(const double* numbers) { return *reinterpret_cast<const Quad*>(numbers); }

// A run of rows, with their labels and square distances.
struct Run {
    const double* x;
    const double* w;  // null when every row counts once
    std::int64_t rows;
    std::int64_t cols;
    const std::int32_t* labels;
    const double* squares;
    std::int64_t ahead;  // rows of the next run to prefetch meanwhile
};

struct Sums {
    double* sums;
    double* mass;
    double* total;  // of w times square distance
};

HORNBOOK_WIDE void add_rows(const Run& run, const double* origin, const Sums& out) {
    // Local copies: the compiler need not reload them after each write to the sums.
    const Run r = run;
    double* const sums = out.sums;
    double* const mass = out.mass;
    double total = *out.total;
    for (std::int64_t i = 0; i < r.rows; ++i) {
        const double* row = r.x + i * r.cols;
        if (i < r.ahead)
            for (std::int64_t j = 0; j < r.cols; j += lanes) __builtin_prefetch(row + r.rows * r.cols + j);
        double* sum = sums + r.labels[i] * r.cols;
        const double weight = r.w == nullptr ? 1.0 : r.w[i];
        std::int64_t j = 0;
        for (; j + quad <= r.cols; j += quad)
            quad_at(sum + j) += weight * (quad_at(row + j) - quad_at(origin + j));
        for (; j < r.cols; ++j) sum[j] += weight * (row[j] - origin[j]);
        mass[r.labels[i]] += weight;
        total += weight * r.squares[i];
    }
    *out.total = total;
}

// The same where cells may be missing: every column of a center has a weight of its own.
void add_known(const Run& run, const double* origin, const Sums& out) {
    for (std::int64_t i = 0; i < run.rows; ++i) {
        const double* row = run.x + i * run.cols;
        const std::int64_t place = run.labels[i] * run.cols;
        const double weight = run.w == nullptr ? 1.0 : run.w[i];
        for (std::int64_t j = 0; j < run.cols; ++j) {
            if (std::isnan(row[j])) continue;
            out.sums[place + j] += weight * (row[j] - origin[j]);
            out.mass[place + j] += weight;
        }
        *out.total += weight * run.squares[i];
    }
}

// Lower bounds are stored as floats and rounded down, so that rounding never makes one too large.
constexpr double less = 1.0 - 0x1p-22;
constexpr double least = 0x1p-120;
constexpr double most = 1e38;

float rounded_down(double bound) {
    return static_cast<float>(std::max(std::min(bound, most) * less - least, 0.0));
}

// Lowers the bounds of a run by how far the centers moved, and marks the rows for which they no longer prove
// that the nearest center is still the same (triangle inequality).
HORNBOOK_WIDE void mark_doubtful(const std::int32_t* labels, const double* squares, std::int64_t rows,
                                 const CenterMoves& moves, double slack, const float* lower,
                                 float* __restrict new_lower, std::int32_t* __restrict doubtful) {
    const double* reach = moves.reach.data;
    const double* near = moves.near.data;
    for (std::int64_t r = 0; r < rows; ++r) {
        const double bound = (static_cast<double>(lower[r]) - reach[labels[r]]) * less - least;
        new_lower[r] = static_cast<float>(bound > 0.0 ? bound : 0.0);
        const double kept = static_cast<double>(new_lower[r]);
        const double limit = kept > near[labels[r]] ? kept : near[labels[r]];
        doubtful[r] = squares[r] * slack < limit * limit ? 0 : 1;
    }
}

// One chunk of rows, in short runs that stay in the cache.
class Pass {
  public:
    Pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centers,
         const CenterFilter& filter, const Vector<double>& origin, const CenterMoves& moves,
         const RowState& state, bool gaps)
        : x_(x),
          w_(w == nullptr ? nullptr : w->data),
          centers_(centers),
          filter_(filter),
          origin_(origin),
          moves_(moves),
          state_(state),
          gaps_(gaps),
          // Relative error of computed distances; see the test for what it must cover.
          slack_(1.0 + static_cast<double>(x.cols + 16) * 0x1p-50),
          floats_(std::max<std::int64_t>(x.cols, 1), tile_rows),
          tile_(x.cols) {}

    void chunk(std::int64_t first, std::int64_t last, double* sums) {
        double* mass = sums + centers_.rows * x_.cols;
        double* total = mass + centers_.rows * (gaps_ ? x_.cols : 1);
        for (std::int64_t i = first; i < last; i += run_rows) {
            const std::int64_t rows = std::min(run_rows, last - i);
            stop_point();
            std::copy_n(state_.labels + i, rows, state_.new_labels + i);
            measure(i, rows);
            total[1] += static_cast<double>(settle(i, doubtful(i, rows)));
            const double* w = w_ == nullptr ? nullptr : w_ + i;
            const std::int64_t ahead = std::clamp<std::int64_t>(x_.rows - i - rows, 0, rows);
            const Run run{x_.row(i), w, rows, x_.cols, state_.new_labels + i, squares_, ahead};
            (gaps_ ? add_known : add_rows)(run, origin_.data, {sums, mass, total});
        }
    }

  private:
    // Square distances to the centers that were nearest.
    void measure(std::int64_t first, std::int64_t rows) {
        const std::int32_t* labels = state_.labels + first;
        own_squares({x_.row(first), rows, x_.cols}, centers_, labels, squares_);
        for (std::int64_t r = 0; r < rows; ++r)
            if (std::isnan(squares_[r])) {
                if (!gaps_) refuse("X has missing cells in row ", first + r, ", and gaps is off.");
                squares_[r] = square_distance(x_.row(first + r), centers_.row(labels[r]), x_.cols);
            }
    }

    // Rows for which another center could be nearest now; their number.
    std::int64_t doubtful(std::int64_t first, std::int64_t rows) {
        mark_doubtful(state_.labels + first, squares_, rows, moves_, slack_ * slack_, state_.lower + first,
                      state_.new_lower + first, rows_);
        std::int64_t count = 0;
        for (std::int64_t r = 0; r < rows; ++r) {
            const std::int32_t marked = rows_[r];
            rows_[count] = static_cast<std::int32_t>(r);
            count += marked;
        }
        return count;
    }

    // Compares these rows with all centers; returns how many labels changed.
    std::int64_t settle(std::int64_t first, std::int64_t count) {
        std::int64_t changed = 0;
        std::int64_t unsure = 0;  // collected in place, over rows that are already settled
        for (std::int64_t start = 0; start < count; start += tile_rows) {
            const std::int64_t here = std::min(tile_rows, count - start);
            const double* places[tile_rows];
            for (std::int64_t r = 0; r < tile_rows; ++r)
                places[r] = x_.row(first + rows_[start + std::min(r, here - 1)]);
            filter_.transpose(places, floats_.data());
            filter_.search(floats_.data(), screening_);
            pace_.spend(centers_.rows * x_.cols);
            for (std::int64_t r = 0; r < here; ++r) {
                const std::int32_t row = rows_[start + r];
                const double lead = static_cast<double>(screening_.second[r]) - screening_.best[r];
                const double error = filter_.error_bound(squares_[row]);
                if (!(lead > error)) {  // also when floats overflowed or a cell is missing
                    rows_[unsure++] = row;
                    continue;
                }
                const std::int32_t label = screening_.label[r];
                if (label != state_.labels[first + row]) {
                    ++changed;
                    state_.new_labels[first + row] = label;
                    squares_[row] = square_distance(x_.row(first + row), centers_.row(label), x_.cols);
                }
                state_.new_lower[first + row] =
                    rounded_down(std::sqrt(squares_[row] + (lead - error)) / slack_);
            }
        }
        return changed + settle_exactly(first, unsure);
    }

    std::int64_t settle_exactly(std::int64_t first, std::int64_t count) {
        std::int64_t changed = 0;
        for (std::int64_t start = 0; start < count; start += tile_rows) {
            const std::int64_t here = std::min(tile_rows, count - start);
            const std::int32_t* rows = rows_ + start;
            tile_.fill(here, [&](std::int64_t r) { return x_.row(first + rows[r]); });
            tile_.search(centers_, nearest_);
            pace_.spend(tile_rows * centers_.rows * x_.cols);
            for (std::int64_t r = 0; r < here; ++r) {
                std::int32_t& label = state_.new_labels[first + rows[r]];
                changed += label != nearest_.label[r];
                label = static_cast<std::int32_t>(nearest_.label[r]);
                squares_[rows[r]] = nearest_.best[r];
                state_.new_lower[first + rows[r]] = rounded_down(std::sqrt(nearest_.second[r]) / slack_);
            }
        }
        return changed;
    }

    const Matrix<double>& x_;
    const double* w_;
    const Matrix<double>& centers_;
    const CenterFilter& filter_;
    const Vector<double>& origin_;
    const CenterMoves& moves_;
    const RowState& state_;
    const bool gaps_;
    const double slack_;
    Buffer<float> floats_;
    Screening screening_;
    Tile tile_;
    TwoNearest nearest_;
    Pace pace_;
    double squares_[run_rows];
    std::int32_t rows_[run_rows];
};

void check_pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centers,
                const Vector<double>& origin, const CenterMoves& moves, const RowState& state) {
    check_centers(x, centers);
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (origin.size != x.cols)
        refuse("origin must have one entry per column of X; it has ", origin.size, " for ", x.cols, ".");
    if (moves.reach.size != centers.rows || moves.near.size != centers.rows)
        refuse("reach and near must have one entry per center; they have ", moves.reach.size, " and ",
               moves.near.size, " for ", centers.rows, ".");
    for (std::int64_t i = 0; i < x.rows; ++i)
        if (state.labels[i] < 0 || state.labels[i] >= centers.rows)
            refuse("labels must be from 0 to ", centers.rows - 1, "; row ", i, " has ", state.labels[i], ".");
}

// Adds up the sums of chunks pairwise, neighbors first, like the carries of a binary counter: the same order
// of additions as Blocks.reduce, hence the same bits.
class PairwiseSum {
  public:
    explicit PairwiseSum(std::int64_t width) : width_(static_cast<std::size_t>(width)) {}

    void push(const double* sums) {
        std::int64_t size = 1;
        std::vector<double> whole(sums, sums + width_);
        for (; !stack_.empty() && stack_.back().first == size; size *= 2) whole = join(whole);
        stack_.emplace_back(size, std::move(whole));
    }
    Buffer<double> total() {
        std::vector<double> whole(width_, 0.0);
        if (!stack_.empty()) {
            whole = std::move(stack_.back().second);
            stack_.pop_back();
        }
        while (!stack_.empty()) whole = join(whole);
        Buffer<double> out(static_cast<std::int64_t>(width_));
        std::copy(whole.begin(), whole.end(), out.data());
        return out;
    }

  private:
    // The top of the stack plus `more`, which comes after it.
    std::vector<double> join(const std::vector<double>& more) {
        std::vector<double> whole = std::move(stack_.back().second);
        stack_.pop_back();
        for (std::size_t i = 0; i < width_; ++i) whole[i] += more[i];
        return whole;
    }

    std::size_t width_;
    std::vector<std::pair<std::int64_t, std::vector<double>>> stack_;  // how many chunks, and their sums
};

}  // namespace

MovesSince center_moves(const Matrix<double>& centers, const Matrix<double>* before, bool gaps, int threads) {
    check_centers(centers, centers);
    const std::int64_t k = centers.rows;
    MovesSince out{Buffer<double>(k, 1, 0.0), Buffer<double>(k, 1, 0.0)};
    const double safe = static_cast<double>(centers.cols + 16) * 0x1p-50;  // rounding error of a distance
    if (!gaps) {
        const Buffer<double> squares = square_distances(centers, centers, threads);
        for (std::int64_t c = 0; c < k; ++c) {
            double least = std::numeric_limits<double>::infinity();
            for (std::int64_t other = 0; other < k; ++other)
                if (other != c) least = std::min(least, squares[c * k + other]);
            const double near = (0.5 - safe) * std::sqrt(least);
            out.near[c] = near < smallest ? 0.0 : near;
        }
    }
    if (before == nullptr) return out;
    if (before->rows != k || before->cols != centers.cols)
        refuse("before must have the shape of centers, (", k, ", ", centers.cols, ").");
    // The bound of a center concerns the others: all have the largest move, the farthest mover the second.
    double first = 0.0, second = 0.0;
    std::int64_t farthest = 0;
    for (std::int64_t c = 0; c < k; ++c) {
        const double square = square_distance(centers.row(c), before->row(c), centers.cols);
        const double move = (1.0 + safe) * std::sqrt(square) + smallest;
        if (move > first) {
            second = first;
            first = move;
            farthest = c;
        } else if (move > second) {
            second = move;
        }
    }
    for (std::int64_t c = 0; c < k; ++c) out.reach[c] = c == farthest ? second : first;
    return out;
}

std::int64_t lloyd_width(std::int64_t n_centers, std::int64_t cols, bool gaps) {
    return checked_product(n_centers, cols + (gaps ? cols : 1)) + 2;
}

Buffer<double> lloyd_pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centers,
                          const Vector<double>& origin, const CenterMoves& moves, const RowState& state,
                          bool gaps, int threads) {
    check_pass(x, w, centers, origin, moves, state);
    const std::int64_t width = lloyd_width(centers.rows, x.cols, gaps);
    const CenterFilter filter(centers, origin);
    PairwiseSum counter(width);
    // As many chunks at a time as keeps the memory of their sums small.
    const std::int64_t most =
        std::max<std::int64_t>(numbers_at_once / width, std::int64_t{4} * threads) * lloyd_chunk;
    for (std::int64_t start = 0; start < x.rows; start += most) {
        const std::int64_t rows = std::min(most, x.rows - start);
        Buffer<double> sums((rows + lloyd_chunk - 1) / lloyd_chunk, width, 0.0);
        parallel_rows(rows, lloyd_chunk, threads, [&](std::int64_t first, std::int64_t last) {
            Pass(x, w, centers, filter, origin, moves, state, gaps)
                .chunk(start + first, start + last, sums.data() + first / lloyd_chunk * width);
        });
        for (std::int64_t place = 0; place < sums.size(); place += width) counter.push(sums.data() + place);
    }
    return counter.total();
}

}  // namespace hornbook
