#include "core/distance/fuzzy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/exponent.hpp"
#include "core/base/logarithm.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/kmeans/centers.hpp"
#include "core/kmeans/quads.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Functions with wide numbers return nothing: how such are returned depends on the instruction set.
[[gnu::always_inline]] inline void zero_unknown(Lanes& x) { x = x == x ? x : Lanes{}; }

constexpr std::int64_t registers = 4;  // of rows that are handled together
constexpr std::int64_t group = registers * lanes;

// Some rows, transposed: for each column some registers, and what is found out about them. Functions take a
// copy, so that the compiler need not reload the pointers after each write.
struct Group {
    const Lanes* x;
    std::int64_t cols;
    const Lanes* weight;  // 0 for lanes without a row
    const Lanes* known;   // share of the columns that are known
    Lanes* gap;           // one for each column, for passing use
    Lanes* square;        // for each center: d^2
    Lanes* degree;        // u
    Lanes* height;        // w u^fuzzifier
};

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

// Where the sums are collected, lane by lane.
struct Sums {
    Lanes* sums;
    Lanes* mass;
    Lanes* shares;
    Lanes* spread;
    Lanes* heights;
    Lanes* weight;
    Lanes* objective;
    Lanes* scatter;
};

HORNBOOK_WIDE void add_clusters(Group g, std::int64_t k, const Sums& out) {
    for (std::int64_t c = 0; c < k; ++c) {
        Lanes shares{}, spread{}, heights{};
        for (std::int64_t r = 0; r < registers; ++r) {
            const Lanes height = g.height[c * registers + r];
            shares += g.weight[r] * g.degree[c * registers + r];
            spread += height == 0.0 ? Lanes{} : height * g.square[c * registers + r];
            heights += height;
        }
        out.shares[c] += shares;
        out.spread[c] += spread;
        out.heights[c] += heights;
    }
    for (std::int64_t r = 0; r < registers; ++r) *out.weight += g.weight[r];
}

HORNBOOK_WIDE void add_complete(Group g, const Matrix<double>& centers, Lanes* __restrict sums) {
    for (std::int64_t c = 0; c < centers.rows; ++c) {
        const double* center = centers.row(c);
        const Lanes* height = g.height + c * registers;
        for (std::int64_t j = 0; j < g.cols; ++j) {
            Lanes sum = height[0] * (g.x[j * registers] - center[j]);
            for (std::int64_t r = 1; r < registers; ++r)
                sum += height[r] * (g.x[j * registers + r] - center[j]);
            sums[c * g.cols + j] += sum;
        }
    }
}

HORNBOOK_WIDE void add_known(Group g, const Matrix<double>& centers, Lanes* __restrict sums,
                             Lanes* __restrict mass) {
    for (std::int64_t c = 0; c < centers.rows; ++c) {
        const double* center = centers.row(c);
        for (std::int64_t j = 0; j < g.cols; ++j)
            for (std::int64_t r = 0; r < registers; ++r) {
                const Lanes height = g.height[c * registers + r];
                Lanes gap = g.x[j * registers + r] - center[j];
                mass[c * g.cols + j] += gap == gap ? height : Lanes{};
                zero_unknown(gap);
                sums[c * g.cols + j] += height * gap;
            }
    }
}

HORNBOOK_WIDE void add_scatter(Group g, const Matrix<double>& centers, Lanes* __restrict scatter) {
    const std::int64_t triangle = g.cols * (g.cols + 1) / 2;
    for (std::int64_t c = 0; c < centers.rows; ++c) {
        const double* center = centers.row(c);
        for (std::int64_t r = 0; r < registers; ++r) {
            for (std::int64_t j = 0; j < g.cols; ++j) g.gap[j] = g.x[j * registers + r] - center[j];
            Lanes* sum = scatter + c * triangle;
            for (std::int64_t a = 0; a < g.cols; ++a) {
                const Lanes scaled = g.height[c * registers + r] * g.gap[a];
                for (std::int64_t b = 0; b <= a; ++b) *sum++ += scaled * g.gap[b];
            }
        }
    }
}

// Lanes in memory that is aligned for them.
class LaneBuffer {
  public:
    explicit LaneBuffer(std::int64_t count) : numbers_(count + 1, lanes, 0.0) {}

    Lanes* data() {
        const auto place = reinterpret_cast<std::uintptr_t>(numbers_.data());
        return reinterpret_cast<Lanes*>((place + sizeof(Lanes) - 1) / sizeof(Lanes) * sizeof(Lanes));
    }

  private:
    Buffer<double> numbers_;
};

double sum_of(const Lanes& x) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

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

}  // namespace

std::int64_t fuzzy_width(std::int64_t n_centers, std::int64_t cols, bool gaps, bool shapes) {
    const std::int64_t by_column = checked_product(n_centers, gaps ? 2 * cols : cols);
    const std::int64_t triangle =
        shapes ? checked_product(n_centers, checked_product(cols, cols + 1) / 2) : 0;
    return by_column + 3 * n_centers + 2 + triangle;
}

Buffer<double> fuzzy_sums(const Matrix<double>& x, const Vector<double>* w, const FuzzyClusters& clusters,
                          bool gaps, bool shapes) {
    check_clusters(x, w, clusters, gaps, shapes);
    const Matrix<double>& centers = clusters.centers;
    const std::int64_t k = centers.rows, cols = x.cols;
    const std::int64_t width = fuzzy_width(k, cols, gaps, shapes);
    LaneBuffer collected(width), columns(cols * registers + cols), found(3 * k * registers);
    Sums out{};
    out.sums = collected.data();
    out.mass = out.sums + k * cols;
    out.shares = out.mass + (gaps ? k * cols : 0);
    out.spread = out.shares + k;
    out.heights = out.spread + k;
    out.weight = out.heights + k;
    out.objective = out.weight + 1;
    out.scatter = out.objective + 1;
    Lanes weight[registers], known[registers];
    std::fill_n(known, registers, Lanes{} + 1.0);
    Lanes* const place = columns.data();
    const Group g{place,
                  cols,
                  weight,
                  known,
                  place + cols * registers,
                  found.data(),
                  found.data() + k * registers,
                  found.data() + 2 * k * registers};
    Pace pace;
    for (std::int64_t i = 0; i < x.rows; i += group) {
        const std::int64_t rows = std::min(group, x.rows - i);
        fill(x, w, i, rows, reinterpret_cast<double*>(place), reinterpret_cast<double*>(weight));
        if (gaps) count_known(place, cols, known);
        if (clusters.factors != nullptr)
            squares_shaped(g, centers, clusters.factors);
        else
            (gaps ? squares_known : squares_complete)(g, centers);
        if (!gaps) refuse_missing(x, i, rows, g.square);
        assign(g, clusters, *out.objective);
        add_clusters(g, k, out);
        if (gaps)
            add_known(g, centers, out.sums, out.mass);
        else
            add_complete(g, centers, out.sums);
        if (shapes) add_scatter(g, centers, out.scatter);
        pace.spend(group * k * (shapes || clusters.factors != nullptr ? cols * cols : cols));
    }
    Buffer<double> sums(width);
    for (std::int64_t i = 0; i < width; ++i) sums[i] = sum_of(out.sums[i]);
    return sums;
}

}  // namespace hornbook
