#include "core/stats/class_scatter.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/linear/row_scatter.hpp"

namespace hornbook {

namespace {

std::tuple<Result1<double>, Result2<double>, Result2<double>> call_scatter(
    const Array2<double>& X, const Array1<std::int32_t>& y, const std::optional<Array1<double>>& w,
    std::int64_t n_classes, const std::optional<Array2<double>>& beside) {
    const Matrix<double> rows = view(X, "X");
    const std::optional<Matrix<double>> more = beside ? std::optional(view(*beside, "beside")) : std::nullopt;
    const std::int64_t cols = rows.cols + (more ? more->cols : 0);
    const Vector<std::int32_t> classes = view(y, "y");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    ClassScatter out = unlocked([&] {
        return class_scatter(rows, more ? &*more : nullptr, classes, weights ? &*weights : nullptr,
                             n_classes);
    });
    return {give_vector(std::move(out.mass)), give_matrix(std::move(out.mean), n_classes, cols),
            give_matrix(std::move(out.within), cols, cols)};
}

template <typename Number>
std::tuple<Result1<double>, Result2<double>, Result2<double>> call_row_scatter(
    const Array2<Number>& X, const std::optional<Array1<double>>& w) {
    const Matrix<Number> rows = view(X, "X");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    RowScatter out = unlocked([&] { return row_scatter(rows, weights ? &*weights : nullptr); });
    return {give_vector(std::move(out.mass)), give_matrix(std::move(out.mean), 1, rows.cols),
            give_matrix(std::move(out.within), rows.cols, rows.cols)};
}

}  // namespace

void bind_class_scatter(nb::module_& module) {
    module.def("class_scatter", &call_scatter, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("n_classes"),
               nb::arg("beside").noconvert().none() = nb::none(),
               "Mass and mean of each class, and the products of deviations from them over all rows.");
    const char* text =
        "Mass and mean of all rows as one class, and the products of deviations from it, in one pass.";
    module.def("row_scatter", &call_row_scatter<double>, nb::arg("X").noconvert(),
               nb::arg("w").noconvert().none(), text);
    module.def("row_scatter", &call_row_scatter<float>, nb::arg("X").noconvert(),
               nb::arg("w").noconvert().none(), text);
}

}  // namespace hornbook
