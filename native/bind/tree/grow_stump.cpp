#include "core/tree/stump/grow_stump.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bind/convert.hpp"
#include "bind/tree/tree_result.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Labels = std::optional<Array1<std::int32_t>>;
using Doubles = std::optional<Array1<double>>;

Criterion criterion_of(const std::string& name) {
    if (name == "gini") return Criterion::gini;
    if (name == "misclassification") return Criterion::misclassification;
    if (name == "squared_error") return Criterion::squared_error;
    refuse("criterion must be gini, misclassification or squared_error; got ", name, ".");
}

SortedRows call_sort(const CodedTable& table, int threads) {
    return unlocked([&] { return SortedRows(table, threads); });
}

std::tuple<TreeResult, Result1<std::int32_t>> call_stump(const CodedTable& table, const SortedRows& rows,
                                                         const Labels& label, int n_classes,
                                                         const Doubles& sum, const Doubles& weight,
                                                         const std::string& criterion, int threads) {
    TreeOptions options;
    options.criterion = criterion_of(criterion);
    TreeTarget target;
    target.label = row_entries(label, "label", table.n_rows);
    target.n_classes = n_classes;
    target.sum = row_entries(sum, "sum", table.n_rows);
    target.weight = row_entries(weight, "weight", table.n_rows);
    if (target.label ? n_classes < 2 : n_classes != 0)
        refuse("n_classes must be at least 2 for labels, and 0 for numbers; got ", n_classes, ".");
    if (n_classes > 2 && options.criterion != Criterion::gini)
        refuse("criterion must be gini for more than two classes.");
    if (rows.n_rows() != table.n_rows || rows.n_columns() != std::ssize(table.columns))
        refuse("rows must be those of the table.");
    Buffer<std::int32_t> leaf(table.n_rows);
    TreeResult grown = result_of(unlocked([&] {
        check_target(table, target, options);
        return grow_stump(table, rows, target, options.criterion, threads, leaf.data());
    }));
    return {std::move(grown), give_vector(std::move(leaf))};
}

}  // namespace

void bind_tree_stump(nb::module_& module) {
    nb::class_<SortedRows>(module, "SortedRows", "Rows in the order of each column of a table.")
        .def_prop_ro("n_rows", &SortedRows::n_rows)
        .def_prop_ro("n_columns", &SortedRows::n_columns);
    module.def("sort_rows", &call_sort, nb::arg("table"), nb::arg("threads"),
               "Rows in the order of each column, for columns that are ordered and lack no value.");
    module.def(
        "grow_stump", &call_stump, nb::arg("table"), nb::arg("rows"), nb::arg("label").noconvert().none(),
        nb::arg("n_classes"), nb::arg("sum").noconvert().none(), nb::arg("weight").noconvert().none(),
        nb::arg("criterion"), nb::arg("threads"),
        "The tree of one split, as grow_tree has it, and the leaf of each row; -1 for rows of weight 0. "
        "Classes are 0, 1, ...; misclassification is for two.");
}

}  // namespace hornbook
