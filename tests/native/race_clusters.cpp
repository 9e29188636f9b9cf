// Kernels of clusterings, mixtures and components: those with threads of their own, and those that are called
// for many chunks of rows at once.

#include <cstdint>
#include <vector>

#include "core/base/column_scan.hpp"
#include "core/cluster/cluster_distances.hpp"
#include "core/cluster/linkage.hpp"
#include "core/cluster/medoids.hpp"
#include "core/distance/density.hpp"
#include "core/distance/fuzzy.hpp"
#include "core/linear/row_scatter.hpp"
#include "core/mixture/mixture.hpp"
#include "core/stats/class_scatter.hpp"
#include "tests/native/race.hpp"

namespace race {

namespace {

using hornbook::Matrix;

constexpr std::int64_t rows = 3'000;
constexpr std::int64_t few = 400;
constexpr std::int64_t cols = 5;
constexpr std::int64_t clusters = 3;

const std::vector<double> ones(rows, 1.0);
const hornbook::Metric metric{2.0, {ones.data(), cols}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0, 0}};

hornbook::MixedRows points_of(const std::vector<double>& x, std::int64_t n) {
    return {{x.data(), n, cols}, {nullptr, n, 0}};
}

void density_agrees(int threads) {
    constexpr std::int64_t many = 20'000;
    const std::vector<double> x = uniform(many * 2, 7);
    const std::vector<double> shares(2, 1.0);
    const hornbook::MixedRows points{{x.data(), many, 2}, {nullptr, many, 0}};
    const hornbook::Metric plane{2.0, {shares.data(), 2}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0, 0}};
    const auto clusters_of = [&](int team) {
        return hornbook::density_clusters(points, plane, {nullptr, 0}, 0.006, 4.0, team);
    };
    const hornbook::DensityClusters one = clusters_of(1);
    const hornbook::DensityClusters many_threads = clusters_of(threads);
    require(same(one.core, many_threads.core) && same(one.first, many_threads.first),
            "density_clusters depends on the threads");
}

void distances_agree(int threads) {
    const std::vector<double> x = uniform(rows * cols, 20);
    const hornbook::MixedRows points = points_of(x, rows);
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < rows; ++i) labels.push_back(static_cast<std::int32_t>(i % clusters));
    const hornbook::ClusteredRows clustered{points, {labels.data(), rows}, {ones.data(), rows}, clusters};
    for (const auto statistic : {hornbook::ClusterStatistic::sum, hornbook::ClusterStatistic::smallest,
                                 hornbook::ClusterStatistic::largest})
        require(same(hornbook::cluster_distances(clustered, points, metric, statistic, threads),
                     hornbook::cluster_distances(clustered, points, metric, statistic, 1)),
                "cluster_distances depends on the threads");
    const hornbook::MixedRows some = points_of(x, few);
    require(same(hornbook::pairwise_condensed(some, metric, threads),
                 hornbook::pairwise_condensed(some, metric, 1)),
            "pairwise_condensed depends on the threads");
    at_once(
        threads, [&] { return hornbook::linkage_single(some, metric).heights; },
        "linkage_single differs on another thread");
    at_once(
        threads, [&] { return hornbook::linkage_ward(some.numbers, {ones.data(), few}).heights; },
        "linkage_ward differs on another thread");
}

void medoids_agree(int threads) {
    const std::vector<double> x = uniform(rows * cols, 21);
    const hornbook::MixedRows points = points_of(x, rows);
    const hornbook::AllDistances distances{&points, &metric, nullptr};
    const hornbook::Vector<double> weights{ones.data(), rows};
    const std::vector<std::int64_t> start{0, 1, 2};
    const auto search = [&](int team) {
        return hornbook::swap_pass(distances, weights, {start.data(), clusters}, 0, team);
    };
    const hornbook::MedoidSearch one = search(1);
    const hornbook::MedoidSearch many = search(threads);
    require(same(one.medoids, many.medoids) && one.loss == many.loss, "swap_pass depends on the threads");
    require(same(hornbook::joining_losses(distances, weights, {ones.data(), rows}, threads),
                 hornbook::joining_losses(distances, weights, {ones.data(), rows}, 1)),
            "joining_losses depends on the threads");
}

void sums_agree(int threads) {
    const std::vector<double> values = uniform(rows * cols, 22);
    const Matrix<double> x{values.data(), rows, cols};
    const Matrix<double> centers{values.data(), clusters, cols};
    const hornbook::mixture::Components components{
        centers, {ones.data(), clusters, cols}, {ones.data(), clusters}, true};
    require(same(hornbook::mixture::log_joint(x, components, threads),
                 hornbook::mixture::log_joint(x, components, 1)),
            "log_joint depends on the threads");
    at_once(
        threads, [&] { return hornbook::mixture::em_sums(x, nullptr, nullptr, components); },
        "em_sums differs on another thread");
    const hornbook::FuzzyClusters fuzzy{
        centers, nullptr, 2.0, hornbook::Sharing::probabilistic, {nullptr, 0}};
    at_once(
        threads, [&] { return hornbook::fuzzy_sums(x, nullptr, fuzzy, false, false); },
        "fuzzy_sums differs on another thread");
    at_once(
        threads, [&] { return hornbook::fuzzy_memberships(x, fuzzy, false).degrees; },
        "fuzzy_memberships differs on another thread");
    at_once(
        threads, [&] { return hornbook::row_scatter(x, nullptr).within; },
        "row_scatter differs on another thread");
    const std::vector<std::int32_t> y(rows, 0);
    at_once(
        threads, [&] { return hornbook::class_scatter(x, nullptr, {y.data(), rows}, nullptr, 1).within; },
        "class_scatter differs on another thread");
}

void finite_cells_agree(int threads) {
    std::vector<double> values = uniform(200'000 * cols, 23);
    const hornbook::StridedMatrix x{values.data(), 200'000, cols, cols, 1};
    require(hornbook::all_finite(x, threads), "all_finite missed that cells are finite");
    for (const std::size_t place : {std::size_t{0}, values.size() / 2, values.size() - 1}) {
        values[place] /= 0.0;
        require(!hornbook::all_finite(x, threads), "all_finite missed a cell");
        values[place] = 0.0;
    }
}

}  // namespace

void clusterings_agree(int threads) {
    density_agrees(threads);
    distances_agree(threads);
    medoids_agree(threads);
    sums_agree(threads);
    finite_cells_agree(threads);
}

}  // namespace race
