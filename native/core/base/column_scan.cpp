#include "core/base/column_scan.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t run_cells = 1 << 16;  // one thread looks at half a megabyte at a time

// Partial result of one run of rows. Minimum, maximum and count do not depend on the order of merging.
struct Part {
    double* low;
    double* high;
    std::int64_t* missing;
    std::int64_t infinite;
};

// Four rows per step, so that the running results are loaded and stored once for four numbers.
// A comparison with NaN is false and leaves the running result alone.
HORNBOOK_WIDE void scan_rows(const double* __restrict x, std::int64_t rows, std::int64_t cols,
                             std::int64_t stride, double* __restrict low, double* __restrict high,
                             std::int64_t* __restrict missing) {
    std::int64_t i = 0;
    for (; i + 4 <= rows; i += 4, x += 4 * stride) {
        const double* __restrict x1 = x + stride;
        const double* __restrict x2 = x1 + stride;
        const double* __restrict x3 = x2 + stride;
        for (std::int64_t j = 0; j < cols; ++j) {
            double least = low[j];
            double most = high[j];
            least = x[j] < least ? x[j] : least;
            most = x[j] > most ? x[j] : most;
            least = x1[j] < least ? x1[j] : least;
            most = x1[j] > most ? x1[j] : most;
            least = x2[j] < least ? x2[j] : least;
            most = x2[j] > most ? x2[j] : most;
            low[j] = x3[j] < least ? x3[j] : least;
            high[j] = x3[j] > most ? x3[j] : most;
            missing[j] += std::int64_t{x[j] != x[j]} + std::int64_t{x1[j] != x1[j]} +
                          std::int64_t{x2[j] != x2[j]} + std::int64_t{x3[j] != x3[j]};
        }
    }
    for (; i < rows; ++i, x += stride) {
        for (std::int64_t j = 0; j < cols; ++j) {
            low[j] = x[j] < low[j] ? x[j] : low[j];
            high[j] = x[j] > high[j] ? x[j] : high[j];
            missing[j] += std::int64_t{x[j] != x[j]};
        }
    }
}

// Rows of any layout are copied in small tiles first.
void scan_strided(const StridedMatrix& x, std::int64_t first, std::int64_t last, const Part& part) {
    constexpr std::int64_t tile_rows = 128;
    constexpr std::int64_t tile_cols = 16;
    double tile[tile_rows * tile_cols];
    for (std::int64_t i = first; i < last; i += tile_rows) {
        const std::int64_t rows = std::min(tile_rows, last - i);
        for (std::int64_t j = 0; j < x.cols; j += tile_cols) {
            const std::int64_t cols = std::min(tile_cols, x.cols - j);
            for (std::int64_t c = 0; c < cols; ++c) {
                const double* source = x.data + i * x.row_stride + (j + c) * x.col_stride;
                for (std::int64_t r = 0; r < rows; ++r) tile[r * cols + c] = source[r * x.row_stride];
            }
            scan_rows(tile, rows, cols, cols, part.low + j, part.high + j, part.missing + j);
        }
    }
}

// Rare case: the ranges again, without infinities, and the position of the first infinity.
void scan_finite(const StridedMatrix& x, std::int64_t first, std::int64_t last, Part& part) {
    std::fill_n(part.low, x.cols, infinity);
    std::fill_n(part.high, x.cols, -infinity);
    for (std::int64_t i = first; i < last; ++i) {
        for (std::int64_t j = 0; j < x.cols; ++j) {
            const double value = x.data[i * x.row_stride + j * x.col_stride];
            if (std::isfinite(value)) {
                part.low[j] = std::min(part.low[j], value);
                part.high[j] = std::max(part.high[j], value);
            } else if (!std::isnan(value) && part.infinite < 0) {
                part.infinite = i * x.cols + j;
            }
        }
    }
}

void scan_part(const StridedMatrix& x, std::int64_t first, std::int64_t last, Part& part) {
    std::fill_n(part.low, x.cols, infinity);
    std::fill_n(part.high, x.cols, -infinity);
    std::fill_n(part.missing, x.cols, 0);
    if (x.col_stride == 1)
        scan_rows(x.data + first * x.row_stride, last - first, x.cols, x.row_stride, part.low, part.high,
                  part.missing);
    else
        scan_strided(x, first, last, part);
    bool any_infinite = false;
    for (std::int64_t j = 0; j < x.cols; ++j)
        any_infinite |= part.low[j] == -infinity || part.high[j] == infinity;
    if (any_infinite) scan_finite(x, first, last, part);
}

