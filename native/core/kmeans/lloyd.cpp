#include "core/kmeans/lloyd.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/kmeans/center_bounds.hpp"
#include "core/kmeans/centers.hpp"
#include "core/kmeans/pairwise_sum.hpp"
#include "core/kmeans/quads.hpp"
#include "core/kmeans/row_bounds.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run_rows = 256;
constexpr std::int64_t many = 3;  // rows of a tile in doubt from which all of them are compared
constexpr std::int64_t numbers_at_once = std::int64_t{1} << 18;

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

// Moves rows from the sums of their old labels to those of their new ones.
HORNBOOK_WIDE void move_rows(const Matrix<double>& x, const double* origin, const std::int32_t* rows,
                             std::int64_t count, const std::int32_t* labels, const std::int32_t* new_labels,
                             double* sums, double* mass) {
    const std::int64_t cols = x.cols;
    for (std::int64_t m = 0; m < count; ++m) {
        const std::int32_t from = labels[rows[m]], to = new_labels[rows[m]];
        const double* row = x.row(rows[m]);
        double* __restrict less = sums + from * cols;
        double* __restrict more = sums + to * cols;
        for (std::int64_t j = 0; j < cols; ++j) {
            const double part = row[j] - origin[j];
            less[j] -= part;
            more[j] += part;
        }
        mass[from] -= 1.0;
        mass[to] += 1.0;
    }
}

struct Taken {
    std::int32_t changed;
    std::int32_t unsure;
};

HORNBOOK_WIDE Taken take_labels(const Screening& from, std::int64_t rows, std::int32_t* labels) {
    std::int32_t changed = 0, unsure = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const bool sure = from.sure[r] != 0;
        changed += sure && labels[r] != from.label[r] ? 1 : 0;
        unsure += sure ? 0 : 1;
        labels[r] = sure ? from.label[r] : labels[r];
    }
    return {changed, unsure};
}

HORNBOOK_WIDE Taken take_bounds(const Screening& from, const std::int32_t* doubtful, std::int64_t rows,
                                std::int32_t* __restrict labels, float* __restrict lower,
                                float* __restrict upper) {
    std::int32_t changed = 0, unsure = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const bool sure = from.sure[r] != 0;
        changed += sure && labels[r] != from.label[r] ? 1 : 0;
        unsure += sure ? 0 : doubtful[r];
        labels[r] = sure ? from.label[r] : labels[r];
        lower[r] = sure ? from.lower[r] : lower[r];
        upper[r] = sure ? from.upper[r] : upper[r];
    }
    return {changed, unsure};
}

// One chunk of rows, in short runs that stay in the cache.
class Pass {
  public:
    Pass(const LloydRows& rows, const Matrix<double>& centers, const CenterFilter& filter,
         const RoundedMoves& moves, const RowState& state, Sum sum)
        : rows_(rows),
          x_(rows.x),
          centers_(centers),
          filter_(filter),
          moves_(moves),
          state_(state),
          sum_(sum),
          floats_(tile_size(x_.cols)),
          tile_(x_.cols) {}

    void chunk(std::int64_t first, std::int64_t last, double* sums) {
        double* mass = sums + centers_.rows * x_.cols;
        double* total = mass + centers_.rows * (rows_.gaps ? x_.cols : 1);
        for (std::int64_t i = first; i < last; i += run_rows) {
            const std::int64_t count = std::min(run_rows, last - i);
            stop_point();
            std::copy_n(state_.labels + i, count, state_.new_labels + i);
            const std::int64_t changed = sum_ == Sum::all ? settle_all(i, count) : settle_some(i, count);
            total[1] += static_cast<double>(changed);
            if (sum_ == Sum::all)
                add_all(i, count, {sums, mass, total});
            else if (changed > 0)
                add_changes(i, count, sums, mass);
        }
    }

  private:
    bool bounded() const { return state_.lower != nullptr; }

    // Labels and bounds where every row is read anyway: bounds start from the distances to the last centers.
    std::int64_t settle_all(std::int64_t first, std::int64_t count) {
        if (!bounded()) {
            const std::int64_t changed = settle(first, count);
            measure(first, count);
            return changed;
        }
        measure(first, count);
        float* upper = state_.new_upper + first;
        upper_bounds(squares_, count, upper);
        moves_.mark(state_.labels + first, upper, state_.lower + first, count, state_.new_lower + first,
                    doubtful_);
        const std::int64_t changed = settle(first, count);
        if (changed > 0) measure(first, count);
        upper_bounds(squares_, count, upper);
        return changed;
    }

    // The same where rows beyond doubt are not read at all.
    std::int64_t settle_some(std::int64_t first, std::int64_t count) {
        if (bounded()) {
            float* upper = state_.new_upper + first;
            moves_.raise(state_.labels + first, state_.upper + first, count, upper);
            moves_.mark(state_.labels + first, upper, state_.lower + first, count, state_.new_lower + first,
                        doubtful_);
        }
        return settle(first, count);
    }

