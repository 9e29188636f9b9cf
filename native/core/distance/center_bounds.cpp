#include "core/distance/center_bounds.hpp"

#include <cmath>
#include <limits>

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

// Sixteen floats handled as one, and as many integers.
typedef float FloatLanes __attribute__((vector_size(64), may_alias));
typedef std::int32_t IntLanes __attribute__((vector_size(64), may_alias));
typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef float FloatQuad __attribute__((vector_size(16), aligned(4), may_alias));
typedef std::int64_t Permutation __attribute__((vector_size(32)));

constexpr std::int64_t quad = 4;
constexpr std::int64_t groups = tile_rows / 16;

// Transposes four columns of four rows.
[[gnu::always_inline]] inline void transpose_block(const double* const* rows, std::int64_t j,
                                                   const double* origin, float* out) {
    const Quad zero = *reinterpret_cast<const Quad*>(origin + j);
    Quad r[quad];
    for (std::int64_t i = 0; i < quad; ++i) r[i] = *reinterpret_cast<const Quad*>(rows[i] + j) - zero;
    const Permutation even = {0, 4, 2, 6};
    const Permutation odd = {1, 5, 3, 7};
    const Permutation low = {0, 1, 4, 5};
    const Permutation high = {2, 3, 6, 7};
    const Quad a = __builtin_shuffle(r[0], r[1], even);
    const Quad b = __builtin_shuffle(r[0], r[1], odd);
    const Quad c = __builtin_shuffle(r[2], r[3], even);
    const Quad d = __builtin_shuffle(r[2], r[3], odd);
    const Quad columns[quad] = {__builtin_shuffle(a, c, low), __builtin_shuffle(b, d, low),
                                __builtin_shuffle(a, c, high), __builtin_shuffle(b, d, high)};
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
}

HORNBOOK_WIDE void search_tile(const float* tile, std::int64_t cols, const float* norms, const float* factors,
                               std::int64_t pairs, Screening& out) {
    const auto* x = reinterpret_cast<const FloatLanes*>(tile);
    const FloatLanes far = FloatLanes{} + std::numeric_limits<float>::infinity();
    FloatLanes best[groups] = {far, far};
    FloatLanes second[groups] = {far, far};
    IntLanes label[groups] = {};
    for (std::int64_t p = 0; p < pairs; ++p, factors += 2 * cols) {
        FloatLanes sums[2][groups];
        for (std::int64_t c = 0; c < 2; ++c)
            for (std::int64_t g = 0; g < groups; ++g) sums[c][g] = FloatLanes{} + norms[2 * p + c];
        for (std::int64_t j = 0; j < cols; ++j)
            for (std::int64_t c = 0; c < 2; ++c)
                for (std::int64_t g = 0; g < groups; ++g)
                    sums[c][g] += x[j * groups + g] * factors[2 * j + c];
        for (std::int64_t c = 0; c < 2; ++c)
            for (std::int64_t g = 0; g < groups; ++g) {
                const FloatLanes d = sums[c][g];
                const IntLanes closer = d < best[g];
                second[g] = closer ? best[g] : (d < second[g] ? d : second[g]);
                best[g] = closer ? d : best[g];
                label[g] = closer ? IntLanes{} + static_cast<std::int32_t>(2 * p + c) : label[g];
            }
    }
    for (std::int64_t g = 0; g < groups; ++g) {
        reinterpret_cast<FloatLanes*>(out.best)[g] = best[g];
        reinterpret_cast<FloatLanes*>(out.second)[g] = second[g];
        reinterpret_cast<IntLanes*>(out.label)[g] = label[g];
    }
}

}  // namespace

// With M the largest |c|, a the square distance to some center and e the rounding unit of a float, the
// brackets are off by no more than (cols + 8) e (M^2 + 2 |x| M), where |x| <= M + sqrt(a), and computed
// square distances by no more than (cols + 8) 2^-50 (|x| + M)^2. With 2 |x| M <= |x|^2 + M^2 and |x|^2 <= 2
// M^2 + 2 a that is a constant plus a share of a; four times it covers two brackets and two distances.
CenterFilter::CenterFilter(const Matrix<double>& centers, const Vector<double>& origin)
    : origin_(origin),
      cols_(centers.cols),
      pairs_((centers.rows + 1) / 2),
      norms_(2 * pairs_, 1, std::numeric_limits<float>::infinity()),
      factors_(pairs_, 2 * cols_, 0.0F) {
    double longest = 0.0;
    for (std::int64_t c = 0; c < centers.rows; ++c) {
        double norm = 0.0;
        for (std::int64_t j = 0; j < cols_; ++j) {
            const double place = centers.row(c)[j] - origin.data[j];
            norm += place * place;
            factors_[(c / 2 * cols_ + j) * 2 + c % 2] = static_cast<float>(-2.0 * place);
        }
        norms_[c] = static_cast<float>(norm);
        longest = std::max(longest, norm);
    }
    const double rounding = static_cast<double>(cols_ + 8) * (0x1p-24 + 0x1p-49);
    constexpr double largest = 1e36;    // floats might overflow
    constexpr double smallest = 1e-30;  // or lose their digits
    share_ = 4.0 * rounding * 4.0;
    fixed_ = longest < largest ? 4.0 * rounding * 6.0 * longest + smallest
                               : std::numeric_limits<double>::infinity();
}

void CenterFilter::transpose(const double* const* rows, float* tile) const {
    transpose_tile(rows, cols_, origin_.data, tile);
}

void CenterFilter::search(const float* tile, Screening& out) const {
    search_tile(tile, cols_, norms_.data(), factors_.data(), pairs_, out);
}

}  // namespace hornbook
