#include "core/stats/kernel_density.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "core/base/exponent.hpp"
#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// One sample, ready for use.
struct Sample {
    const double* points;
    const double* log_share;  // log of each weight's share in the sum of weights
    std::int64_t size;
    double bandwidth;
    double log_scale;  // of the kernel at its center
    double reach;      // points whose exponent is this much below the nearest one's are negligible
    bool uneven;       // weights so unequal that the nearest point may be negligible
};

// e^-42 is less than a hundredth of the rounding unit of 1.
constexpr double negligible = 42.0;

void check_shapes(const Matrix<double>& x, const KernelDensities& densities) {
    const Matrix<double>& bandwidth = densities.bandwidth;
    if (bandwidth.cols != x.cols)
        refuse("bandwidth must have one column per column of X; it has ", bandwidth.cols, " for ", x.cols,
               ".");
    if (densities.weights.size != densities.points.size)
        refuse("weights must have one entry per point; it has ", densities.weights.size, " for ",
               densities.points.size, " points.");
    const std::int64_t samples = checked_product(bandwidth.rows, bandwidth.cols);
    if (densities.offsets.size != samples + 1)
        refuse("offsets must have one entry per class and column and one more; it has ",
               densities.offsets.size, " instead of ", samples + 1, ".");
    const std::int64_t* offsets = densities.offsets.data;
    if (offsets[0] < 0) refuse("offsets must not be negative; the first is ", offsets[0], ".");
    for (std::int64_t s = 0; s < samples; ++s)
        if (offsets[s + 1] <= offsets[s])
            refuse("offsets must ascend, every class and column needs a point; entry ", s + 1, " is ",
                   offsets[s + 1], " after ", offsets[s], ".");
    if (offsets[samples] > densities.points.size)
        refuse("offsets must end within points; the last is ", offsets[samples], " for ",
               densities.points.size, " points.");
}

void check_sample(const KernelDensities& densities, std::int64_t first, std::int64_t last, double bandwidth) {
    const double* points = densities.points.data;
    const double* weights = densities.weights.data;
    constexpr double smallest = 2.0 * std::numeric_limits<double>::min();  // its inverse is finite
    if (!(bandwidth >= smallest && std::isfinite(bandwidth)))
        refuse("bandwidth must be above 0 (at least ", smallest, ") and finite; got ", bandwidth, ".");
    for (std::int64_t i = first; i < last; ++i) {
        if (!std::isfinite(points[i])) refuse("points must be finite; point ", i, " is ", points[i], ".");
        if (i > first && points[i] < points[i - 1])
            refuse("points must ascend within a class and column; point ", i, " is ", points[i], " after ",
                   points[i - 1], ".");
        if (!(weights[i] > 0.0 && std::isfinite(weights[i])))
            refuse("weights must be above 0 and finite; weight ", i, " is ", weights[i], ".");
    }
}

// Logs of the normalized weights, and the smallest of them. The largest weight is divided out first, so that
// no sum can overflow. Equal weights in a row, the usual case, cost one logarithm.
double normalize_weights(const double* weights, std::int64_t size, double* log_share) {
    const double largest = *std::max_element(weights, weights + size);
    double total = 0.0;
    for (std::int64_t i = 0; i < size; ++i) total += weights[i] / largest;
    const double log_total = std::log(total) + std::log(largest);
    double lowest = 0.0;
    for (std::int64_t i = 0; i < size; ++i) {
        log_share[i] =
            i > 0 && weights[i] == weights[i - 1] ? log_share[i - 1] : std::log(weights[i]) - log_total;
        lowest = std::min(lowest, log_share[i]);
    }
    return lowest;
}

std::vector<Sample> prepare(const KernelDensities& densities, Buffer<double>& log_share) {
    std::vector<Sample> samples;
    const std::int64_t count = densities.offsets.size - 1;
    for (std::int64_t s = 0; s < count; ++s) {
        const std::int64_t first = densities.offsets.data[s];
        const std::int64_t last = densities.offsets.data[s + 1];
        const double bandwidth = densities.bandwidth.data[s];
        check_sample(densities, first, last, bandwidth);
        const double lowest =
            normalize_weights(densities.weights.data + first, last - first, log_share.data() + first);
        const double log_scale = -0.5 * std::log(2.0 * std::numbers::pi) - std::log(bandwidth);
        samples.push_back({densities.points.data + first, log_share.data() + first, last - first, bandwidth,
                           log_scale, negligible - lowest, lowest < lowest_exponent + 2 * negligible});
    }
    return samples;
}

