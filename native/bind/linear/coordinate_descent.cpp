#include "core/linear/coordinate_descent.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

std::tuple<Result1<double>, std::int64_t, bool> call(const Array2<double>& hessian,
                                                     const Array1<double>& gradient, const Array1<double>& l1,
                                                     const Array1<double>& start, double tol,
                                                     std::int64_t max_sweeps, bool positive) {
    const Matrix<double> curvature = view(hessian, "hessian");
    const Vector<double> slope = view(gradient, "gradient");
    const Vector<double> weights = view(l1, "l1");
    const Vector<double> initial = view(start, "start");
    Descent out = unlocked(
        [&] { return coordinate_descent(curvature, slope, weights, initial, tol, max_sweeps, positive); });
    return {give_vector(std::move(out.x)), out.sweeps, out.converged};
}

}  // namespace

void bind_coordinate_descent(nb::module_& module) {
    module.def("coordinate_descent", &call, nb::arg("hessian").noconvert(), nb::arg("gradient").noconvert(),
               nb::arg("l1").noconvert(), nb::arg("start").noconvert(), nb::arg("tol"), nb::arg("max_sweeps"),
               nb::arg("positive") = false,
               "Minimizer of a quadratic function plus a weighted l1 penalty, the number of sweeps, and "
               "whether they converged.");
}

}  // namespace hornbook
