#include "core/stats/class_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/base/transpose_tiles.hpp"
#include "core/stats/levels.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// Normal densities, ready for use: log N(x) = log_scale - ((x - mean) * rate)^2 / 2.
struct Normals {
    std::int64_t classes;
    std::int64_t cols;
    const double* mean;
    Buffer<double> rate;
    Buffer<double> log_scale;
    std::vector<double> log_scales;  // of each class, added up in the order of the columns
};

void check_normal(double mean, double variance, std::int64_t c, std::int64_t j) {
    if (!std::isfinite(mean)) refuse("mean must be finite; class ", c, ", column ", j, " has ", mean, ".");
    if (!(variance > 0.0 && std::isfinite(variance)))
        refuse("var must be above 0 and finite; class ", c, ", column ", j, " has ", variance, ".");
}

Normals prepare(const Matrix<double>& x, const Matrix<double>& mean, const Matrix<double>& var) {
    if (mean.cols != x.cols)
        refuse("mean must have one column per column of X; it has ", mean.cols, " for ", x.cols, ".");
    if (var.rows != mean.rows || var.cols != mean.cols)
        refuse("var must have the shape of mean; it is ", var.rows, " x ", var.cols, " and mean is ",
               mean.rows, " x ", mean.cols, ".");
    Normals out{mean.rows,
                mean.cols,
                mean.data,
                Buffer<double>(mean.rows, mean.cols),
                Buffer<double>(mean.rows, mean.cols),
                {}};
    for (std::int64_t c = 0; c < mean.rows; ++c) {
        double total = 0.0;
        for (std::int64_t j = 0; j < mean.cols; ++j) {
            const double variance = var.row(c)[j];
            check_normal(mean.row(c)[j], variance, c, j);
            const double log_scale = -0.5 * (std::log(2.0 * std::numbers::pi) + std::log(variance));
            out.rate[c * mean.cols + j] = 1.0 / std::sqrt(variance);
            out.log_scale[c * mean.cols + j] = log_scale;
            total += log_scale;
        }
        out.log_scales.push_back(total);
    }
    return out;
}

// squares[row] = sum over columns of ((x - mean) * rate)^2
HORNBOOK_WIDE void sum_squares(const double* tile, std::int64_t cols, const double* __restrict mean,
                               const double* __restrict rate, double* squares) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    Lanes sum0{};
    Lanes sum1{};
    for (std::int64_t j = 0; j < cols; ++j) {
        const Lanes z0 = (x[2 * j] - mean[j]) * rate[j];
        const Lanes z1 = (x[2 * j + 1] - mean[j]) * rate[j];
        sum0 += z0 * z0;
        sum1 += z1 * z1;
    }
    reinterpret_cast<Lanes*>(squares)[0] = sum0;
    reinterpret_cast<Lanes*>(squares)[1] = sum1;
}

// The same with missing numbers: they add nothing, and their log_scale is left out of scales[row]. A complete
// row gets the same bits as from sum_squares and log_scales: the additions are the same.
HORNBOOK_WIDE void sum_present(const double* tile, std::int64_t cols, const double* __restrict mean,
                               const double* __restrict rate, const double* __restrict log_scale,
                               double* squares, double* scales) {
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    const Lanes nothing{};
    Lanes square0{};
    Lanes square1{};
    Lanes scale0{};
    Lanes scale1{};
    for (std::int64_t j = 0; j < cols; ++j) {
        const Lanes x0 = x[2 * j];
        const Lanes x1 = x[2 * j + 1];
        const Lanes z0 = (x0 - mean[j]) * rate[j];
        const Lanes z1 = (x1 - mean[j]) * rate[j];
        const Lanes scale = nothing + log_scale[j];
        square0 += x0 == x0 ? z0 * z0 : nothing;
        square1 += x1 == x1 ? z1 * z1 : nothing;
        scale0 += x0 == x0 ? scale : nothing;
        scale1 += x1 == x1 ? scale : nothing;
    }
    reinterpret_cast<Lanes*>(squares)[0] = square0;
    reinterpret_cast<Lanes*>(squares)[1] = square1;
    reinterpret_cast<Lanes*>(scales)[0] = scale0;
    reinterpret_cast<Lanes*>(scales)[1] = scale1;
}

