#include "core/cluster/cluster_distances.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "bind/convert.hpp"
#include "bind/distance/metric.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

ClusterStatistic statistic_of(const std::string& name) {
    if (name == "sum") return ClusterStatistic::sum;
    if (name == "smallest") return ClusterStatistic::smallest;
    if (name == "largest") return ClusterStatistic::largest;
    refuse("statistic must be 'sum', 'smallest' or 'largest'; got '", name, "'.");
}

Result2<double> call_cluster_distances(const Array2<double>& numbers, const Array2<std::int32_t>& codes,
                                       const Array1<std::int32_t>& labels, const Array1<double>& weights,
                                       std::int64_t n_clusters, const Array2<double>& query_numbers,
                                       const Array2<std::int32_t>& query_codes, double power,
                                       const Array1<double>& shares, const Array1<double>& steps,
                                       const Array1<std::int32_t>& n_levels, const Array2<double>& profiles,
                                       const std::string& statistic, int threads) {
    const ClusteredRows clusters{rows_of(numbers, codes), view(labels, "labels"), view(weights, "weights"),
                                 n_clusters};
    const MixedRows queries = rows_of(query_numbers, query_codes);
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    const ClusterStatistic which = statistic_of(statistic);
    Buffer<double> out =
        unlocked([&] { return cluster_distances(clusters, queries, metric, which, threads); });
    return give_matrix(std::move(out), queries.numbers.rows, n_clusters);
}

}  // namespace

void bind_cluster_distances(nb::module_& module) {
    module.def(
        "cluster_distances", &call_cluster_distances, nb::arg("numbers").noconvert(),
        nb::arg("codes").noconvert(), nb::arg("labels").noconvert(), nb::arg("weights").noconvert(),
        nb::arg("n_clusters"), nb::arg("query_numbers").noconvert(), nb::arg("query_codes").noconvert(),
        nb::arg("power"), nb::arg("shares").noconvert(), nb::arg("steps").noconvert(),
        nb::arg("n_levels").noconvert(), nb::arg("profiles").noconvert(), nb::arg("statistic"),
        nb::arg("threads"),
        "The weighted sum, the smallest or the largest of the distances from each query to the rows of "
        "each cluster.");
}

}  // namespace hornbook
