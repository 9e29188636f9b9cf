#include "core/tree/contributions/contributions.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/tree/tree_arrays.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

std::tuple<Result2<double>, Result1<double>> call_contributions(
    const Ints& roots, const Array1<std::uint8_t>& kind, const Ints& feature, const Doubles& threshold,
    const Ints& first_child, const Ints& missing_child, const Ints& level_offset, const Ints& levels,
    const Doubles& share, const Array2<double>& value, const Doubles& cover, const Doubles& scale,
    const Ints& output, std::int64_t outputs, const Array2<double>& numbers,
    const Array2<std::int32_t>& codes, const Ints& place, bool pairs, int threads) {
    const WeightedTrees model{
        arrays_of(roots, kind, feature, threshold, first_child, missing_child, level_offset, levels, share),
        view(value, "value"),
        view(cover, "cover"),
        view(scale, "scale"),
        view(output, "output"),
        outputs};
    const TreeRows rows{view(numbers, "numbers"), view(codes, "codes"), view(place, "place")};
    Contributions out = unlocked([&] { return tree_contributions(model, rows, pairs, threads); });
    const std::int64_t n = rows.numbers.rows;
    const std::int64_t size = out.values.size();
    return {give_matrix(std::move(out.values), n, n > 0 ? size / n : 0), give_vector(std::move(out.mean))};
}

}  // namespace

void bind_tree_contributions(nb::module_& module) {
    module.def("tree_contributions", &call_contributions, nb::arg("roots").noconvert(),
               nb::arg("kind").noconvert(), nb::arg("feature").noconvert(), nb::arg("threshold").noconvert(),
               nb::arg("first_child").noconvert(), nb::arg("missing_child").noconvert(),
               nb::arg("level_offset").noconvert(), nb::arg("levels").noconvert(),
               nb::arg("share").noconvert(), nb::arg("value").noconvert(), nb::arg("cover").noconvert(),
               nb::arg("scale").noconvert(), nb::arg("output").noconvert(), nb::arg("outputs"),
               nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(), nb::arg("place").noconvert(),
               nb::arg("pairs"), nb::arg("threads"),
               "Shapley values of the columns of each row, or of their pairs, and the mean prediction.");
}

}  // namespace hornbook