// The query, measured from the nearest point. Everything is halved, so that the difference of two finite
// numbers is finite.
struct Query {
    double half_x;
    double half_near;
    double rate;    // 1 / bandwidth
    double half_z;  // (x - near) / bandwidth / 2
};

// Log share plus (z_near^2 - z^2) / 2 for eight points: how far each kernel lies below the nearest one. The
// difference of squares is taken as a product; far away, subtracting two large squares would leave noise.
__attribute__((always_inline)) inline void exponents(const double* points, const double* log_share,
                                                     const Query& query, Lanes& out) {
    Lanes half;
    std::memcpy(&half, points, sizeof half);
    std::memcpy(&out, log_share, sizeof out);
    half *= 0.5;
    const Lanes spread = (query.half_near - half) * (2.0 * query.rate);
    const Lanes both = (query.half_x - half) * query.rate + query.half_z;
    out -= spread * both;
}

// The last points of a run that is no multiple of eight, padded with points of weight zero.
struct Rest {
    double points[lanes];
    double log_share[lanes];

    Rest(const double* from_points, const double* from_share, std::int64_t count) {
        for (std::int64_t k = 0; k < lanes; ++k) {
            points[k] = from_points[k < count ? k : 0];
            log_share[k] = k < count ? from_share[k] : -std::numeric_limits<double>::infinity();
        }
    }
};

// Sum of e^(exponent - top), the second half of a log-sum-exp.
HORNBOOK_WIDE double sum_kernels(const double* points, const double* log_share, std::int64_t size,
                                 const Query& query, double top) {
    Lanes sums{};
    Lanes term;
    std::int64_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        exponents(points + i, log_share + i, query, term);
        term -= top;
        exponentiate(term);
        sums += term;
    }
    if (i < size) {
        const Rest rest(points + i, log_share + i, size - i);
        exponents(rest.points, rest.log_share, query, term);
        term -= top;
        exponentiate(term);
        sums += term;
    }
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// The largest exponent; only needed when a heavy point far away may outweigh the nearest.
double largest_exponent(const double* points, const double* log_share, std::int64_t size,
                        const Query& query) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < size; i += lanes) {
        const Rest rest(points + i, log_share + i, std::min(lanes, size - i));
        Lanes term;
        exponents(rest.points, rest.log_share, query, term);
        for (std::int64_t k = 0; k < lanes; ++k) top = std::max(top, term[k]);
    }
    return top;
}

double nearest(const Sample& sample, double x) {
    const double* end = sample.points + sample.size;
    const double* above = std::lower_bound(sample.points, end, x);
    if (above == sample.points) return *above;
    if (above == end) return above[-1];
    return x / 2.0 - above[-1] / 2.0 <= *above / 2.0 - x / 2.0 ? above[-1] : *above;
}

double log_density(const Sample& sample, double x) {
    const double near = nearest(sample, x);
    const double rate = 1.0 / sample.bandwidth;
    const Query query{x / 2.0, near / 2.0, rate, (x / 2.0 - near / 2.0) * rate};
    const double below = 2.0 * query.half_z * query.half_z;
    if (!(below <= std::numeric_limits<double>::max())) return -std::numeric_limits<double>::infinity();
    // Slightly wider than the formula, so that rounding cannot exclude the nearest point.
    const double reach = std::sqrt(2.0 * (below + sample.reach)) * sample.bandwidth * (1.0 + 1e-12);
    const double* end = sample.points + sample.size;
    const double* from = std::lower_bound(sample.points, end, x - reach);
    const double* to = std::upper_bound(from, end, x + reach);
    const double* log_share = sample.log_share + (from - sample.points);
    const double top = sample.uneven ? largest_exponent(from, log_share, to - from, query) : 0.0;
    return sample.log_scale - below + top + std::log(sum_kernels(from, log_share, to - from, query, top));
}

}  // namespace

Buffer<double> kernel_joint(const Matrix<double>& x, const KernelDensities& densities, int threads) {
    check_shapes(x, densities);
    Buffer<double> log_share(densities.points.size);
    const std::vector<Sample> samples = prepare(densities, log_share);
    const std::int64_t classes = densities.bandwidth.rows;
    Buffer<double> out(x.rows, classes);
    constexpr std::int64_t run_rows = 16;  // small, since a row costs a pass over the points
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t c = 0; c < classes; ++c)
            for (std::int64_t i = first; i < last; ++i) {
                double sum = 0.0;
                for (std::int64_t j = 0; j < x.cols; ++j)
                    if (!std::isnan(x.row(i)[j]))
                        sum += log_density(samples[static_cast<std::size_t>(c * x.cols + j)], x.row(i)[j]);
                out[i * classes + c] = sum;
                stop_point();
            }
    });
    return out;
}

}  // namespace hornbook