// All classes for one tile; out is its first row of the result.
void tile_joint(const Normals& normals, const double* tile, std::int64_t rows, bool missing, double* out) {
    alignas(64) double squares[tile_rows];
    alignas(64) double scales[tile_rows];
    for (std::int64_t c = 0; c < normals.classes; ++c) {
        const double* mean = normals.mean + c * normals.cols;
        const double* rate = normals.rate.data() + c * normals.cols;
        if (missing) {
            sum_present(tile, normals.cols, mean, rate, normals.log_scale.data() + c * normals.cols, squares,
                        scales);
        } else {
            sum_squares(tile, normals.cols, mean, rate, squares);
            std::fill_n(scales, tile_rows, normals.log_scales[static_cast<std::size_t>(c)]);
        }
        for (std::int64_t r = 0; r < rows; ++r) out[r * normals.classes + c] = scales[r] - 0.5 * squares[r];
    }
}

// Log probabilities of all classes side by side, with a slot of zeros in front of each column's levels: a
// missing code (-1) adds that slot, so that the loop needs no branch.
struct Slots {
    std::int64_t width;  // classes, rounded up to whole groups
    std::vector<std::int64_t> offsets;
    Buffer<double> table;
};

constexpr std::int64_t group = 4;
typedef double Group __attribute__((vector_size(32), may_alias));

Slots arrange(const Matrix<double>& log_table, const Vector<std::int32_t>& n_levels) {
    const std::vector<std::int64_t> from = level_offsets(n_levels);
    if (log_table.cols != from.back())
        refuse("log_table must have one column per level; it has ", log_table.cols, " for ", from.back(),
               " levels.");
    const std::int64_t width = (log_table.rows + group - 1) / group * group;
    std::vector<std::int64_t> offsets = level_offsets(n_levels, 1);
    Buffer<double> table(offsets.back(), width, 0.0);
    for (std::int64_t j = 0; j < n_levels.size; ++j)
        for (std::int64_t level = 0; level < n_levels.data[j]; ++level)
            for (std::int64_t c = 0; c < log_table.rows; ++c) {
                const double value = log_table.row(c)[from[static_cast<std::size_t>(j)] + level];
                if (!(value < std::numeric_limits<double>::infinity()))
                    refuse("log_table must hold finite numbers or -inf; class ", c, ", column ", j,
                           ", level ", level, " has ", value, ".");
                table[(offsets[static_cast<std::size_t>(j)] + 1 + level) * width + c] = value;
            }
    return {width, std::move(offsets), std::move(table)};
}

// Adds up the slots of the given rows, one group of classes after the other.
HORNBOOK_WIDE void sum_slots(const std::int32_t* codes, std::int64_t rows, std::int64_t cols,
                             const std::int64_t* __restrict offsets, const double* table, std::int64_t width,
                             std::int64_t classes, double* out) {
    for (std::int64_t i = 0; i < rows; ++i, codes += cols, out += classes)
        for (std::int64_t c = 0; c < classes; c += group) {
            Group sum{};
            for (std::int64_t j = 0; j < cols; ++j)
                sum += *reinterpret_cast<const Group*>(table + (offsets[j] + 1 + codes[j]) * width + c);
            const std::int64_t count = std::min(group, classes - c);
            for (std::int64_t k = 0; k < count; ++k) out[c + k] = sum[k];
        }
}

}  // namespace

Buffer<double> gaussian_joint(const Matrix<double>& x, const Matrix<double>& mean, const Matrix<double>& var,
                              int threads) {
    const Normals normals = prepare(x, mean, var);
    Buffer<double> out(x.rows, mean.rows);
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        Buffer<double> tile(tile_rows, x.cols);
        Pace pace;
        for (std::int64_t i = first; i < last; i += tile_rows) {
            const std::int64_t rows = std::min(tile_rows, last - i);
            const bool missing = transpose_tile(x.row(i), rows, x.cols, tile.data());
            tile_joint(normals, tile.data(), rows, missing, out.data() + i * mean.rows);
            pace.spend(tile_rows * mean.rows * x.cols);
        }
    });
    return out;
}

Buffer<double> table_joint(const Matrix<std::int32_t>& codes, const Matrix<double>& log_table,
                           const Vector<std::int32_t>& n_levels, int threads) {
    check_levels(codes, n_levels);
    const Slots slots = arrange(log_table, n_levels);
    Buffer<double> out(codes.rows, log_table.rows);
    parallel_rows(codes.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        check_codes(codes, n_levels, first, last);
        sum_slots(codes.row(first), last - first, codes.cols, slots.offsets.data(), slots.table.data(),
                  slots.width, log_table.rows, out.data() + first * log_table.rows);
    });
    return out;
}

}  // namespace hornbook
