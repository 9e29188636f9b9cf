#include "core/kmeans/center_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/kmeans/quads.hpp"
#include "core/rounding/single_precision.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// Sixteen floats handled as one, and as many integers.
typedef float FloatLanes __attribute__((vector_size(64), may_alias));
typedef std::int32_t IntLanes __attribute__((vector_size(64), may_alias));

typedef float FloatQuad __attribute__((vector_size(16), aligned(4), may_alias));

constexpr std::int64_t groups = tile_rows / 16;

// Sixteen floats of a tile, which may lie anywhere in memory.
typedef float LooseLanes __attribute__((vector_size(64), may_alias, aligned(4)));
[[gnu::always_inline]] inline void load(const float* tile, std::int64_t place, FloatLanes& out) {
    out = *reinterpret_cast<const LooseLanes*>(tile + 16 * place);
}

// Transposes four columns of four rows.
[[gnu::always_inline]] inline void transpose_block(const double* const* rows, std::int64_t j,
                                                   const double* origin, float* out) {
    Quad r[quad];
    for (std::int64_t i = 0; i < quad; ++i) r[i] = quad_at(rows[i] + j) - quad_at(origin + j);
    Quad columns[quad];
    transpose_quads(r, columns);
    for (std::int64_t i = 0; i < quad; ++i)
        *reinterpret_cast<FloatQuad*>(out + (j + i) * tile_rows) =
            __builtin_convertvector(columns[i], FloatQuad);
}

HORNBOOK_WIDE void transpose_tile(const double* const* rows, std::int64_t cols, const double* origin,
                                  float* __restrict tile) {
    for (std::int64_t r = 0; r < tile_rows; r += quad) {
        std::int64_t j = 0;
        for (; j + quad <= cols; j += quad) transpose_block(rows + r, j, origin, tile + r);
        for (; j < cols; ++j)
            for (std::int64_t i = r; i < r + quad; ++i)
                tile[j * tile_rows + i] = static_cast<float>(rows[i][j] - origin[j]);
    }
    FloatLanes norms[groups] = {};
    for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t g = 0; g < groups; ++g) {
            FloatLanes x;
            load(tile, j * groups + g, x);
            norms[g] += x * x;
        }
    __builtin_memcpy(tile + cols * tile_rows, norms, sizeof norms);
}

struct Centers {
    std::int64_t cols;
    std::int64_t count;
    const float* norms;
    const float* factors;
    float fixed;
    float share;
};

constexpr std::int64_t together = CenterFilter::together;

// What four centers add to |x|^2 in the square distances of the rows of a tile.
[[gnu::always_inline]] inline void brackets_of(const float* x, std::int64_t cols, const float* norms,
                                               const float* factors, FloatLanes (*sums)[groups]) {
    for (std::int64_t c = 0; c < together; ++c)
        for (std::int64_t g = 0; g < groups; ++g) sums[c][g] = FloatLanes{} + norms[c];
    for (std::int64_t j = 0; j < cols; ++j) {
        FloatLanes first, second;
        load(x, j * groups, first);
        load(x, j * groups + 1, second);
        for (std::int64_t c = 0; c < together; ++c) {
            sums[c][0] += first * factors[together * j + c];
            sums[c][1] += second * factors[together * j + c];
        }
    }
}

struct Nearest {
    FloatLanes best[groups];
    FloatLanes second[groups];
    IntLanes label[groups];
};

[[gnu::always_inline]] inline Nearest nearest_of(const float* x, const Centers& centers) {
    const FloatLanes far = FloatLanes{} + std::numeric_limits<float>::infinity();
    Nearest out{{far, far}, {far, far}, {}};
    const float* factors = centers.factors;
    for (std::int64_t p = 0; p < centers.count; p += together, factors += together * centers.cols) {
        FloatLanes sums[together][groups];
        brackets_of(x, centers.cols, centers.norms + p, factors, sums);
        for (std::int64_t c = 0; c < together; ++c)
            for (std::int64_t g = 0; g < groups; ++g) {
                const FloatLanes d = sums[c][g];
                const IntLanes closer = d < out.best[g];
                out.second[g] = closer ? out.best[g] : (d < out.second[g] ? d : out.second[g]);
                out.best[g] = closer ? d : out.best[g];
                out.label[g] = closer ? IntLanes{} + static_cast<std::int32_t>(p + c) : out.label[g];
            }
    }
    return out;
}

[[gnu::always_inline]] inline void store(const float* x, const Centers& centers, const Nearest& nearest,
                                         Screening& out) {
    for (std::int64_t g = 0; g < groups; ++g) {
        FloatLanes norm;
        load(x, centers.cols * groups + g, norm);
        const FloatLanes error = centers.fixed + centers.share * norm;
        reinterpret_cast<IntLanes*>(out.label)[g] = nearest.label[g];
        reinterpret_cast<IntLanes*>(out.sure)[g] = (nearest.second[g] - nearest.best[g]) > error;
    }
}

HORNBOOK_WIDE void search_labels(const float* tile, const Centers& all, Screening& out) {
    const Centers centers = all;
    store(tile, centers, nearest_of(tile, centers), out);
}

