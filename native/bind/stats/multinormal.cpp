#include "core/stats/multinormal.hpp"

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

Result2<double> call(const Array2<double>& X, const Array2<double>& mean, const Array2<double>& cov,
                     int threads) {
    const Matrix<double> rows = view(X, "X");
    const Matrix<double> means = view(mean, "mean");
    const Matrix<double> covariances = view(cov, "cov");
    Buffer<double> out = unlocked([&] { return multinormal_joint(rows, means, covariances, threads); });
    return give_matrix(std::move(out), rows.rows, means.rows);
}

}  // namespace

void bind_multinormal(nb::module_& module) {
    module.def("multinormal_joint", &call, nb::arg("X").noconvert(), nb::arg("mean").noconvert(),
               nb::arg("cov").noconvert(), nb::arg("threads"),
               "Log density of each row under the multivariate normal of each class; NaN cells are left "
               "out.");
}

}  // namespace hornbook
