#include "core/distance/fuzzy_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/exponent.hpp"
#include "core/base/logarithm.hpp"
#include "core/base/refuse.hpp"
#include "core/kmeans/centers.hpp"
#include "core/kmeans/quads.hpp"

namespace hornbook::fuzzy {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Functions with wide numbers return nothing: how such are returned depends on the instruction set.
[[gnu::always_inline]] inline void zero_unknown(Lanes& x) { x = x == x ? x : Lanes{}; }

template <bool gaps>
[[gnu::always_inline]] inline void squares(Group g, const Matrix<double>& centers) {
    for (std::int64_t c = 0; c < centers.rows; ++c) {
        const double* center = centers.row(c);
        Lanes sums[registers] = {};
        for (std::int64_t j = 0; j < g.cols; ++j)
            for (std::int64_t r = 0; r < registers; ++r) {
                const Lanes gap = g.x[j * registers + r] - center[j];
                Lanes term = gap * gap;
                if (gaps) zero_unknown(term);
                sums[r] += term;
            }
        for (std::int64_t r = 0; r < registers; ++r) g.square[c * registers + r] = sums[r];
    }
}

HORNBOOK_WIDE void squares_complete(Group g, const Matrix<double>& centers) { squares<false>(g, centers); }

HORNBOOK_WIDE void squares_known(Group g, const Matrix<double>& centers) { squares<true>(g, centers); }

HORNBOOK_WIDE void squares_shaped(Group g, const Matrix<double>& centers, const double* factors) {
    for (std::int64_t c = 0; c < centers.rows; ++c) {
        const double* center = centers.row(c);
        const double* factor = factors + c * g.cols * g.cols;
        for (std::int64_t r = 0; r < registers; ++r) {
            for (std::int64_t j = 0; j < g.cols; ++j) g.gap[j] = g.x[j * registers + r] - center[j];
            Lanes sum{};
            for (std::int64_t a = 0; a < g.cols; ++a) {
                Lanes part{};
                for (std::int64_t b = a; b < g.cols; ++b) part += factor[a * g.cols + b] * g.gap[b];
                sum += part * part;
            }
            g.square[c * registers + r] = sum;
        }
    }
}

// Raises a base from 0 to 1 to a power > 0.
[[gnu::always_inline]] inline void raise(Lanes& base, double power) {
    logarithm(base);
    base *= power;
    exponentiate(base);
}

// The least square distance of a row over another one; 1 if both are 0 or infinite.
[[gnu::always_inline]] inline void compare(const Lanes& least, const Lanes& square, Lanes& ratio) {
    ratio = square == least ? Lanes{} + 1.0 : least / square;
}

// Memberships with sum 1, together with that of the noise at a square distance that may be infinite. They are
// in proportion to (d^2)^(1 / (1 - fuzzifier)), in units of the least d^2 of the row: so a row that lies on a
// center, or on several, needs no special case but 0 / 0 = 1. Adds the rows to the objective.
template <bool squared>  // whether the fuzzifier is 2
[[gnu::always_inline]] inline void share(Group g, std::int64_t k, std::int64_t r, double fuzzifier,
                                         const Lanes& noise, Lanes& objective) {
    const Lanes* __restrict square = g.square;
    Lanes* __restrict degree = g.degree;
    Lanes* __restrict height = g.height;
    const Lanes weight = g.weight[r];
    const std::int64_t last = k * registers;
    Lanes least = noise;
    for (std::int64_t c = r; c < last; c += registers) least = square[c] < least ? square[c] : least;
    const double power = 1.0 / (fuzzifier - 1.0);
    Lanes total;
    compare(least, noise, total);
    if (!squared) raise(total, power);
    total = noise < infinity ? total : Lanes{};
    for (std::int64_t c = r; c < last; c += registers) {
        Lanes part;
        compare(least, square[c], part);
        if (!squared) {
            height[c] = part;
            raise(part, power);
        }
        degree[c] = part;
        total += part;
    }
    const Lanes scale = 1.0 / total;
    Lanes lift = scale;  // total^(1 - fuzzifier)
    if (!squared) raise(lift, fuzzifier - 1.0);
    const Lanes weighted = lift * weight;
    for (std::int64_t c = r; c < last; c += registers) {
        const Lanes u = degree[c] * scale;
        // u^fuzzifier = u u^(fuzzifier - 1), and the latter is ratio total^(1 - fuzzifier): no further
        // powers.
        height[c] = squared ? u * u * weight : height[c] * u * weighted;
        degree[c] = u;
    }
    objective += least * weighted;
}

template <bool squared>
[[gnu::always_inline]] inline void share_all(Group g, std::int64_t k, double fuzzifier, double noise,
                                             Lanes& objective) {
    for (std::int64_t r = 0; r < registers; ++r) {
        // The known share of no column is 0: no noise is no matter of shares.
        const Lanes away = noise < infinity ? g.known[r] * noise : Lanes{} + infinity;
        share<squared>(g, k, r, fuzzifier, away, objective);
    }
}

HORNBOOK_WIDE void share_squared(Group g, std::int64_t k, double noise, Lanes& objective) {
    share_all<true>(g, k, 2.0, noise, objective);
}

HORNBOOK_WIDE void share_raised(Group g, std::int64_t k, double fuzzifier, double noise, Lanes& objective) {
    share_all<false>(g, k, fuzzifier, noise, objective);
}

// Memberships 1 / (1 + (d^2 / scale)^(1 / (fuzzifier - 1))); with the cost of lacking membership, a cluster
// adds u^(fuzzifier - 1) d^2 to the objective.
HORNBOOK_WIDE void typify(Group g, std::int64_t k, double fuzzifier, const double* scales, Lanes& objective) {
    const double power = 1.0 / (fuzzifier - 1.0);
    for (std::int64_t i = 0; i < k * registers; ++i) {
        const Lanes square = g.square[i];
        const Lanes weight = g.weight[i % registers];
        const Lanes scale = g.known[i % registers] * scales[i / registers];
        Lanes far = square == 0.0 ? Lanes{} : square / scale;
        Lanes u;
        Lanes lowered;  // u^(fuzzifier - 1)
        if (fuzzifier == 2.0) {
            u = lowered = 1.0 / (1.0 + far);
        } else {
            logarithm(far);
            far *= power;
            Lanes small = far > 0.0 ? -far : far;
            exponentiate(small);
            u = lowered = (far > 0.0 ? small : Lanes{} + 1.0) / (1.0 + small);
            raise(lowered, fuzzifier - 1.0);
        }
        g.degree[i] = u;
        g.height[i] = u * lowered * weight;
        const Lanes cost = lowered * square;
        // A product 0 times infinity: far beyond the scale, which is what such a row costs.
        objective += weight * (cost == cost ? cost : scale);
    }
}

// The share of known columns of each row.
void count_known(const Lanes* x, std::int64_t cols, Lanes* known) {
    for (std::int64_t r = 0; r < registers; ++r) {
        Lanes count{};
        for (std::int64_t j = 0; j < cols; ++j) {
            const Lanes& column = x[j * registers + r];
            count += column == column ? Lanes{} + 1.0 : Lanes{};
        }
        known[r] = count / static_cast<double>(std::max<std::int64_t>(cols, 1));
    }
}

HORNBOOK_WIDE void transpose(const double* const* rows, std::int64_t cols, double* __restrict numbers) {
    for (std::int64_t r = 0; r < group; r += quad) {
        std::int64_t j = 0;
        for (; j + quad <= cols; j += quad) {
            Quad four[quad], columns[quad];
            for (std::int64_t i = 0; i < quad; ++i) four[i] = quad_at(rows[r + i] + j);
            transpose_quads(four, columns);
            for (std::int64_t i = 0; i < quad; ++i) quad_at(numbers + (j + i) * group + r) = columns[i];
        }
        for (; j < cols; ++j)
            for (std::int64_t i = r; i < r + quad; ++i) numbers[j * group + i] = rows[i][j];
    }
}

// Rows from `first` on, transposed, and their weights; where there are no more, the last one without weight.
void fill(const Matrix<double>& x, const Vector<double>* w, std::int64_t first, std::int64_t rows,
          double* numbers, double* weight) {
    const double* places[group];
    for (std::int64_t r = 0; r < group; ++r) {
        places[r] = x.row(first + std::min(r, rows - 1));
        weight[r] = r >= rows ? 0.0 : w == nullptr ? 1.0 : w->data[first + r];
    }
    transpose(places, x.cols, numbers);
}

// Rows without a value have distances that are NaN.
void refuse_missing(const Matrix<double>& x, std::int64_t first, std::int64_t rows, const Lanes* square) {
    if (!std::isnan(sum_of((square[0] + square[1]) + (square[2] + square[3])))) return;
    for (std::int64_t i = first; i < first + rows; ++i)
        for (std::int64_t j = 0; j < x.cols; ++j)
            if (std::isnan(x.row(i)[j])) refuse("X has missing cells in row ", i, ", and gaps is off.");
}

// Distances become memberships.
void assign(const Group& g, const FuzzyClusters& clusters, Lanes& objective) {
    const std::int64_t k = clusters.centers.rows;
    const double noise = clusters.sharing == Sharing::noise ? clusters.scales.data[0] : infinity;
    if (clusters.sharing == Sharing::possibilistic)
        typify(g, k, clusters.exponent, clusters.scales.data, objective);
    else if (clusters.exponent == 2.0)
        share_squared(g, k, noise, objective);
    else
        share_raised(g, k, clusters.exponent, noise, objective);
}

}  // namespace

