#include "core/network/rls.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

std::tuple<Result2<double>, Result2<double>, double> call_pass(const Array2<double>& X,
                                                               const Array2<double>& Y,
                                                               const std::optional<Array1<double>>& w,
                                                               const Array2<double>& factor,
                                                               const Array2<double>& targets) {
    const Matrix<double> rows = view(X, "X"), wanted = view(Y, "Y");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const Matrix<double> before = view(factor, "factor"), rotated = view(targets, "targets");
    RlsPass out =
        unlocked([&] { return rls_pass(rows, wanted, weights ? &*weights : nullptr, before, rotated); });
    return {give_matrix(std::move(out.factor), before.rows, before.cols),
            give_matrix(std::move(out.targets), rotated.rows, rotated.cols), out.errors};
}

}  // namespace

void bind_rls(nb::module_& module) {
    module.def(
        "rls_pass", &call_pass, nb::arg("X").noconvert(), nb::arg("Y").noconvert(),
        nb::arg("w").noconvert().none(), nb::arg("factor").noconvert(), nb::arg("targets").noconvert(),
        "Triangular factor and rotated targets after rows, and the weighted sum of their square errors "
        "before each was learned.");
}

}  // namespace hornbook
