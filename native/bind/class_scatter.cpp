#include "core/class_scatter.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/bind.hpp"
#include "bind/convert.hpp"

namespace hornbook {

namespace {

std::tuple<Result1<double>, Result2<double>, Result2<double>> call_scatter(
    const Array2<double>& X, const Array1<std::int32_t>& y, const std::optional<Array1<double>>& w,
    std::int64_t n_classes) {
    const Matrix<double> rows = view(X, "X");
    const Vector<std::int32_t> classes = view(y, "y");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    ClassScatter out = [&] {
        const nb::gil_scoped_release unlocked;
        return class_scatter(rows, classes, weights ? &*weights : nullptr, n_classes);
    }();
    return {give_vector(std::move(out.mass)), give_matrix(std::move(out.mean), n_classes, rows.cols),
            give_matrix(std::move(out.within), rows.cols, rows.cols)};
}

}  // namespace

void bind_class_scatter(nb::module_& module) {
    module.def("class_scatter", &call_scatter, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("n_classes"),
               "Mass and mean of each class, and the products of deviations from them over all rows.");
}

}  // namespace hornbook
