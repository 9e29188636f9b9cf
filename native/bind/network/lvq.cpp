#include "core/network/lvq.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

Result2<double> call_pass(const Array2<double>& X, const Array1<std::int32_t>& y,
                          const std::optional<Array1<double>>& w, const Array1<std::int64_t>& order,
                          const Array2<double>& prototypes, const Array1<std::int32_t>& classes,
                          std::int32_t rule, double eta, double window, double epsilon, double beta) {
    const Matrix<double> rows = view(X, "X");
    const Vector<std::int32_t> codes = view(y, "y");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const Vector<std::int64_t> places = view(order, "order");
    const Matrix<double> start = view(prototypes, "prototypes");
    const Vector<std::int32_t> owners = view(classes, "classes");
    const LvqSettings settings{static_cast<LvqRule>(rule), eta, window, epsilon, beta};
    Buffer<double> out = unlocked([&] {
        return lvq_pass(rows, codes, weights ? &*weights : nullptr, places, start, owners, settings);
    });
    return give_matrix(std::move(out), start.rows, start.cols);
}

}  // namespace

void bind_lvq(nb::module_& module) {
    module.def("lvq_pass", &call_pass, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("order").noconvert(),
               nb::arg("prototypes").noconvert(), nb::arg("classes").noconvert(), nb::arg("rule"),
               nb::arg("eta"), nb::arg("window"), nb::arg("epsilon"), nb::arg("beta"),
               "Prototypes after one pass of learning vector quantization.");
}

}  // namespace hornbook
