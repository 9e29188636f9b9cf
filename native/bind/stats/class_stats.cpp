#include "core/stats/class_stats.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Weights = std::optional<Array1<double>>;
using MomentsResult = std::tuple<Result2<double>, Result2<double>, Result2<double>>;

std::optional<Vector<double>> view_weights(const Weights& w) {
    return w ? std::optional(view(*w, "w")) : std::nullopt;
}

MomentsResult call_moments(const Array2<double>& X, const Array1<std::int32_t>& y, const Weights& w,
                           std::int64_t n_classes) {
    const Matrix<double> rows = view(X, "X");
    const Vector<std::int32_t> classes = view(y, "y");
    const std::optional<Vector<double>> weights = view_weights(w);
    ClassMoments out =
        unlocked([&] { return class_moments(rows, classes, weights ? &*weights : nullptr, n_classes); });
    return {give_matrix(std::move(out.mass), n_classes, rows.cols),
            give_matrix(std::move(out.mean), n_classes, rows.cols),
            give_matrix(std::move(out.scatter), n_classes, rows.cols)};
}

Result2<double> call_counts(const Array2<std::int32_t>& codes, const Array1<std::int32_t>& y,
                            const Weights& w, const Array1<std::int32_t>& n_levels, std::int64_t n_classes) {
    const Matrix<std::int32_t> rows = view(codes, "codes");
    const Vector<std::int32_t> classes = view(y, "y");
    const Vector<std::int32_t> levels = view(n_levels, "n_levels");
    const std::optional<Vector<double>> weights = view_weights(w);
    Buffer<double> out = unlocked(
        [&] { return class_counts(rows, classes, weights ? &*weights : nullptr, levels, n_classes); });
    const std::int64_t slots = out.size() / n_classes;
    return give_matrix(std::move(out), n_classes, slots);
}

}  // namespace

void bind_class_stats(nb::module_& module) {
    module.def("class_moments", &call_moments, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("n_classes"),
               "Mass, mean and scatter of each class and column over the cells that are not NaN.");
    module.def("class_counts", &call_counts, nb::arg("codes").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("n_levels").noconvert(), nb::arg("n_classes"),
               "Sum of weights of each class and level; a code of -1 is missing and counts nowhere.");
}

}  // namespace hornbook
