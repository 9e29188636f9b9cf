#include "core/stats/kernel_density.hpp"

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

Result2<double> call(const Array2<double>& X, const Array1<double>& points, const Array1<double>& weights,
                     const Array1<std::int64_t>& offsets, const Array2<double>& bandwidth, int threads) {
    const Matrix<double> rows = view(X, "X");
    const KernelDensities densities{view(points, "points"), view(weights, "weights"),
                                    view(offsets, "offsets"), view(bandwidth, "bandwidth")};
    Buffer<double> out = unlocked([&] { return kernel_joint(rows, densities, threads); });
    return give_matrix(std::move(out), rows.rows, densities.bandwidth.rows);
}

}  // namespace

void bind_kernel_density(nb::module_& module) {
    module.def("kernel_joint", &call, nb::arg("X").noconvert(), nb::arg("points").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("offsets").noconvert(),
               nb::arg("bandwidth").noconvert(), nb::arg("threads"),
               "Log density of each row under the kernel densities of each class; NaN cells are left out.");
}

}  // namespace hornbook