    // Square distances to the centers of the new labels.
    void measure(std::int64_t first, std::int64_t count) {
        const std::int32_t* labels = state_.new_labels + first;
        own_squares({x_.row(first), count, x_.cols}, centers_, labels, squares_);
        for (std::int64_t r = 0; r < count; ++r)
            if (std::isnan(squares_[r])) {
                if (!rows_.gaps) refuse("X has missing cells in row ", first + r, ", and gaps is off.");
                squares_[r] = square_distance(x_.row(first + r), centers_.row(labels[r]), x_.cols);
            }
    }

    // Compares rows in doubt with all centers; returns how many labels changed.
    std::int64_t settle(std::int64_t first, std::int64_t count) {
        changed_ = unsure_ = waiting_ = 0;
        if (!bounded()) std::fill_n(doubtful_, count, 1);
        for (std::int64_t start = 0; start < count; start += tile_rows) {
            const std::int64_t here = std::min(tile_rows, count - start);
            std::int64_t in_doubt = 0;
            for (std::int64_t r = start; r < start + here; ++r) in_doubt += doubtful_[r];
            if (in_doubt == 0) continue;
            if (in_doubt >= many || in_doubt == here) {
                filter_.search(tile_at(first + start), bounded(), screening_);
                pace_.spend(centers_.rows * x_.cols);
                take_tile(first, start, here);
                continue;
            }
            for (std::int64_t r = start; r < start + here; ++r)  // to be compared together with others
                if (doubtful_[r] != 0) gathered_[waiting_++] = static_cast<std::int32_t>(r);
            if (waiting_ >= tile_rows) flush(first, tile_rows);
        }
        while (waiting_ > 0) flush(first, std::min(tile_rows, waiting_));
        settle_exactly(first);
        return changed_;
    }

    // Takes the result for neighboring rows, also for those without doubt: it is the same and the bounds are
    // new.
    void take_tile(std::int64_t first, std::int64_t start, std::int64_t count) {
        const std::int64_t i = first + start;
        const Taken taken = bounded()
                                ? take_bounds(screening_, doubtful_ + start, count, state_.new_labels + i,
                                              state_.new_lower + i, state_.new_upper + i)
                                : take_labels(screening_, count, state_.new_labels + i);
        changed_ += taken.changed;
        for (std::int64_t r = 0; taken.unsure > 0 && r < count; ++r)
            if (screening_.sure[r] == 0 && doubtful_[start + r] != 0)
                rows_in_doubt_[unsure_++] = static_cast<std::int32_t>(start + r);
    }

    const float* tile_at(std::int64_t row) {
        if (rows_.tiles != nullptr) return rows_.tiles + row / tile_rows * tile_size(x_.cols);
        const double* places[tile_rows];
        for (std::int64_t r = 0; r < tile_rows; ++r) places[r] = x_.row(std::min(row + r, x_.rows - 1));
        fill_tile(places, x_.cols, filter_.origin(), floats_.data());
        return floats_.data();
    }

    // Compares the last rows that were gathered.
    void flush(std::int64_t first, std::int64_t count) {
        waiting_ -= count;
        const std::int32_t* rows = gathered_ + waiting_;
        const double* places[tile_rows];
        for (std::int64_t r = 0; r < tile_rows; ++r) places[r] = x_.row(first + rows[std::min(r, count - 1)]);
        fill_tile(places, x_.cols, filter_.origin(), floats_.data());
        filter_.search(floats_.data(), bounded(), screening_);
        pace_.spend(centers_.rows * x_.cols);
        for (std::int64_t r = 0; r < count; ++r) take(first, rows[r], r);
    }

    void take(std::int64_t first, std::int32_t row, std::int64_t place) {
        if (screening_.sure[place] == 0) {  // also when floats overflowed or a cell is missing
            rows_in_doubt_[unsure_++] = row;
            return;
        }
        const std::int64_t i = first + row;
        changed_ += screening_.label[place] != state_.labels[i];
        state_.new_labels[i] = screening_.label[place];
        if (bounded()) {
            state_.new_upper[i] = screening_.upper[place];
            state_.new_lower[i] = screening_.lower[place];
        }
    }

    void settle_exactly(std::int64_t first) {
        for (std::int64_t start = 0; start < unsure_; start += tile_rows) {
            const std::int64_t here = std::min(tile_rows, unsure_ - start);
            const std::int32_t* rows = rows_in_doubt_ + start;
            tile_.fill(here, [&](std::int64_t r) { return x_.row(first + rows[r]); });
            tile_.search(centers_, nearest_);
            pace_.spend(tile_rows * centers_.rows * x_.cols);
            for (std::int64_t r = 0; r < here; ++r) {
                const std::int64_t i = first + rows[r];
                changed_ += state_.labels[i] != nearest_.label[r];
                state_.new_labels[i] = static_cast<std::int32_t>(nearest_.label[r]);
                if (!bounded()) continue;
                state_.new_upper[i] = rounded_up(std::sqrt(nearest_.best[r]));
                state_.new_lower[i] = rounded_down(std::sqrt(nearest_.second[r]) * distance_less);
            }
        }
    }

