#include "core/distance/density.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

std::tuple<Result1<std::uint8_t>, Result1<std::int64_t>> call_density(
    const Array2<double>& numbers, const Array2<std::int32_t>& codes, double power,
    const Array1<double>& shares, const Array1<double>& steps, const Array1<std::int32_t>& n_levels,
    const Array2<double>& profiles, const Array1<double>& weights, double radius, double least, int threads) {
    const MixedRows rows{view(numbers, "numbers"), view(codes, "codes")};
    const Metric metric{power, view(shares, "shares"), view(steps, "steps"), view(n_levels, "n_levels"),
                        view(profiles, "profiles")};
    const Vector<double> masses = view(weights, "weights");
    DensityClusters out =
        unlocked([&] { return density_clusters(rows, metric, masses, radius, least, threads); });
    return {give_vector(std::move(out.core)), give_vector(std::move(out.first))};
}

}  // namespace

void bind_density(nb::module_& module) {
    module.def("density_clusters", &call_density, nb::arg("numbers").noconvert(),
               nb::arg("codes").noconvert(), nb::arg("power"), nb::arg("shares").noconvert(),
               nb::arg("steps").noconvert(), nb::arg("n_levels").noconvert(), nb::arg("profiles").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("radius"), nb::arg("least"), nb::arg("threads"),
               "Which rows are core rows, and the lowest core row of the first cluster that each row is in.");
}

}  // namespace hornbook
