#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/cluster/chain.hpp"
#include "core/cluster/linkage.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t tile_size = 32;
constexpr std::int64_t groups = tile_size / lanes;

// The growth of the sum of squares, m m' / (m + m') times the square distance of the means, for the clusters
// of a tile. Returns the smallest.
HORNBOOK_WIDE double growths(const double* tile, const double* masses, std::int64_t cols, const double* query,
                             double mass, double* out) {
    Lanes sums[groups] = {};
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    for (std::int64_t j = 0; j < cols; ++j, x += groups)
        for (std::int64_t g = 0; g < groups; ++g) {
            const Lanes gap = x[g] - query[j];
            sums[g] += gap * gap;
        }
    const auto* others = reinterpret_cast<const Lanes*>(masses);
    Lanes least = Lanes{} + infinity;
    for (std::int64_t g = 0; g < groups; ++g) {
        sums[g] *= (others[g] * mass) / (others[g] + mass);
        least = sums[g] < least ? sums[g] : least;
        reinterpret_cast<Lanes*>(out)[g] = sums[g];
    }
    double smallest = least[0];
    for (std::int64_t r = 1; r < lanes; ++r) smallest = std::min(smallest, least[r]);
    return smallest;
}

// The means of the clusters that are left, in transposed tiles without gaps.
class Means {
  public:
    Means(const Matrix<double>& rows, const Vector<double>& masses)
        : cols_(rows.cols),
          left_(rows.rows),
          tiles_((rows.rows + tile_size - 1) / tile_size),
          means_(tiles_ * tile_size, rows.cols, infinity),
          masses_(tiles_ * tile_size, 1, 1.0),
          cluster_(static_cast<std::size_t>(rows.rows)),
          slot_(static_cast<std::size_t>(rows.rows)),
          query_(static_cast<std::size_t>(rows.cols)) {
        std::iota(cluster_.begin(), cluster_.end(), 0);
        std::iota(slot_.begin(), slot_.end(), 0);
        for (std::int64_t i = 0; i < rows.rows; ++i) {
            masses_[i] = masses.data[i];
            for (std::int64_t j = 0; j < cols_; ++j) mean(i, j) = rows.row(i)[j];
        }
    }

    std::int64_t first() const { return cluster_[0]; }

    Nearby nearest(std::int64_t cluster, std::int64_t preferred) {
        const std::int64_t own = slot(cluster);
        for (std::int64_t j = 0; j < cols_; ++j) query_[static_cast<std::size_t>(j)] = mean(own, j);
        mean(own, 0) = infinity;  // not its own neighbor
        Nearby best{-1, infinity};
        alignas(64) double growth[tile_size];
        for (std::int64_t tile = 0; tile * tile_size < left_; ++tile) {
            pace_.spend(tile_size * cols_);
            if (growths(means_.data() + tile * tile_size * cols_, masses_.data() + tile * tile_size, cols_,
                        query_.data(), masses_[own], growth) > best.distance)
                continue;
            for (std::int64_t r = 0; r < std::min(tile_size, left_ - tile * tile_size); ++r)
                take(best, growth[r], cluster_[static_cast<std::size_t>(tile * tile_size + r)], cluster,
                     preferred);
        }
        mean(own, 0) = query_[0];
        return best;
    }

    void merge(std::int64_t one, std::int64_t other) {
        const std::int64_t kept = slot(std::min(one, other));
        const std::int64_t gone = slot(std::max(one, other));
        const double mine = masses_[kept];
        const double theirs = masses_[gone];
        for (std::int64_t j = 0; j < cols_; ++j)
            mean(kept, j) = (mine * mean(kept, j) + theirs * mean(gone, j)) / (mine + theirs);
        masses_[kept] = mine + theirs;
        // The last cluster fills the gap.
        const std::int64_t last = --left_;
        for (std::int64_t j = 0; j < cols_; ++j) {
            mean(gone, j) = mean(last, j);
            mean(last, j) = infinity;
        }
        masses_[gone] = masses_[last];
        masses_[last] = 1.0;
        const std::int64_t moved = cluster_[static_cast<std::size_t>(last)];
        cluster_[static_cast<std::size_t>(gone)] = moved;
        slot_[static_cast<std::size_t>(moved)] = gone;
    }

    double height(double growth) const { return std::sqrt(2.0 * growth); }

  private:
    void take(Nearby& best, double growth, std::int64_t other, std::int64_t cluster,
              std::int64_t preferred) const {
        if (other == cluster) return;
        const bool tied = growth == best.distance && best.cluster != preferred &&
                          (other == preferred || other < best.cluster);
        if (best.cluster < 0 || growth < best.distance || tied) best = {other, growth};
    }

    double& mean(std::int64_t slot, std::int64_t j) {
        return means_[slot / tile_size * tile_size * cols_ + j * tile_size + slot % tile_size];
    }
    std::int64_t slot(std::int64_t cluster) const { return slot_[static_cast<std::size_t>(cluster)]; }

    std::int64_t cols_;
    std::int64_t left_;
    std::int64_t tiles_;
    Buffer<double> means_;
    Buffer<double> masses_;
    std::vector<std::int64_t> cluster_;  // of each slot
    std::vector<std::int64_t> slot_;     // of each cluster
    std::vector<double> query_;
    Pace pace_;
};

}  // namespace

MergeTree linkage_ward(const Matrix<double>& rows, const Vector<double>& masses) {
    check_masses(masses, rows.rows);
    for (std::int64_t i = 0; i < rows.rows * rows.cols; ++i)
        if (!std::isfinite(rows.data[i]))
            refuse("rows must be finite numbers; row ", i / rows.cols, " has ", rows.data[i], ".");
    if (rows.cols < 1) refuse("there must be at least one column.");
    Means means(rows, masses);
    return tree_of_merges(merge_along_chain(means, rows.rows), rows.rows);
}

}  // namespace hornbook
