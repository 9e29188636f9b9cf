#include "core/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/refuse.hpp"
#include "core/wide.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t tile_rows = 32;
constexpr std::int64_t groups = tile_rows / lanes;
constexpr std::int64_t quarters = 4;  // sums in which the columns are added up
constexpr std::int64_t run_rows = 256;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Four columns of one row, wherever it starts.
typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef std::int64_t Marks __attribute__((vector_size(64), may_alias));

// The square distance of one row, columns in lanes; NaN when a cell is missing.
[[gnu::always_inline]] inline double square(const double* x, const double* centre, std::int64_t cols) {
    Quad sums{};
    std::int64_t j = 0;
    for (; j + quarters <= cols; j += quarters) {
        const Quad gap = *reinterpret_cast<const Quad*>(x + j) - *reinterpret_cast<const Quad*>(centre + j);
        sums += gap * gap;
    }
    for (std::int64_t q = 0; j < cols; ++j, ++q) {
        const double gap = x[j] - centre[j];
        sums[q] += gap * gap;
    }
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

// The same where cells may be missing.
double square_known(const double* x, const double* centre, std::int64_t cols) {
    double sums[quarters] = {};
    for (std::int64_t j = 0; j < cols; ++j) {
        const double gap = x[j] - centre[j];
        if (!std::isnan(gap)) sums[j % quarters] += gap * gap;
    }
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

// Square distances of a tile's rows to one centre, rows in lanes.
template <bool gaps>
[[gnu::always_inline]] inline void squares(const Lanes* x, const double* centre, std::int64_t cols,
                                           Lanes& out) {
    Lanes sums[quarters] = {};
    const auto add = [&](std::int64_t j, std::int64_t q) {
        const Lanes gap = x[j * groups] - centre[j];
        const Lanes term = gap * gap;
        sums[q] += gaps ? (term >= 0.0 ? term : Lanes{}) : term;
    };
    std::int64_t j = 0;
    for (; j + quarters <= cols; j += quarters)
        for (std::int64_t q = 0; q < quarters; ++q) add(j + q, q);
    for (std::int64_t q = 0; j < cols; ++j, ++q) add(j, q);
    out = (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

// Some rows turned on their side: neighbouring numbers belong to different rows.
class Tile {
  public:
    explicit Tile(std::int64_t cols) : cols_(cols), numbers_(std::max<std::int64_t>(cols, 1), tile_rows) {}

    // `count` rows, chosen by their number; the empty places repeat the last.
    template <class RowOf>
    void fill(std::int64_t count, const RowOf& row_of) {
        double* __restrict numbers = numbers_.data();
        for (std::int64_t r = 0; r < tile_rows; ++r) {
            const double* __restrict x = row_of(std::min(r, count - 1));
            for (std::int64_t j = 0; j < cols_; ++j) numbers[j * tile_rows + r] = x[j];
        }
    }
    const Lanes* numbers() const { return reinterpret_cast<const Lanes*>(numbers_.data()); }
    std::int64_t cols() const { return cols_; }

  private:
    std::int64_t cols_;
    Buffer<double> numbers_;
};

// The nearest centre of each row of a tile, its square distance and that of the next.
struct alignas(64) Found {
    double best[tile_rows];
    double second[tile_rows];
    std::int64_t label[tile_rows];
};

template <bool gaps>
[[gnu::always_inline]] inline void sweep(const Lanes* x, std::int64_t cols, const double* centres,
                                         std::int64_t n_centres, Found& found) {
    const Lanes far = Lanes{} + infinity;
    for (std::int64_t g = 0; g < groups; ++g) {
        Lanes best = far;
        Lanes second = far;
        Marks label{};
        for (std::int64_t c = 0; c < n_centres; ++c) {
            Lanes d;
            squares<gaps>(x + g, centres + c * cols, cols, d);
            const Marks closer = d < best;
            second = closer ? best : (d < second ? d : second);
            best = closer ? d : best;
            label = closer ? Marks{} + c : label;
        }
        reinterpret_cast<Lanes*>(found.best)[g] = best;
        reinterpret_cast<Lanes*>(found.second)[g] = second;
        reinterpret_cast<Marks*>(found.label)[g] = label;
    }
}

HORNBOOK_WIDE void sweep_complete(const Lanes* x, std::int64_t cols, const double* centres,
                                  std::int64_t n_centres, Found& found) {
    sweep<false>(x, cols, centres, n_centres, found);
}

HORNBOOK_WIDE void sweep_known(const Lanes* x, std::int64_t cols, const double* centres,
                               std::int64_t n_centres, Found& found) {
    sweep<true>(x, cols, centres, n_centres, found);
}

void find(const Tile& tile, const Matrix<double>& centres, Found& found) {
    sweep_complete(tile.numbers(), tile.cols(), centres.data, centres.rows, found);
    // A row with a missing cell is at no distance from any centre, so that none was found.
    if (*std::max_element(found.best, found.best + tile_rows) == infinity)
        sweep_known(tile.numbers(), tile.cols(), centres.data, centres.rows, found);
}

HORNBOOK_WIDE void own_squares(const double* x, std::int64_t rows, std::int64_t cols, const double* centres,
                               const std::int32_t* labels, double* out) {
    for (std::int64_t i = 0; i < rows; ++i) out[i] = square(x + i * cols, centres + labels[i] * cols, cols);
}

// Numbers of a run of rows, and what they are added to.
struct Run {
    const double* x;
    const double* w;  // null when every row counts once
    std::int64_t rows;
    std::int64_t cols;
    const std::int32_t* labels;
    const double* squares;
};

struct Sums {
    double* sums;
    double* mass;
    double* total;  // of w times square distance
};

HORNBOOK_WIDE void add_rows(const Run& run, const double* origin, const Sums& out) {
    const std::int64_t cols = run.cols;
    double total = *out.total;
    for (std::int64_t i = 0; i < run.rows; ++i) {
        const double* __restrict row = run.x + i * cols;
        double* __restrict sum = out.sums + run.labels[i] * cols;
        const double weight = run.w == nullptr ? 1.0 : run.w[i];
        for (std::int64_t j = 0; j < cols; ++j) sum[j] += weight * (row[j] - origin[j]);
        out.mass[run.labels[i]] += weight;
        total += weight * run.squares[i];
    }
    *out.total = total;
}

// The same where cells may be missing: every column of a centre has a weight of its own.
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

// Bounds are kept as short numbers, a little less than they are, so that rounding never makes one too large.
constexpr double less = 1.0 - 0x1p-22;
constexpr double least = 0x1p-120;
constexpr double most = 1e38;

float rounded_down(double bound) {
    return static_cast<float>(std::max(std::min(bound, most) * less - least, 0.0));
}

// Lowers the bounds of a run by what the centres have moved, and marks the rows for which they no longer show
// that the nearest centre is still the same.
HORNBOOK_WIDE void doubt(const std::int32_t* labels, const double* squares, std::int64_t rows,
                         const Moves& moves, double slack, float* __restrict lower,
                         std::int32_t* __restrict doubtful) {
    const double* reach = moves.reach.data;
    const double* near = moves.near.data;
    for (std::int64_t r = 0; r < rows; ++r) {
        const double bound = (static_cast<double>(lower[r]) - reach[labels[r]]) * less - least;
        lower[r] = static_cast<float>(bound > 0.0 ? bound : 0.0);
        const double kept = static_cast<double>(lower[r]);
        const double limit = kept > near[labels[r]] ? kept : near[labels[r]];
        doubtful[r] = squares[r] * slack < limit * limit ? 0 : 1;
    }
}

// One chunk of rows, in short runs that stay in the cache.
class Pass {
  public:
    Pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centres,
         const Vector<double>& origin, const Moves& moves, const Known& known, bool gaps)
        : x_(x),
          w_(w == nullptr ? nullptr : w->data),
          centres_(centres),
          origin_(origin),
          moves_(moves),
          known_(known),
          gaps_(gaps),
          // Computed distances are off by less than this share; see the test for what it must cover.
          slack_(1.0 + static_cast<double>(x.cols + 16) * 0x1p-50),
          tile_(x.cols) {}

    void chunk(std::int64_t first, std::int64_t last, double* sums) {
        double* mass = sums + centres_.rows * x_.cols;
        double* total = mass + centres_.rows * (gaps_ ? x_.cols : 1);
        for (std::int64_t i = first; i < last; i += run_rows) {
            const std::int64_t rows = std::min(run_rows, last - i);
            measure(i, rows);
            total[1] += static_cast<double>(settle(i, doubtful(i, rows)));
            const double* w = w_ == nullptr ? nullptr : w_ + i;
            const Run run{x_.row(i), w, rows, x_.cols, known_.labels + i, squares_};
            (gaps_ ? add_known : add_rows)(run, origin_.data, {sums, mass, total});
        }
    }

  private:
    // Square distances to the centres that were nearest.
    void measure(std::int64_t first, std::int64_t rows) {
        const std::int32_t* labels = known_.labels + first;
        own_squares(x_.row(first), rows, x_.cols, centres_.data, labels, squares_);
        for (std::int64_t r = 0; r < rows; ++r)
            if (std::isnan(squares_[r])) {
                if (!gaps_) refuse("X has missing cells in row ", first + r, ", and gaps is off.");
                squares_[r] = square_known(x_.row(first + r), centres_.row(labels[r]), x_.cols);
            }
    }

    // Rows for which another centre could be nearest now; their number.
    std::int64_t doubtful(std::int64_t first, std::int64_t rows) {
        doubt(known_.labels + first, squares_, rows, moves_, slack_ * slack_, known_.lower + first, rows_);
        std::int64_t count = 0;
        for (std::int64_t r = 0; r < rows; ++r) {
            const std::int32_t marked = rows_[r];
            rows_[count] = static_cast<std::int32_t>(r);
            count += marked;
        }
        return count;
    }

    // Compares these rows with all centres; says how many labels changed.
    std::int64_t settle(std::int64_t first, std::int64_t count) {
        std::int64_t changed = 0;
        for (std::int64_t start = 0; start < count; start += tile_rows) {
            const std::int64_t here = std::min(tile_rows, count - start);
            const std::int32_t* rows = rows_ + start;
            tile_.fill(here, [&](std::int64_t r) { return x_.row(first + rows[r]); });
            find(tile_, centres_, found_);
            for (std::int64_t r = 0; r < here; ++r) {
                std::int32_t& label = known_.labels[first + rows[r]];
                changed += label != found_.label[r];
                label = static_cast<std::int32_t>(found_.label[r]);
                squares_[rows[r]] = found_.best[r];
                known_.lower[first + rows[r]] = rounded_down(std::sqrt(found_.second[r]) / slack_);
            }
        }
        return changed;
    }

    const Matrix<double>& x_;
    const double* w_;
    const Matrix<double>& centres_;
    const Vector<double>& origin_;
    const Moves& moves_;
    const Known& known_;
    const bool gaps_;
    const double slack_;
    Tile tile_;
    Found found_;
    double squares_[run_rows];
    std::int32_t rows_[run_rows];
};

void check_centres(const Matrix<double>& x, const Matrix<double>& centres) {
    if (centres.cols != x.cols)
        refuse("centres must have the ", x.cols, " columns of X; they have ", centres.cols, ".");
    if (centres.rows < 1 || centres.rows > std::numeric_limits<std::int32_t>::max())
        refuse("there must be at least one centre; got ", centres.rows, ".");
    for (std::int64_t i = 0; i < centres.rows * centres.cols; ++i)
        if (!std::isfinite(centres.data[i])) refuse("centres must be finite; entry ", i, " is not.");
}

void check_pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centres,
                const Vector<double>& origin, const Moves& moves, const Known& known) {
    check_centres(x, centres);
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (origin.size != x.cols)
        refuse("origin must have one entry per column of X; it has ", origin.size, " for ", x.cols, ".");
    if (moves.reach.size != centres.rows || moves.near.size != centres.rows)
        refuse("reach and near must have one entry per centre; they have ", moves.reach.size, " and ",
               moves.near.size, " for ", centres.rows, ".");
    for (std::int64_t i = 0; i < x.rows; ++i)
        if (known.labels[i] < 0 || known.labels[i] >= centres.rows)
            refuse("labels must be from 0 to ", centres.rows - 1, "; row ", i, " has ", known.labels[i], ".");
}

// Adds the sums of chunks up, neighbours first, like the digits of a binary counter: as Blocks.reduce does.
void merge(double* sums, std::int64_t chunks, std::int64_t width) {
    std::vector<std::pair<std::int64_t, double*>> stack;  // how many chunks, and where their sums are
    const auto join = [&](double* more) {
        double* into = stack.back().second;
        for (std::int64_t i = 0; i < width; ++i) into[i] += more[i];
        stack.pop_back();
        return into;
    };
    for (std::int64_t c = 0; c < chunks; ++c) {
        std::int64_t size = 1;
        double* whole = sums + c * width;
        for (; !stack.empty() && stack.back().first == size; size *= 2) whole = join(whole);
        stack.emplace_back(size, whole);
    }
    while (stack.size() > 1) {
        double* last = stack.back().second;
        stack.pop_back();
        double* whole = join(last);
        stack.emplace_back(0, whole);
    }
}

}  // namespace

std::int64_t lloyd_width(std::int64_t n_centres, std::int64_t cols, bool gaps) {
    return checked_product(n_centres, cols + (gaps ? cols : 1)) + 2;
}

Buffer<double> lloyd_pass(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>& centres,
                          const Vector<double>& origin, const Moves& moves, const Known& known, bool gaps,
                          int threads) {
    check_pass(x, w, centres, origin, moves, known);
    const std::int64_t width = lloyd_width(centres.rows, x.cols, gaps);
    const std::int64_t chunks = (x.rows + lloyd_chunk - 1) / lloyd_chunk;
    Buffer<double> sums(std::max<std::int64_t>(chunks, 1), width, 0.0);
    parallel_rows(x.rows, lloyd_chunk, threads, [&](std::int64_t first, std::int64_t last) {
        Pass(x, w, centres, origin, moves, known, gaps)
            .chunk(first, last, sums.data() + first / lloyd_chunk * width);
    });
    merge(sums.data(), chunks, width);
    Buffer<double> out(width);
    std::copy_n(sums.data(), width, out.data());
    return out;
}

Assigned nearest_centres(const Matrix<double>& x, const Matrix<double>& centres, int threads) {
    check_centres(x, centres);
    Assigned out{Buffer<std::int32_t>(x.rows), Buffer<double>(x.rows)};
    parallel_rows(x.rows, lloyd_chunk, threads, [&](std::int64_t first, std::int64_t last) {
        Tile tile(x.cols);
        Found found;
        for (std::int64_t i = first; i < last; i += tile_rows) {
            const std::int64_t rows = std::min(tile_rows, last - i);
            tile.fill(rows, [&](std::int64_t r) { return x.row(i + r); });
            find(tile, centres, found);
            for (std::int64_t r = 0; r < rows; ++r)
                out.labels[i + r] = static_cast<std::int32_t>(found.label[r]);
            std::copy_n(found.best, rows, out.squares.data() + i);
        }
    });
    return out;
}

Buffer<double> square_distances(const Matrix<double>& x, const Matrix<double>& centres, int threads) {
    check_centres(x, centres);
    Buffer<double> out(x.rows, centres.rows);
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            for (std::int64_t c = 0; c < centres.rows; ++c) {
                const double found = square(x.row(i), centres.row(c), x.cols);
                out[i * centres.rows + c] =
                    std::isnan(found) ? square_known(x.row(i), centres.row(c), x.cols) : found;
            }
    });
    return out;
}

}  // namespace hornbook
