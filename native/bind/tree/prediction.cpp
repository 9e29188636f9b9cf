#include "core/tree/predict/prediction.hpp"

#include "bind/convert.hpp"
#include "bind/tree/tree_arrays.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

Result2<std::int32_t> call_apply(const Ints& roots, const Array1<std::uint8_t>& kind, const Ints& feature,
                                 const Doubles& threshold, const Ints& first_child, const Ints& missing_child,
                                 const Ints& level_offset, const Ints& levels, const Doubles& share,
                                 const Array2<double>& numbers, const Array2<std::int32_t>& codes,
                                 const Ints& place, int threads) {
    const TreeArrays trees =
        arrays_of(roots, kind, feature, threshold, first_child, missing_child, level_offset, levels, share);
    const TreeRows rows{view(numbers, "numbers"), view(codes, "codes"), view(place, "place")};
    Buffer<std::int32_t> out = unlocked([&] { return tree_apply(trees, rows, threads); });
    return give_matrix(std::move(out), rows.numbers.rows, trees.roots.size);
}

Result2<double> call_predict(const Ints& roots, const Array1<std::uint8_t>& kind, const Ints& feature,
                             const Doubles& threshold, const Ints& first_child, const Ints& missing_child,
                             const Ints& level_offset, const Ints& levels, const Doubles& share,
                             const Array2<double>& value, const Array2<double>& numbers,
                             const Array2<std::int32_t>& codes, const Ints& place, int threads,
                             std::int64_t turns) {
    const TreeArrays trees =
        arrays_of(roots, kind, feature, threshold, first_child, missing_child, level_offset, levels, share);
    const TreeRows rows{view(numbers, "numbers"), view(codes, "codes"), view(place, "place")};
    const Matrix<double> answers = view(value, "value");
    Buffer<double> out = unlocked([&] { return tree_predict(trees, answers, rows, turns, threads); });
    return give_matrix(std::move(out), rows.numbers.rows, answers.cols * turns);
}

}  // namespace

void bind_tree_predict(nb::module_& module) {
    module.def("tree_apply", &call_apply, nb::arg("roots").noconvert(), nb::arg("kind").noconvert(),
               nb::arg("feature").noconvert(), nb::arg("threshold").noconvert(),
               nb::arg("first_child").noconvert(), nb::arg("missing_child").noconvert(),
               nb::arg("level_offset").noconvert(), nb::arg("levels").noconvert(),
               nb::arg("share").noconvert(), nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
               nb::arg("place").noconvert(), nb::arg("threads"),
               "The node that each row reaches in each tree.");
    module.def("tree_predict", &call_predict, nb::arg("roots").noconvert(), nb::arg("kind").noconvert(),
               nb::arg("feature").noconvert(), nb::arg("threshold").noconvert(),
               nb::arg("first_child").noconvert(), nb::arg("missing_child").noconvert(),
               nb::arg("level_offset").noconvert(), nb::arg("levels").noconvert(),
               nb::arg("share").noconvert(), nb::arg("value").noconvert(), nb::arg("numbers").noconvert(),
               nb::arg("codes").noconvert(), nb::arg("place").noconvert(), nb::arg("threads"),
               nb::arg("turns") = 1, "Sum over the trees of their predictions.");
}

}  // namespace hornbook