HORNBOOK_WIDE void search_bounds(const float* tile, const Centers& all, Screening& out) {
    const Centers centers = all;
    const Nearest nearest = nearest_of(tile, centers);
    store(tile, centers, nearest, out);
    for (std::int64_t g = 0; g < groups; ++g) {
        FloatLanes norm;
        load(tile, centers.cols * groups + g, norm);
        const FloatLanes error = centers.fixed + centers.share * norm;
        const FloatLanes high = norm + nearest.best[g] + error;
        const FloatLanes low = norm + nearest.second[g] - error;
        reinterpret_cast<FloatLanes*>(out.upper)[g] = high < 0.0F ? FloatLanes{} : high;
        reinterpret_cast<FloatLanes*>(out.lower)[g] = low > 0.0F ? low : FloatLanes{};
    }
    for (std::int64_t r = 0; r < tile_rows; ++r) {
        out.upper[r] = std::sqrt(out.upper[r]) * bound_more + bound_least;
        const float low = std::sqrt(out.lower[r]) * bound_less - bound_least;
        out.lower[r] = low > 0.0F ? low : 0.0F;
    }
}

HORNBOOK_WIDE void squares_of_tile(const float* tile, const Centers& all, std::int64_t first,
                                   float (*out)[tile_rows], float* errors) {
    const Centers centers = all;
    FloatLanes sums[together][groups];
    brackets_of(tile, centers.cols, centers.norms + first, centers.factors + first * centers.cols, sums);
    for (std::int64_t g = 0; g < groups; ++g) {
        FloatLanes norm;
        load(tile, centers.cols * groups + g, norm);
        for (std::int64_t c = 0; c < together; ++c)
            reinterpret_cast<FloatLanes*>(out[c])[g] = norm + sums[c][g];
        reinterpret_cast<FloatLanes*>(errors)[g] = centers.fixed + centers.share * norm;
    }
}

}  // namespace

void fill_tile(const double* const* rows, std::int64_t cols, const double* origin, float* tile) {
    transpose_tile(rows, cols, origin, tile);
}

Buffer<float> float_tiles(const Matrix<double>& x, const Vector<double>& origin, int threads) {
    if (origin.size != x.cols)
        refuse("origin must have one entry per column of X; it has ", origin.size, " for ", x.cols, ".");
    const std::int64_t size = tile_size(x.cols);
    Buffer<float> out(tile_count(x.rows), size);
    parallel_rows(x.rows, 128 * tile_rows, threads, [&](std::int64_t first, std::int64_t last) {
        Pace pace;
        for (std::int64_t i = first; i < last; i += tile_rows) {
            const double* places[tile_rows];
            for (std::int64_t r = 0; r < tile_rows; ++r) places[r] = x.row(std::min(i + r, last - 1));
            transpose_tile(places, x.cols, origin.data, out.data() + i / tile_rows * size);
            pace.spend(tile_rows * x.cols);
        }
    });
    return out;
}

// With M the largest |c| and e the rounding unit of a float, the brackets are off by no more than
// (cols + 8) e (M^2 + 2 |x| M), |x|^2 by (cols + 8) e |x|^2, and computed square distances by no more than
// (cols + 8) 2^-50 (|x| + M)^2. With 2 |x| M <= |x|^2 + M^2 that is a constant plus a share of |x|^2; four
// times it covers two brackets and two distances, and what is rounded in this bound itself.
CenterFilter::CenterFilter(const Matrix<double>& centers, const Vector<double>& origin)
    : origin_(origin),
      cols_(centers.cols),
      count_((centers.rows + together - 1) / together * together),
      norms_(count_, 1, std::numeric_limits<float>::infinity()),
      factors_(count_, cols_, 0.0F) {
    double longest = 0.0;
    for (std::int64_t c = 0; c < centers.rows; ++c) {
        double norm = 0.0;
        for (std::int64_t j = 0; j < cols_; ++j) {
            const double place = centers.row(c)[j] - origin.data[j];
            norm += place * place;
            factors_[(c / together * cols_ + j) * together + c % together] = static_cast<float>(-2.0 * place);
        }
        norms_[c] = static_cast<float>(norm);
        longest = std::max(longest, norm);
    }
    const double rounding = product_error(cols_) * (1.0 + 0x1p-25);
    constexpr double largest = 1e36;    // floats might overflow
    constexpr double smallest = 1e-30;  // or lose their digits
    share_ = static_cast<float>(4.0 * rounding * 3.0);
    fixed_ = longest < largest ? static_cast<float>(4.0 * rounding * 3.0 * longest + smallest)
                               : std::numeric_limits<float>::infinity();
}

void CenterFilter::search(const float* tile, bool bounds, Screening& out) const {
    const Centers centers{cols_, count_, norms_.data(), factors_.data(), fixed_, share_};
    (bounds ? search_bounds : search_labels)(tile, centers, out);
}

void CenterFilter::squares(const float* tile, std::int64_t first, float (*out)[tile_rows],
                           float* errors) const {
    const Centers centers{cols_, count_, norms_.data(), factors_.data(), fixed_, share_};
    squares_of_tile(tile, centers, first, out, errors);
}

}  // namespace hornbook
