#include "core/neighbors/rough_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/base/product_tiles.hpp"
#include "core/base/simd.hpp"
#include "core/rounding/centering.hpp"
#include "core/rounding/single_precision.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t group = RoughRows::group;
constexpr std::int64_t run = RoughRows::run;
constexpr std::int64_t batch = RoughQueries::batch;
// Beyond these the squares of doubles, or what they are scaled by, would leave the range of doubles.
constexpr double largest_usable = 1e100;
constexpr double least_usable = 1e-100;
// Sums of whole numbers and halves below this have no rounding in single precision.
constexpr double largest_exact = 0x1p22;

// The width for which all compilers keep the sums of a batch in registers.
typedef float FloatLanes __attribute__((vector_size(32), may_alias));
static_assert(sizeof(FloatLanes) == group * sizeof(float));

HORNBOOK_WIDE void score_groups(const float* packed, const float* starts, std::int64_t cols,
                                const float* queries, std::int64_t groups, float* out) {
    sweep_groups<FloatLanes, batch>(
        packed, cols, queries, groups, out, run,
        [&](FloatLanes& sum, std::int64_t g) {
            sum = *reinterpret_cast<const FloatLanes*>(starts + g * group);
        },
        [](FloatLanes& sum, const FloatLanes& x, float q) { sum += x * q; });
}

bool all_whole(const Matrix<double>& table) {
    constexpr double most = 0x1p20;
    Pace pace;
    for (std::int64_t i = 0; i < table.rows; ++i) {
        pace.spend(table.cols);
        const double* x = table.row(i);
        for (std::int64_t j = 0; j < table.cols; ++j)
            if (!(std::abs(x[j]) < most) || x[j] != static_cast<double>(static_cast<std::int32_t>(x[j])))
                return false;
    }
    return true;
}

}  // namespace

RoughRows::RoughRows(const Matrix<double>& rows, const Matrix<double>& queries, int threads)
    : rows_(rows.rows),
      cols_(rows.cols),
      packed_((rows.rows + group - 1) / group * group, rows.cols),
      starts_((rows.rows + group - 1) / group * group),
      squares_(starts_.size()) {
    inspect(rows, queries);
    if (usable_) pack(rows, threads);
}

void RoughRows::inspect(const Matrix<double>& rows, const Matrix<double>& queries) {
    center_ = rough_center(rows);
    const bool whole = all_whole(rows) && all_whole(queries);
    if (whole)
        for (double& mean : center_) mean = std::nearbyint(mean);
    const double largest = std::max(largest_gap(rows, center_), largest_gap(queries, center_));
    usable_ = largest == 0.0 || (largest > least_usable && largest < largest_usable);
    exact_ = whole && static_cast<double>(cols_) * largest * largest < largest_exact;
    if (!usable_ || exact_) return;
    scale_ = unit_scale(largest);
    relative_error_ = 2.0 * product_error(cols_);
    least_error_ = product_error(cols_) * 0x1p-122;  // of numbers below the normal ones
}

void RoughRows::pack(const Matrix<double>& rows, int threads) {
    const std::int64_t runs = (rows_ + run - 1) / run;
    std::vector<float> largest(static_cast<std::size_t>(runs), 0.0F);
    parallel_for(runs, threads, [&](std::int64_t r) {
        const std::int64_t last = std::min((r + 1) * run, starts_.size());
        for (std::int64_t i = r * run; i < last; ++i) {
            // Padding of the last group repeats the last row; nobody reads its scores.
            const double* x = rows.row(std::min(i, rows_ - 1));
            float* place = packed_.data() + i / group * group * cols_ + i % group;
            double square = 0.0;
            for (std::int64_t j = 0; j < cols_; ++j) {
                const double number = (x[j] - center_[static_cast<std::size_t>(j)]) * scale_;
                square += number * number;
                place[j * group] = static_cast<float>(number);
            }
            squares_[i] = static_cast<float>(square);
            starts_[i] = static_cast<float>((relative_error_ - 0.5) * square);
            float& most = largest[static_cast<std::size_t>(r)];
            most = std::max(most, squares_[i]);
        }
    });
    largest_error_ = relative_error_ * static_cast<double>(*std::max_element(largest.begin(), largest.end()));
}

void RoughRows::prepare(const Matrix<double>& queries, std::int64_t first, std::int64_t last,
                        RoughQueries& out) const {
    out.count = last - first;
    out.numbers.assign(static_cast<std::size_t>(cols_ * batch), 0.0F);
    for (std::int64_t k = 0; k < out.count; ++k) {
        const double* x = queries.row(first + k);
        double square = 0.0;
        for (std::int64_t j = 0; j < cols_; ++j) {
            const double number = (x[j] - center_[static_cast<std::size_t>(j)]) * scale_;
            square += number * number;
            out.numbers[static_cast<std::size_t>(j * batch + k)] = static_cast<float>(number);
        }
        out.squares[k] = square;
        out.errors[k] = relative_error_ * square + least_error_;
    }
}

void RoughRows::score(const RoughQueries& queries, std::int64_t first, float* scores) const {
    const std::int64_t last = std::min(first + run, starts_.size());
    score_groups(packed_.data() + first * cols_, starts_.data() + first, cols_, queries.numbers.data(),
                 (last - first) / group, scores);
}

}  // namespace hornbook
