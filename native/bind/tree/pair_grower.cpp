#include "core/tree/pairs/pair_grower.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>
#include <utility>

#include "bind/convert.hpp"
#include "bind/tree/tree_result.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

std::tuple<TreeResult, Result1<std::int32_t>> call_grow(PairGrower& grower, const Array1<double>& sum,
                                                        const Array1<double>& weight,
                                                        const TreeOptions& options, std::uint64_t seed,
                                                        std::uint64_t tree, int threads, bool all_coded) {
    const Vector<double> sums = view(sum, "sum"), weights = view(weight, "weight");
    if (sums.size != weights.size) refuse("sum and weight must have one entry for each row.");
    Buffer<std::int32_t> leaf(sums.size);
    Tree grown = unlocked([&] {
        return grower.grow({sums.data, weights.data, sums.size}, options, {seed, tree}, threads, all_coded,
                           leaf.data());
    });
    return {result_of(std::move(grown)), give_vector(std::move(leaf))};
}

}  // namespace

void bind_pair_grower(nb::module_& module) {
    nb::class_<PairGrower>(module, "PairGrower",
                           "Grows trees for gradient pairs on a table whose columns have at most 255 codes.")
        .def(nb::init<const CodedTable&>(), nb::arg("table"), nb::keep_alive<1, 2>())
        .def_static("takes", &PairGrower::takes, nb::arg("table"), nb::arg("options"),
                    "Whether the table and the options suit this grower: best splits in two, and min_gain is "
                    "a number.");
    module.def(
        "grow_pairs", &call_grow, nb::arg("grower"), nb::arg("sum").noconvert(),
        nb::arg("weight").noconvert(), nb::arg("options"), nb::arg("seed"), nb::arg("tree"),
        nb::arg("threads"), nb::arg("all_coded") = false,
        "A tree for gradient pairs as the arrays of grow_tree, and the leaf of each row. Rows of weight 0 "
        "get theirs by their codes, if all rows have been coded and these decide; else -1.");
}

}  // namespace hornbook
