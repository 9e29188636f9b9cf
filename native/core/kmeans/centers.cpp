#include "core/kmeans/centers.hpp"

#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t groups = tile_rows / lanes;
constexpr std::int64_t quarters = 4;  // sums in which the columns are added up
constexpr std::int64_t run_rows = 256;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Four columns of one row, wherever it starts.
typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef std::int64_t IntLanes __attribute__((vector_size(64), may_alias));

// Columns in lanes; NaN when a cell is missing.
[[gnu::always_inline]] inline double square(const double* x, const double* center, std::int64_t cols) {
    Quad sums{};
    std::int64_t j = 0;
    for (; j + quarters <= cols; j += quarters) {
        const Quad gap = *reinterpret_cast<const Quad*>(x + j) - *reinterpret_cast<const Quad*>(center + j);
        sums += gap * gap;
    }
    const auto term = [&](std::int64_t q) {
        const double gap = j + q < cols ? x[j + q] - center[j + q] : 0.0;
        return gap * gap;
    };
    if (j < cols) sums += Quad{term(0), term(1), term(2), 0.0};
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

double square_present(const double* x, const double* center, std::int64_t cols) {
    double sums[quarters] = {};
    for (std::int64_t j = 0; j < cols; ++j) {
        const double gap = x[j] - center[j];
        if (!std::isnan(gap)) sums[j % quarters] += gap * gap;
    }
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

// Rows in lanes.
template <bool gaps>
[[gnu::always_inline]] inline void squares(const Lanes* x, const double* center, std::int64_t cols,
                                           Lanes& out) {
    Lanes sums[quarters] = {};
    const auto add = [&](std::int64_t j, std::int64_t q) {
        const Lanes gap = x[j * groups] - center[j];
        const Lanes term = gap * gap;
        sums[q] += gaps ? (term >= 0.0 ? term : Lanes{}) : term;
    };
    std::int64_t j = 0;
    for (; j + quarters <= cols; j += quarters)
        for (std::int64_t q = 0; q < quarters; ++q) add(j + q, q);
    for (std::int64_t q = 0; j < cols; ++j, ++q) add(j, q);
    out = (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

template <bool gaps>
[[gnu::always_inline]] inline void sweep(const double* tile, const Matrix<double>& centers, TwoNearest& out) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    const Lanes far = Lanes{} + infinity;
    for (std::int64_t g = 0; g < groups; ++g) {
        Lanes best = far;
        Lanes second = far;
        IntLanes label{};
        for (std::int64_t c = 0; c < centers.rows; ++c) {
            Lanes d;
            squares<gaps>(x + g, centers.row(c), centers.cols, d);
            const IntLanes closer = d < best;
            second = closer ? best : (d < second ? d : second);
            best = closer ? d : best;
            label = closer ? IntLanes{} + c : label;
        }
        reinterpret_cast<Lanes*>(out.best)[g] = best;
        reinterpret_cast<Lanes*>(out.second)[g] = second;
        reinterpret_cast<IntLanes*>(out.label)[g] = label;
    }
}

HORNBOOK_WIDE void sweep_complete(const double* tile, const Matrix<double>& centers, TwoNearest& out) {
    sweep<false>(tile, centers, out);
}

HORNBOOK_WIDE void sweep_present(const double* tile, const Matrix<double>& centers, TwoNearest& out) {
    sweep<true>(tile, centers, out);
}

HORNBOOK_WIDE void wide_own(const double* x, std::int64_t rows, std::int64_t cols, const double* centers,
                            const std::int32_t* labels, double* out) {
    for (std::int64_t i = 0; i < rows; ++i) out[i] = square(x + i * cols, centers + labels[i] * cols, cols);
}

HORNBOOK_WIDE void wide_all(const Matrix<double>& x, const Matrix<double>& centers, double* out) {
    for (std::int64_t i = 0; i < x.rows; ++i, out += centers.rows)
        for (std::int64_t c = 0; c < centers.rows; ++c) out[c] = square(x.row(i), centers.row(c), x.cols);
}

}  // namespace

void check_centers(const Matrix<double>& x, const Matrix<double>& centers) {
    if (centers.cols != x.cols)
        refuse("centers must have the ", x.cols, " columns of X; they have ", centers.cols, ".");
    if (centers.rows < 1 || centers.rows > std::numeric_limits<std::int32_t>::max())
        refuse("there must be at least one center; got ", centers.rows, ".");
    for (std::int64_t i = 0; i < centers.rows * centers.cols; ++i)
        if (!std::isfinite(centers.data[i])) refuse("centers must be finite; entry ", i, " is not.");
}

double square_distance(const double* x, const double* center, std::int64_t cols) {
    const double sum = square(x, center, cols);
    return std::isnan(sum) ? square_present(x, center, cols) : sum;
}

void own_squares(const Matrix<double>& x, const Matrix<double>& centers, const std::int32_t* labels,
                 double* out) {
    wide_own(x.data, x.rows, x.cols, centers.data, labels, out);
}

void Tile::search(const Matrix<double>& centers, TwoNearest& out) const {
    sweep_complete(numbers_.data(), centers, out);
    // The distances of a row with a missing cell are NaN, which is never below the best: none was taken.
    if (*std::max_element(out.best, out.best + tile_rows) == infinity)
        sweep_present(numbers_.data(), centers, out);
}

Assignment nearest_centers(const Matrix<double>& x, const Matrix<double>& centers, int threads) {
    check_centers(x, centers);
    Assignment out{Buffer<std::int32_t>(x.rows), Buffer<double>(x.rows)};
    parallel_rows(x.rows, 16 * run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        Tile tile(x.cols);
        TwoNearest nearest;
        Pace pace;
        for (std::int64_t i = first; i < last; i += tile_rows) {
            const std::int64_t rows = std::min(tile_rows, last - i);
            tile.fill(rows, [&](std::int64_t r) { return x.row(i + r); });
            tile.search(centers, nearest);
            pace.spend(tile_rows * centers.rows * x.cols);
            for (std::int64_t r = 0; r < rows; ++r)
                out.labels[i + r] = static_cast<std::int32_t>(nearest.label[r]);
            std::copy_n(nearest.best, rows, out.squares.data() + i);
        }
    });
    return out;
}

void square_distances(const Matrix<double>& x, const Matrix<double>& centers, double* out) {
    wide_all(x, centers, out);
    const std::int64_t k = centers.rows;
    for (std::int64_t i = 0; i < x.rows * k; ++i)
        if (std::isnan(out[i])) out[i] = square_present(x.row(i / k), centers.row(i % k), x.cols);
}

Buffer<double> square_distances(const Matrix<double>& x, const Matrix<double>& centers, int threads) {
    check_centers(x, centers);
    Buffer<double> out(x.rows, centers.rows);
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        Pace pace;
        constexpr std::int64_t some = 16;  // rows between two looks at the clock
        for (std::int64_t i = first; i < last; i += some) {
            const std::int64_t rows = std::min(some, last - i);
            pace.spend(rows * centers.rows * x.cols);
            square_distances({x.row(i), rows, x.cols}, centers, out.data() + i * centers.rows);
        }
    });
    return out;
}

}  // namespace hornbook