double sum_of(const Lanes& x) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

Groups::Groups(const Matrix<double>& x, const Vector<double>* w, const FuzzyClusters& clusters, bool gaps)
    : x_(x),
      w_(w),
      clusters_(clusters),
      gaps_(gaps),
      columns_(x.cols * registers + x.cols),
      measured_(3 * clusters.centers.rows * registers),
      by_row_(2 * registers),
      place_(columns_.data()),
      weight_(by_row_.data()),
      known_(weight_ + registers) {
    const std::int64_t width = clusters.centers.rows * registers;
    Lanes* const measured = measured_.data();
    std::fill_n(known_, registers, Lanes{} + 1.0);
    group_ = {place_,
              x.cols,
              weight_,
              known_,
              place_ + x.cols * registers,
              measured,
              measured + width,
              measured + 2 * width};
}

std::int64_t Groups::measure(std::int64_t first, Lanes& objective) {
    const std::int64_t rows = std::min(group, x_.rows - first);
    fill(x_, w_, first, rows, reinterpret_cast<double*>(place_), reinterpret_cast<double*>(weight_));
    if (gaps_) count_known(place_, x_.cols, known_);
    if (clusters_.factors != nullptr)
        squares_shaped(group_, clusters_.centers, clusters_.factors);
    else
        (gaps_ ? squares_known : squares_complete)(group_, clusters_.centers);
    if (!gaps_) refuse_missing(x_, first, rows, group_.square);
    assign(group_, clusters_, objective);
    return rows;
}

void check_clusters(const Matrix<double>& x, const Vector<double>* w, const FuzzyClusters& clusters,
                    bool gaps, bool shapes) {
    check_centers(x, clusters.centers);
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (!(clusters.exponent > 1.0 && clusters.exponent < infinity))
        refuse("exponent must be above 1 and finite; got ", clusters.exponent, ".");
    const std::int64_t expected = clusters.sharing == Sharing::probabilistic ? 0
                                  : clusters.sharing == Sharing::noise       ? 1
                                                                             : clusters.centers.rows;
    if (clusters.scales.size != expected)
        refuse("scales must have ", expected, " entries; got ", clusters.scales.size, ".");
    if (gaps && (shapes || clusters.factors != nullptr))
        refuse("gaps is not possible together with factors or shapes.");
}

}  // namespace hornbook::fuzzy
