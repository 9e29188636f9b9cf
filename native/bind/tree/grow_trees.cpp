#include "core/tree/grow/grow_trees.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bind/columns.hpp"
#include "bind/convert.hpp"
#include "bind/tree/tree_result.hpp"
#include "bind/unlocked.hpp"
#include "core/tree/predict/leaf_values.hpp"

namespace hornbook {

namespace {

constexpr std::pair<const char*, Criterion> criteria[] = {
    {"gini", Criterion::gini},
    {"entropy", Criterion::entropy},
    {"gain_ratio", Criterion::gain_ratio},
    {"raw_gain_ratio", Criterion::raw_gain_ratio},
    {"symmetric_gain_ratio", Criterion::symmetric_gain_ratio},
    {"symmetric_gain_ratio_sum", Criterion::symmetric_gain_ratio_sum},
    {"cart", Criterion::cart},
    {"quadratic_gain", Criterion::quadratic_gain},
    {"daroczy", Criterion::daroczy},
    {"misclassification", Criterion::misclassification},
    {"squared_error", Criterion::squared_error},
    {"absolute_error", Criterion::absolute_error},
    {"poisson", Criterion::poisson},
};

constexpr std::pair<const char*, Pick> picks[] = {
    {"best", Pick::best}, {"top_k", Pick::top_k}, {"proportional", Pick::proportional}};

template <class Named>
auto by_name(const Named& all, const std::string& name, const char* what) {
    const auto* entry =
        std::find_if(std::begin(all), std::end(all), [&](const auto& pair) { return name == pair.first; });
    if (entry == std::end(all)) refuse("there is no ", what, " named ", name, ".");
    return entry->second;
}

template <class Named, class Value>
std::string name_of(const Named& all, Value value) {
    const auto* entry =
        std::find_if(std::begin(all), std::end(all), [&](const auto& pair) { return value == pair.second; });
    return entry->first;
}

using Labels = std::optional<Array1<std::int32_t>>;
using Doubles = std::optional<Array1<double>>;

TreeTarget target_of(const CodedTable& table, const Labels& label, int n_classes, const Doubles& sum,
                     const Doubles& weight, double square_unit) {
    TreeTarget target;
    target.label = row_entries(label, "label", table.n_rows);
    target.n_classes = n_classes;
    target.sum = row_entries(sum, "sum", table.n_rows);
    target.weight = row_entries(weight, "weight", table.n_rows);
    target.square_unit = square_unit;
    return target;
}

CodedTable call_code(const nb::list& list, const Array1<std::int32_t>& levels, const Array1<bool>& nominal,
                     const Doubles& w, std::int32_t max_bins, int threads) {
    const Columns columns(list, false);
    const ColumnPlan plan{columns.views(), view(levels, "levels"), view(nominal, "nominal")};
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    return unlocked([&] { return code_table(plan, weights ? &*weights : nullptr, max_bins, threads); });
}

using Until = std::optional<Array1<std::int64_t>>;

const std::int64_t* until_of(const Until& until, std::int64_t n) {
    const auto* sums = row_entries(until, "until", n);
    for (std::int64_t i = 0; sums && i < n; ++i)
        if (sums[i] < (i == 0 ? 0 : sums[i - 1])) refuse("until must ascend from 0.");
    if (sums && n > 0 && sums[n - 1] < 1) refuse("until must end above 0.");
    return sums;
}

// Counts of drawn rows have 32 bits, and the time grows with the draws.
void check_draws(std::int64_t draws) {
    constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;
    if (draws < 0 || draws > most) refuse("draws must be at least 0 and at most 2**31 - 1; got ", draws, ".");
}

// `leaf`, if there is one, gets the leaf of each row.
Tree grown(std::int32_t* leaf, const CodedTable& table, const Labels& label, int n_classes,
           const Doubles& sum, const Doubles& weight, const TreeOptions& options, std::uint64_t seed,
           std::uint64_t tree, int threads, std::int64_t draws, const Until& until, double square_unit) {
    check_draws(draws);
    const TreeTarget target = target_of(table, label, n_classes, sum, weight, square_unit);
    const std::int64_t* ends = until_of(until, table.n_rows);
    return unlocked([&] {
        check_target(table, target, options);
        if (draws == 0) return grow_tree(table, target, nullptr, options, {seed, tree}, threads, leaf);
        Buffer<std::uint32_t> counts(table.n_rows);
        draw_counts({seed, tree}, table.n_rows, draws, ends, counts.data());
        return grow_tree(table, target, counts.data(), options, {seed, tree}, threads, leaf);
    });
}

using ClassTable = std::optional<Array2<std::int32_t>>;
using NumberTable = std::optional<Array2<double>>;

TreeResult call_grow_several(const CodedTable& table, const ClassTable& label,
                             const std::vector<std::int32_t>& classes, const NumberTable& number,
                             const Doubles& weight, const TreeOptions& options, std::uint64_t seed,
                             std::uint64_t tree, int threads, std::int64_t draws, const Until& until) {
    check_draws(draws);
    SeveralTargets several;
    several.classes = classes;
    const auto take = [&](const auto& array, const char* name) {
        const auto entries = view(array, name);
        if (entries.rows != table.n_rows) refuse(name, " must have one line for each row.");
        several.targets = entries.cols;
        return entries.data;
    };
    if (label) several.label = take(*label, "label");
    if (number) several.number = take(*number, "number");
    TreeTarget target;
    target.weight = row_entries(weight, "weight", table.n_rows);
    target.several = &several;
    const std::int64_t* ends = until_of(until, table.n_rows);
    return result_of(unlocked([&] {
        check_target(table, target, options);
        Buffer<std::uint32_t> counts(draws > 0 ? table.n_rows : 0);
        if (draws > 0) draw_counts({seed, tree}, table.n_rows, draws, ends, counts.data());
        return grow_tree(table, target, draws > 0 ? counts.data() : nullptr, options, {seed, tree}, threads);
    }));
}

TreeResult call_grow(const CodedTable& table, const Labels& label, int n_classes, const Doubles& sum,
                     const Doubles& weight, const TreeOptions& options, std::uint64_t seed,
                     std::uint64_t tree, int threads, std::int64_t draws, const Until& until,
                     double square_unit) {
    return result_of(grown(nullptr, table, label, n_classes, sum, weight, options, seed, tree, threads, draws,
                           until, square_unit));
}

using KeptResult = std::tuple<Result1<std::uint8_t>, Result1<std::int32_t>, Result1<double>,
                              Result1<std::int32_t>, Result1<std::int32_t>, Result1<std::int32_t>,
                              Result1<std::int32_t>, Result2<double>, Result1<double>, Result1<double>>;

KeptResult call_grow_kept(const CodedTable& table, const Labels& label, int n_classes, const Doubles& sum,
                          const Doubles& weight, const TreeOptions& options, std::uint64_t seed,
                          std::uint64_t tree, int threads, std::int64_t draws, const Until& until,
                          double square_unit) {
    if (options.multiway || options.fractional)
        refuse("grow_kept_tree is for splits in two that send each row to one child.");
    Tree made = grown(nullptr, table, label, n_classes, sum, weight, options, seed, tree, threads, draws,
                      until, square_unit);
    KeptLeaves kept = unlocked([&] {
        return kept_leaves(made, static_cast<std::int64_t>(table.columns.size()), label.has_value());
    });
    return {give_vector(std::move(made.kind)),
            give_vector(std::move(made.feature)),
            give_vector(std::move(made.threshold)),
            give_vector(std::move(kept.answers.first_child)),
            give_vector(std::move(made.missing_child)),
            give_vector(std::move(made.level_offset)),
            give_vector(std::move(made.levels)),
            give_matrix(std::move(kept.answers.value), kept.answers.leaves, made.value_size),
            give_vector(std::move(kept.weight)),
            give_vector(std::move(kept.importances))};
}

std::tuple<TreeResult, Result1<std::int32_t>> call_grow_with_leaves(
    const CodedTable& table, const Labels& label, int n_classes, const Doubles& sum, const Doubles& weight,
    const TreeOptions& options, std::uint64_t seed, std::uint64_t tree, int threads, std::int64_t draws,
    const Until& until, double square_unit) {
    Buffer<std::int32_t> leaf(table.n_rows);
    TreeResult arrays = result_of(grown(leaf.data(), table, label, n_classes, sum, weight, options, seed,
                                        tree, threads, draws, until, square_unit));
    return {std::move(arrays), give_vector(std::move(leaf))};
}

Result1<std::uint32_t> call_counts(std::uint64_t seed, std::uint64_t tree, std::int64_t n, std::int64_t draws,
                                   const Until& until) {
    if (n < 1) refuse("n must be at least 1.");
    check_draws(draws);
    const std::int64_t* ends = until_of(until, n);
    Buffer<std::uint32_t> counts(n);
    unlocked([&] { draw_counts({seed, tree}, n, draws, ends, counts.data()); });
    return give_vector(std::move(counts));
}

const CodedColumn& column_of(const CodedTable& table, std::int64_t j) {
    if (j < 0 || j >= static_cast<std::int64_t>(table.columns.size())) refuse("there is no column ", j, ".");
    return table.columns[static_cast<std::size_t>(j)];
}

Result1<std::int32_t> codes_of(const CodedTable& table, std::int64_t j) {
    const CodedColumn& column = column_of(table, j);
    Buffer<std::int32_t> out(table.n_rows);
    with_codes(column, table.n_rows, [&](const auto& codes) {
        for (std::int64_t i = 0; i < table.n_rows; ++i) {
            const auto code = static_cast<std::int32_t>(codes[static_cast<std::int32_t>(i)]);
            out[i] = code == column.bins ? -1 : code;
        }
    });
    return give_vector(std::move(out));
}

void bind_options(nb::module_& module) {
    nb::class_<TreeOptions>(module, "TreeOptions", "Options of a tree's growth.")
        .def(nb::init<>())
        .def(nb::init<const TreeOptions&>(), nb::arg("other"))
        .def_prop_rw(
            "criterion", [](const TreeOptions& o) { return name_of(criteria, o.criterion); },
            [](TreeOptions& o, const std::string& name) {
                o.criterion = by_name(criteria, name, "criterion");
            })
        .def_prop_rw(
            "pick", [](const TreeOptions& o) { return name_of(picks, o.pick); },
            [](TreeOptions& o, const std::string& name) { o.pick = by_name(picks, name, "pick"); })
        .def_rw("beta", &TreeOptions::beta)
        .def_rw("multiway", &TreeOptions::multiway)
        .def_rw("subset_size", &TreeOptions::subset_size)
        .def_rw("fractional", &TreeOptions::fractional)
        .def_rw("random_thresholds", &TreeOptions::random_thresholds)
        .def_rw("top_k", &TreeOptions::top_k)
        .def_rw("max_random_splits", &TreeOptions::max_random_splits)
        .def_rw("max_features", &TreeOptions::max_features)
        .def_rw("columns_per_tree", &TreeOptions::columns_per_tree)
        .def_rw("draw_order", &TreeOptions::draw_order)
        .def_rw("max_depth", &TreeOptions::max_depth)
        .def_rw("max_leaf_nodes", &TreeOptions::max_leaf_nodes)
        .def_rw("min_samples_split", &TreeOptions::min_samples_split)
        .def_rw("min_samples_leaf", &TreeOptions::min_samples_leaf)
        .def_rw("min_weight_leaf", &TreeOptions::min_weight_leaf)
        .def_rw("min_impurity_decrease", &TreeOptions::min_impurity_decrease)
        .def_rw("leaf_size", &TreeOptions::leaf_size)
        .def_rw("purity", &TreeOptions::purity)
        .def_rw("min_gain", &TreeOptions::min_gain)
        .def_rw("l2", &TreeOptions::l2)
        .def_rw("gamma", &TreeOptions::gamma)
        .def_rw("l1", &TreeOptions::l1)
        .def_rw("quantize", &TreeOptions::quantize)
        .def_rw("level_support", &TreeOptions::level_support)
        .def_rw("columns_per_level", &TreeOptions::columns_per_level)
        .def_rw("monotone", &TreeOptions::monotone)
        .def_rw("interactions", &TreeOptions::interactions);
}

}  // namespace

void bind_tree(nb::module_& module) {
    nb::class_<CodedTable>(module, "CodedTable", "Columns as rank codes, shared by all trees grown on them.")
        .def_ro("n_rows", &CodedTable::n_rows)
        .def_prop_ro("n_columns", [](const CodedTable& table) { return table.columns.size(); })
        .def(
            "bins", [](const CodedTable& table, std::int64_t j) { return column_of(table, j).bins; },
            nb::arg("column"), "Number of distinct codes of a column, without the missing value.")
        .def("codes", &codes_of, nb::arg("column"), "Codes of a column; -1 is a missing value.")
        .def(
            "low", [](const CodedTable& table, std::int64_t j) { return copied(column_of(table, j).low); },
            nb::arg("column"), "Smallest value of each code; empty for nominal columns.")
        .def(
            "high",
            [](const CodedTable& table, std::int64_t j) {
                const CodedColumn& column = column_of(table, j);
                return copied(column.high.empty() ? column.low : column.high);
            },
            nb::arg("column"), "Largest value of each code.");
    bind_options(module);
    module.def(
        "code_table", &call_code, nb::arg("columns"), nb::arg("levels").noconvert(),
        nb::arg("nominal").noconvert(), nb::arg("w").noconvert().none(), nb::arg("max_bins"),
        nb::arg("threads"),
        nb::sig("def code_table(columns: list[numpy.typing.NDArray[typing.Any]], "
                "levels: numpy.typing.NDArray[numpy.int32], nominal: numpy.typing.NDArray[numpy.bool_], "
                "w: numpy.typing.NDArray[numpy.float64] | None, max_bins: int, threads: int) -> "
                "CodedTable"),
        "Columns as rank codes: one for each value, or at most max_bins bins of about equal weight; "
        "levels is -1 for numbers.");
    module.def(
        "grow_tree", &call_grow, nb::arg("table"), nb::arg("label").noconvert().none(), nb::arg("n_classes"),
        nb::arg("sum").noconvert().none(), nb::arg("weight").noconvert().none(), nb::arg("options"),
        nb::arg("seed"), nb::arg("tree"), nb::arg("threads"), nb::arg("draws") = 0,
        nb::arg("until").noconvert().none() = nb::none(), nb::arg("square_unit") = 0.0,
        "One tree as parallel arrays: kind, feature, threshold, first_child, missing_child, level_offset, "
        "levels, n_rows, weight, impurity, gain, share, value. It is grown on draws rows drawn with "
        "replacement, on all rows when draws is 0; until holds the cumulative sampling weights of the rows, "
        "all equal when None. For exact sums, squares are rounded to multiples of square_unit, a power of "
        "2.");
    module.def(
        "grow_tree_for_several", &call_grow_several, nb::arg("table"), nb::arg("label").noconvert().none(),
        nb::arg("classes"), nb::arg("number").noconvert().none(), nb::arg("weight").noconvert().none(),
        nb::arg("options"), nb::arg("seed"), nb::arg("tree"), nb::arg("threads"), nb::arg("draws") = 0,
        nb::arg("until").noconvert().none() = nb::none(),
        "One tree for several targets at once, as grow_tree gives it: label has a class, or number a number, "
        "for each row and target; classes is the number of classes of each target. Values of nodes are the "
        "class weights of one target after the other, or a number for each.");
    module.def(
        "grow_tree_with_leaves", &call_grow_with_leaves, nb::arg("table"),
        nb::arg("label").noconvert().none(), nb::arg("n_classes"), nb::arg("sum").noconvert().none(),
        nb::arg("weight").noconvert().none(), nb::arg("options"), nb::arg("seed"), nb::arg("tree"),
        nb::arg("threads"), nb::arg("draws") = 0, nb::arg("until").noconvert().none() = nb::none(),
        nb::arg("square_unit") = 0.0,
        "The tree of grow_tree, and the leaf that each row of the table is in; -1 for rows outside its "
        "sample.");
    module.def(
        "grow_kept_tree", &call_grow_kept, nb::arg("table"), nb::arg("label").noconvert().none(),
        nb::arg("n_classes"), nb::arg("sum").noconvert().none(), nb::arg("weight").noconvert().none(),
        nb::arg("options"), nb::arg("seed"), nb::arg("tree"), nb::arg("threads"), nb::arg("draws") = 0,
        nb::arg("until").noconvert().none() = nb::none(), nb::arg("square_unit") = 0.0,
        "What a forest keeps of the tree of grow_tree: kind, feature, threshold, first_child (in leaves the "
        "row of the value), missing_child, level_offset, levels, then value and weight of the leaves alone, "
        "and the share of each column in the decrease of impurity. Class weights are scaled to sum to 1.");
    module.def("bootstrap_counts", &call_counts, nb::arg("seed"), nb::arg("tree"), nb::arg("n"),
               nb::arg("draws"), nb::arg("until").noconvert().none() = nb::none(),
               "How often each row is among those that grow_tree draws.");
}

}  // namespace hornbook
