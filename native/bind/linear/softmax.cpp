#include "core/linear/softmax.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/linear/softmax_sums.hpp"

namespace hornbook {

namespace {

std::tuple<Result2<double>, Result1<double>> call(const Array2<double>& scores, int threads) {
    const Matrix<double> rows = view(scores, "scores");
    LogSoftmax out = unlocked([&] { return log_softmax(rows, threads); });
    return {give_matrix(std::move(out.log_p), rows.rows, rows.cols), give_vector(std::move(out.total))};
}

std::tuple<double, Result2<double>, Result2<double>> call_sums(const Array2<double>& X,
                                                               const Array1<std::int32_t>& y,
                                                               const std::optional<Array1<double>>& w,
                                                               const Array2<double>& coef, bool curvature,
                                                               const Array1<double>& center) {
    const Matrix<double> rows = view(X, "X"), at = view(coef, "coef");
    const Vector<std::int32_t> classes = view(y, "y");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const Vector<double> middle = view(center, "center");
    SoftmaxSums out = unlocked(
        [&] { return softmax_sums(rows, classes, weights ? &*weights : nullptr, at, curvature, middle); });
    const std::int64_t side = curvature ? at.rows * at.cols : 0;
    return {out.value, give_matrix(std::move(out.gradient), at.rows, at.cols),
            give_matrix(std::move(out.hessian), side, side)};
}

}  // namespace

void bind_softmax(nb::module_& module) {
    module.def("log_softmax", &call, nb::arg("scores").noconvert(), nb::arg("threads"),
               "Log probabilities log(exp(score) / sum of exp(score)) of each row, and the log of that sum.");
    module.def("softmax_sums", &call_sums, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("coef").noconvert(), nb::arg("curvature"),
               nb::arg("center").noconvert(),
               "Log loss of the class scores coef . (x - center, 1), its gradient and, with curvature, its "
               "Hessian.");
}

}  // namespace hornbook