    void add_all(std::int64_t first, std::int64_t count, const Sums& out) {
        const double* w = rows_.w == nullptr ? nullptr : rows_.w + first;
        const std::int64_t ahead = std::clamp<std::int64_t>(x_.rows - first - count, 0, count);
        const Run run{x_.row(first), w, count, x_.cols, state_.new_labels + first, squares_, ahead};
        (rows_.gaps ? add_known : add_rows)(run, filter_.origin(), out);
    }

    // Moves the rows with other labels from sum to sum.
    void add_changes(std::int64_t first, std::int64_t count, double* sums, double* mass) {
        std::int64_t moved = 0;
        for (std::int64_t r = 0; r < count; ++r) {
            rows_in_doubt_[moved] = static_cast<std::int32_t>(r);
            moved += state_.labels[first + r] != state_.new_labels[first + r];
        }
        for (std::int64_t m = 0; m < moved; ++m)
            for (std::int64_t j = 0; j < x_.cols; j += lanes)
                __builtin_prefetch(x_.row(first + rows_in_doubt_[m]) + j);
        move_rows({x_.row(first), count, x_.cols}, filter_.origin(), rows_in_doubt_, moved,
                  state_.labels + first, state_.new_labels + first, sums, mass);
    }

    // Far more than the relative error of a computed distance.
    static constexpr double distance_less = 1.0 - 0x1p-24;

    const LloydRows& rows_;
    const Matrix<double>& x_;
    const Matrix<double>& centers_;
    const CenterFilter& filter_;
    const RoundedMoves& moves_;
    const RowState& state_;
    const Sum sum_;
    Buffer<float> floats_;
    Screening screening_;
    Tile tile_;
    TwoNearest nearest_;
    Pace pace_;
    std::int64_t changed_ = 0, unsure_ = 0, waiting_ = 0;
    double squares_[run_rows];
    std::int32_t doubtful_[run_rows];       // 1 for rows whose label may have changed
    std::int32_t gathered_[2 * tile_rows];  // some of them, from several tiles
    std::int32_t rows_in_doubt_[run_rows];  // those that single precision cannot decide
};

void check_pass(const LloydRows& rows, const Matrix<double>& centers, const Vector<double>& origin,
                const Matrix<double>& moves, const RowState& state, Sum sum) {
    const Matrix<double>& x = rows.x;
    check_centers(x, centers);
    if (origin.size != x.cols)
        refuse("origin must have one entry per column of X; it has ", origin.size, " for ", x.cols, ".");
    if (moves.rows != 3 || moves.cols != centers.rows)
        refuse("moves must have three rows with an entry for each center; its shape is (", moves.rows, ", ",
               moves.cols, ") for ", centers.rows, " centers.");
    if (sum == Sum::changes && (rows.gaps || rows.w != nullptr))
        refuse("changes can be added up only where rows have neither weights nor gaps.");
    const auto limit = static_cast<std::uint32_t>(centers.rows);
    std::uint32_t beyond = 0;  // without a branch for each row
    for (std::int64_t i = 0; i < x.rows; ++i) beyond |= static_cast<std::uint32_t>(state.labels[i]) >= limit;
    for (std::int64_t i = 0; beyond != 0 && i < x.rows; ++i)
        if (state.labels[i] < 0 || state.labels[i] >= centers.rows)
            refuse("labels must be from 0 to ", centers.rows - 1, "; row ", i, " has ", state.labels[i], ".");
}

}  // namespace

std::int64_t lloyd_width(std::int64_t n_centers, std::int64_t cols, bool gaps) {
    return checked_product(n_centers, cols + (gaps ? cols : 1)) + 2;
}

Buffer<double> lloyd_pass(const LloydRows& rows, const Matrix<double>& centers, const Vector<double>& origin,
                          const Matrix<double>& moves, const RowState& state, Sum sum, int threads) {
    check_pass(rows, centers, origin, moves, state, sum);
    const std::int64_t n = rows.x.rows;
    const std::int64_t width = lloyd_width(centers.rows, rows.x.cols, rows.gaps);
    const CenterFilter filter(centers, origin);
    const RoundedMoves rounded(moves, rows.x.cols);
    PairwiseSum counter(width);
    // As many chunks at a time as keeps the memory of their sums small.
    const std::int64_t most =
        std::max<std::int64_t>(numbers_at_once / width, std::int64_t{4} * threads) * lloyd_chunk;
    for (std::int64_t start = 0; start < n; start += most) {
        const std::int64_t here = std::min(most, n - start);
        Buffer<double> sums((here + lloyd_chunk - 1) / lloyd_chunk, width, 0.0);
        parallel_rows(here, lloyd_chunk, threads, [&](std::int64_t first, std::int64_t last) {
            Pass(rows, centers, filter, rounded, state, sum)
                .chunk(start + first, start + last, sums.data() + first / lloyd_chunk * width);
        });
        for (std::int64_t place = 0; place < sums.size(); place += width) counter.push(sums.data() + place);
    }
    return counter.total();
}

}  // namespace hornbook
