#include "core/tree/predict/leaf_values.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Ints = Array1<std::int32_t>;
using Doubles = Array1<double>;

std::tuple<Result1<std::int32_t>, Result2<double>> call_leaf_answers(const Array1<std::uint8_t>& kind,
                                                                     const Ints& first_child,
                                                                     const Array2<double>& value,
                                                                     bool shares) {
    const auto kinds = view(kind, "kind");
    const auto children = view(first_child, "first_child");
    const auto values = view(value, "value");
    LeafAnswers out = unlocked([&] { return leaf_answers(kinds, children, values, shares); });
    return {give_vector(std::move(out.first_child)),
            give_matrix(std::move(out.value), out.leaves, values.cols)};
}

Result1<double> call_shares(const Array1<std::uint8_t>& kind, const Ints& feature, const Ints& first_child,
                            const Ints& level_offset, const Doubles& weight, const Doubles& impurity,
                            std::int64_t columns) {
    if (columns < 1) refuse("columns must be at least 1.");
    const SplitNodes nodes{view(kind, "kind"),
                           view(feature, "feature"),
                           view(first_child, "first_child"),
                           view(level_offset, "level_offset"),
                           view(weight, "weight"),
                           view(impurity, "impurity")};
    Buffer<double> out = unlocked([&] { return impurity_shares(nodes, columns); });
    return give_vector(std::move(out));
}

}  // namespace

void bind_tree_digest(nb::module_& module) {
    module.def("leaf_answers", &call_leaf_answers, nb::arg("kind").noconvert(),
               nb::arg("first_child").noconvert(), nb::arg("value").noconvert(), nb::arg("shares"),
               "first_child with the row of the value in leaves, and the values of the leaves; with shares, "
               "scaled to sum to 1.");
    module.def(
        "impurity_shares", &call_shares, nb::arg("kind").noconvert(), nb::arg("feature").noconvert(),
        nb::arg("first_child").noconvert(), nb::arg("level_offset").noconvert(),
        nb::arg("weight").noconvert(), nb::arg("impurity").noconvert(), nb::arg("columns"),
        "Share of each column in the decrease of impurity, weighted by rows; all 0 for a single leaf.");
}

}  // namespace hornbook
