#include "core/linear/logistic.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/linear/gram.hpp"

namespace hornbook {

namespace {

std::tuple<double, Result1<double>, Result2<double>> call_logistic(
    const Array2<double>& X, const Array1<std::int32_t>& y, const std::optional<Array1<double>>& w,
    const Array1<double>& coef, bool curvature, const std::optional<Array1<double>>& center) {
    const Matrix<double> rows = view(X, "X");
    const Vector<std::int32_t> classes = view(y, "y");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const Vector<double> at = view(coef, "coef");
    const std::optional<Vector<double>> middle =
        center ? std::optional(view(*center, "center")) : std::nullopt;
    LogisticSums out = unlocked([&] {
        return logistic_sums(rows, classes, weights ? &*weights : nullptr, at, curvature,
                             middle ? &*middle : nullptr);
    });
    const std::int64_t side = curvature ? rows.cols + 1 : 0;
    return {out.value, give_vector(std::move(out.gradient)), give_matrix(std::move(out.hessian), side, side)};
}

Result2<double> call_gram(const Array2<double>& X, const Array1<double>& h) {
    const Matrix<double> rows = view(X, "X");
    const Vector<double> weights = view(h, "h");
    Buffer<double> out = unlocked([&] { return weighted_gram(rows, weights); });
    return give_matrix(std::move(out), rows.cols + 1, rows.cols + 1);
}

}  // namespace

void bind_logistic(nb::module_& module) {
    module.def(
        "logistic_sums", &call_logistic, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
        nb::arg("w").noconvert().none(), nb::arg("coef").noconvert(), nb::arg("curvature"),
        nb::arg("center").noconvert() = nb::none(),
        "Log loss of the scores coef . (x - center, 1), its gradient and, with curvature, its Hessian.");
    module.def("weighted_gram", &call_gram, nb::arg("X").noconvert(), nb::arg("h").noconvert(),
               "(X, 1)' diag(h) (X, 1) for weights h of the rows.");
}

}  // namespace hornbook
