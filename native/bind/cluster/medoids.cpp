#include "core/cluster/medoids.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/distance/metric.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using SearchResult = std::tuple<Result1<std::int64_t>, std::int64_t, std::int64_t, double>;

SearchResult search(const AllDistances& all, const Array1<double>& weights,
                    const Array1<std::int64_t>& medoids, std::int64_t still, int threads) {
    const Vector<double> mass = view(weights, "weights");
    const Vector<std::int64_t> start = view(medoids, "medoids");
    MedoidSearch out = unlocked([&] { return swap_pass(all, mass, start, still, threads); });
    return {give_vector(std::move(out.medoids)), out.swaps, out.still, out.loss};
}

Result1<double> losses(const AllDistances& all, const Array1<double>& weights, const Array1<double>& nearest,
                       int threads) {
    const Vector<double> mass = view(weights, "weights");
    const Vector<double> reach = view(nearest, "nearest");
    Buffer<double> out = unlocked([&] { return joining_losses(all, mass, reach, threads); });
    return give_vector(std::move(out));
}

SearchResult call_swaps(const Array2<double>& numbers, const Array2<std::int32_t>& codes, double power,
                        const Array1<double>& shares, const Array1<double>& steps,
                        const Array1<std::int32_t>& n_levels, const Array2<double>& profiles,
                        const Array1<double>& weights, const Array1<std::int64_t>& medoids,
                        std::int64_t still, int threads) {
    const MixedRows rows = rows_of(numbers, codes);
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    return search({&rows, &metric, nullptr}, weights, medoids, still, threads);
}

SearchResult call_matrix_swaps(const Array2<double>& distances, const Array1<double>& weights,
                               const Array1<std::int64_t>& medoids, std::int64_t still, int threads) {
    const Matrix<double> matrix = view(distances, "distances");
    return search({nullptr, nullptr, &matrix}, weights, medoids, still, threads);
}

Result1<double> call_losses(const Array2<double>& numbers, const Array2<std::int32_t>& codes, double power,
                            const Array1<double>& shares, const Array1<double>& steps,
                            const Array1<std::int32_t>& n_levels, const Array2<double>& profiles,
                            const Array1<double>& weights, const Array1<double>& nearest, int threads) {
    const MixedRows rows = rows_of(numbers, codes);
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    return losses({&rows, &metric, nullptr}, weights, nearest, threads);
}

Result1<double> call_matrix_losses(const Array2<double>& distances, const Array1<double>& weights,
                                   const Array1<double>& nearest, int threads) {
    const Matrix<double> matrix = view(distances, "distances");
    return losses({nullptr, nullptr, &matrix}, weights, nearest, threads);
}

}  // namespace

void bind_medoids(nb::module_& module) {
    module.def("swap_pass", &call_swaps, nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
               nb::arg("power"), nb::arg("shares").noconvert(), nb::arg("steps").noconvert(),
               nb::arg("n_levels").noconvert(), nb::arg("profiles").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("medoids").noconvert(), nb::arg("still"),
               nb::arg("threads"),
               "Try every row as a medoid and swap wherever that lowers the loss: the medoids, the number of "
               "swaps, the number of candidates since the last one, and the loss.");
    module.def("matrix_swap_pass", &call_matrix_swaps, nb::arg("distances").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("medoids").noconvert(), nb::arg("still"),
               nb::arg("threads"), "The same with a matrix of distances.");
    module.def("joining_losses", &call_losses, nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
               nb::arg("power"), nb::arg("shares").noconvert(), nb::arg("steps").noconvert(),
               nb::arg("n_levels").noconvert(), nb::arg("profiles").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("nearest").noconvert(), nb::arg("threads"),
               "For each row the loss if it joined the medoids.");
    module.def("matrix_joining_losses", &call_matrix_losses, nb::arg("distances").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("nearest").noconvert(), nb::arg("threads"),
               "The same with a matrix of distances.");
}

}  // namespace hornbook
