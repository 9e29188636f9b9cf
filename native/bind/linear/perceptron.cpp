#include "core/linear/perceptron.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

std::tuple<Result1<double>, std::int64_t> call_pass(const Array2<double>& X, const Array1<std::int32_t>& y,
                                                    const std::optional<Array1<double>>& w,
                                                    const Array1<double>& coef, double eta, bool strict) {
    const Matrix<double> rows = view(X, "X");
    const Vector<std::int32_t> classes = view(y, "y");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const Vector<double> at = view(coef, "coef");
    PerceptronPass out = unlocked(
        [&] { return perceptron_pass(rows, classes, weights ? &*weights : nullptr, at, eta, strict); });
    return {give_vector(std::move(out.coef)), out.mistakes};
}

}  // namespace

void bind_perceptron(nb::module_& module) {
    module.def("perceptron_pass", &call_pass, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("coef").noconvert(), nb::arg("eta"),
               nb::arg("strict"),
               "Coefficients after one pass of the perceptron over the rows, and the number of mistakes.");
}

}  // namespace hornbook
