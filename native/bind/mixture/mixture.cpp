#include "core/mixture/mixture.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

mixture::Components components_of(const Array2<double>& means, const Array2<double>& whiten,
                                  const Array1<double>& scales, bool diagonal) {
    return {view(means, "means"), view(whiten, "whiten"), view(scales, "scales"), diagonal};
}

Result2<double> call_joint(const Array2<double>& X, const Array2<double>& means, const Array2<double>& whiten,
                           const Array1<double>& scales, bool diagonal, int threads) {
    const Matrix<double> rows = view(X, "X");
    const mixture::Components components = components_of(means, whiten, scales, diagonal);
    Buffer<double> out = unlocked([&] { return mixture::log_joint(rows, components, threads); });
    return give_matrix(std::move(out), rows.rows, components.count());
}

Result1<double> call_sums(const Array2<double>& X, const std::optional<Array1<double>>& w,
                          const std::optional<Array2<double>>& given, const Array2<double>& means,
                          const Array2<double>& whiten, const Array1<double>& scales, bool diagonal) {
    const Matrix<double> rows = view(X, "X");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const std::optional<Matrix<double>> fixed = given ? std::optional(view(*given, "given")) : std::nullopt;
    const mixture::Components components = components_of(means, whiten, scales, diagonal);
    Buffer<double> out = unlocked([&] {
        return mixture::em_sums(rows, weights ? &*weights : nullptr, fixed ? &*fixed : nullptr, components);
    });
    return give_vector(std::move(out));
}

}  // namespace

void bind_mixture(nb::module_& module) {
    module.def("mixture_joint", &call_joint, nb::arg("X").noconvert(), nb::arg("means").noconvert(),
               nb::arg("whiten").noconvert(), nb::arg("scales").noconvert(), nb::arg("diagonal"),
               nb::arg("threads"),
               "Log of weight times density of each row under each component of a normal mixture; NaN cells "
               "are left out.");
    module.def("mixture_sums", &call_sums, nb::arg("X").noconvert(), nb::arg("w").noconvert().none(),
               nb::arg("given").noconvert().none(), nb::arg("means").noconvert(),
               nb::arg("whiten").noconvert(), nb::arg("scales").noconvert(), nb::arg("diagonal"),
               "Log-likelihood of rows under a normal mixture, and for each component the sums of the next "
               "estimates: mass, first moments and second moments around its mean.");
}

}  // namespace hornbook
