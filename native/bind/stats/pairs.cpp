#include "core/stats/pairs.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Weights = std::optional<Array1<double>>;

Result2<double> call_counts(const Array2<std::int32_t>& codes, const Array1<std::int32_t>& y,
                            const Weights& w, const Array1<std::int32_t>& n_levels,
                            const Array1<std::int32_t>& parents, std::int64_t n_classes, int threads) {
    const Matrix<std::int32_t> rows = view(codes, "codes");
    const Vector<std::int32_t> classes = view(y, "y");
    const Vector<std::int32_t> levels = view(n_levels, "n_levels");
    const Vector<std::int32_t> parent_columns = view(parents, "parents");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    Buffer<double> out = unlocked([&] {
        return pair_counts(rows, classes, weights ? &*weights : nullptr, levels, parent_columns, n_classes,
                           threads);
    });
    std::int64_t across = 0;
    for (std::int64_t j = 0; j < levels.size; ++j) across += levels.data[j];
    std::int64_t down = 0;
    for (std::int64_t p = 0; p < parent_columns.size; ++p) down += levels.data[parent_columns.data[p]];
    return give_matrix(std::move(out), n_classes * down, across);
}

}  // namespace

void bind_pairs(nb::module_& module) {
    module.def("pair_counts", &call_counts, nb::arg("codes").noconvert(), nb::arg("y").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("n_levels").noconvert(),
               nb::arg("parents").noconvert(), nb::arg("n_classes"), nb::arg("threads"),
               "Sum of weights of each class, level of a parent column and level of any column; codes of -1 "
               "count nowhere.");
}

}  // namespace hornbook
