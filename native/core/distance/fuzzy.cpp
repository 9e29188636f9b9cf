#include "core/distance/fuzzy.hpp"

#include <algorithm>
#include <limits>

#include "core/base/simd.hpp"
#include "core/distance/fuzzy_groups.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

using namespace fuzzy;

typedef std::int64_t IntLanes __attribute__((vector_size(64), may_alias));

// Missing cells add nothing.
[[gnu::always_inline]] inline void zero_unknown(Lanes& x) { x = x == x ? x : Lanes{}; }

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

// The cluster in which each row has the greatest membership, the first of equals; -1 for the noise.
HORNBOOK_WIDE void find_nearest(Group g, const FuzzyClusters& clusters, IntLanes* out) {
    const std::int64_t k = clusters.centers.rows;
    const double* scales = clusters.scales.data;
    const bool relative = clusters.sharing == Sharing::possibilistic;
    for (std::int64_t r = 0; r < registers; ++r) {
        Lanes least = Lanes{} + std::numeric_limits<double>::infinity();
        IntLanes label{};
        for (std::int64_t c = 0; c < k; ++c) {
            const Lanes square = g.square[c * registers + r];
            const Lanes far = !relative ? square : square == 0.0 ? square : square / scales[c];
            label = far < least ? IntLanes{} + c : label;
            least = far < least ? far : least;
        }
        if (clusters.sharing == Sharing::noise)
            label = g.known[r] * scales[0] < least ? IntLanes{} - 1 : label;
        out[r] = label;
    }
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
    LaneBuffer collected(width);
    Sums out{};
    out.sums = collected.data();
    out.mass = out.sums + k * cols;
    out.shares = out.mass + (gaps ? k * cols : 0);
    out.spread = out.shares + k;
    out.heights = out.spread + k;
    out.weight = out.heights + k;
    out.objective = out.weight + 1;
    out.scatter = out.objective + 1;
    Groups groups(x, w, clusters, gaps);
    const Group& g = groups.current();
    Pace pace;
    for (std::int64_t i = 0; i < x.rows; i += group) {
        groups.measure(i, *out.objective);
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

Memberships fuzzy_memberships(const Matrix<double>& x, const FuzzyClusters& clusters, bool gaps) {
    check_clusters(x, nullptr, clusters, gaps, false);
    const std::int64_t k = clusters.centers.rows;
    Memberships out{Buffer<double>(x.rows, k), Buffer<std::int32_t>(x.rows)};
    Groups groups(x, nullptr, clusters, gaps);
    const Group& g = groups.current();
    const auto* degree = reinterpret_cast<const double*>(g.degree);
    Pace pace;
    Lanes objective{};
    IntLanes nearest[registers];
    for (std::int64_t i = 0; i < x.rows; i += group) {
        const std::int64_t rows = groups.measure(i, objective);
        find_nearest(g, clusters, nearest);
        const auto* label = reinterpret_cast<const std::int64_t*>(nearest);
        for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t c = 0; c < k; ++c) out.degrees[(i + r) * k + c] = degree[c * group + r];
            out.labels[i + r] = static_cast<std::int32_t>(label[r]);
        }
        pace.spend(group * k * (clusters.factors != nullptr ? x.cols * x.cols : x.cols));
    }
    return out;
}

}  // namespace hornbook