Scan merge(const std::vector<Part>& parts, std::int64_t cols) {
    Scan out{Buffer<std::int64_t>(1, cols, 0), Buffer<double>(1, cols, infinity),
             Buffer<double>(1, cols, -infinity), -1};
    for (const Part& part : parts) {
        for (std::int64_t j = 0; j < cols; ++j) {
            out.missing[j] += part.missing[j];
            out.low[j] = std::min(out.low[j], part.low[j]);
            out.high[j] = std::max(out.high[j], part.high[j]);
        }
        if (out.infinite < 0) out.infinite = part.infinite;
    }
    for (std::int64_t j = 0; j < cols; ++j) {
        const bool none = out.low[j] > out.high[j];
        // Adding zero turns -0 into 0: the result must not depend on which of them came first.
        out.low[j] = none ? std::numeric_limits<double>::quiet_NaN() : out.low[j] + 0.0;
        out.high[j] = none ? std::numeric_limits<double>::quiet_NaN() : out.high[j] + 0.0;
    }
    return out;
}

// A number minus itself is 0, unless it is not finite.
HORNBOOK_WIDE bool finite_run(const double* x, std::int64_t size) {
    constexpr std::int64_t at_once = 4;
    Lanes sums[at_once] = {};
    for (; size >= at_once * lanes; size -= at_once * lanes, x += at_once * lanes)
        for (std::int64_t k = 0; k < at_once; ++k) {
            Lanes numbers;
            std::memcpy(&numbers, x + k * lanes, sizeof numbers);
            sums[k] += numbers - numbers;
        }
    const Lanes both = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    double sum = 0.0;
    for (std::int64_t k = 0; k < lanes; ++k) sum += both[k];
    for (std::int64_t i = 0; i < size; ++i) sum += x[i] - x[i];
    return sum == 0.0;
}

bool finite_part(const StridedMatrix& x, std::int64_t first, std::int64_t last) {
    if (x.col_stride == 1 && x.row_stride == x.cols)
        return finite_run(x.data + first * x.cols, (last - first) * x.cols);
    bool finite = true;
    for (std::int64_t i = first; i < last && finite; ++i) {
        const double* row = x.data + i * x.row_stride;
        if (x.col_stride == 1)
            finite = finite_run(row, x.cols);
        else
            for (std::int64_t j = 0; j < x.cols; ++j) finite &= std::isfinite(row[j * x.col_stride]);
    }
    return finite;
}

}  // namespace

bool all_finite(const StridedMatrix& given, int threads) {
    StridedMatrix x = given;
    if (x.row_stride == 1 && x.col_stride != 1) {  // column after column
        std::swap(x.rows, x.cols);
        std::swap(x.row_stride, x.col_stride);
    }
    std::atomic<bool> finite{true};
    const std::int64_t step = std::max<std::int64_t>(run_cells / std::max<std::int64_t>(x.cols, 1), 1);
    parallel_rows(x.rows, step, threads, [&](std::int64_t first, std::int64_t last) {
        if (finite.load(std::memory_order_relaxed) && !finite_part(x, first, last))
            finite.store(false, std::memory_order_relaxed);
    });
    return finite.load();
}

Scan scan(const StridedMatrix& x, int threads) {
    // Never so many runs that their results outgrow the data.
    constexpr std::int64_t most_runs = 256;
    const std::int64_t step = std::max({run_cells / std::max<std::int64_t>(x.cols, 1),
                                        (x.rows + most_runs - 1) / most_runs, std::int64_t{1}});
    const std::int64_t runs = (x.rows + step - 1) / step;
    Buffer<double> ranges(2 * runs, x.cols);
    Buffer<std::int64_t> missing(runs, x.cols);
    std::vector<Part> parts;
    for (std::int64_t run = 0; run < runs; ++run)
        parts.push_back({ranges.data() + 2 * run * x.cols, ranges.data() + (2 * run + 1) * x.cols,
                         missing.data() + run * x.cols, -1});
    parallel_rows(x.rows, step, threads, [&](std::int64_t first, std::int64_t last) {
        scan_part(x, first, last, parts[static_cast<std::size_t>(first / step)]);
    });
    return merge(parts, x.cols);
}

}  // namespace hornbook
