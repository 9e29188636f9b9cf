#include "core/tree/boost/boost_round.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/tree/tree_result.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Doubles = std::optional<Array1<double>>;
using Memory = std::optional<State1<double>>;
using Nodes = std::tuple<Result1<std::int32_t>, Result1<std::uint8_t>, Result1<std::int32_t>, Result1<double>,
                         Result1<std::int32_t>, Result1<std::int32_t>, Result1<std::int32_t>,
                         Result1<std::int32_t>, Result2<double>, Result1<double>>;

Nodes call_part(const GrownTrees& trees, std::int64_t first, std::int64_t last) {
    const TreeNodes nodes = trees.part(first, last);
    Buffer<double> steps(std::ssize(nodes.step));
    std::copy(nodes.step.begin(), nodes.step.end(), steps.data());
    return {copied(nodes.roots),
            copied(nodes.kind),
            copied(nodes.feature),
            copied(nodes.threshold),
            copied(nodes.first_child),
            copied(nodes.missing_child),
            copied(nodes.level_offset),
            copied(nodes.levels),
            give_matrix(std::move(steps), std::ssize(nodes.step), 1),
            copied(nodes.cover)};
}

void call_add(GrownTrees& trees, const Array1<std::uint8_t>& kind, const Array1<std::int32_t>& feature,
              const Array1<double>& threshold, const Array1<std::int32_t>& first_child,
              const Array1<std::int32_t>& missing_child, const Array1<std::int32_t>& level_offset,
              const Array1<std::int32_t>& levels, const Array1<std::int32_t>& n_rows,
              const Array1<double>& weight, const Array1<double>& gain, const Array1<double>& step) {
    const std::int64_t size = view(kind, "kind").size;
    const auto entries = [&](const auto& array, const char* name) {
        const auto of = view(array, name);
        if (of.size != size) refuse(name, " must have one entry for each node.");
        return of.data;
    };
    const Vector<std::int32_t> offsets = view(level_offset, "level_offset");
    if (offsets.size != size + 1) refuse("level_offset must have one entry more than there are nodes.");
    if (offsets.data[size] != view(levels, "levels").size) refuse("level_offset must end where levels end.");
    trees.add({view(kind, "kind").data, entries(feature, "feature"), entries(threshold, "threshold"),
               entries(first_child, "first_child"), entries(missing_child, "missing_child"), offsets.data,
               view(levels, "levels").data, entries(n_rows, "n_rows"), entries(weight, "weight"),
               entries(gain, "gain"), entries(step, "step"), size});
}

BoostRows rows_of(const State2<double>& scores, const Doubles& w, const State1<double>& sums,
                  const State1<double>& weights, const Memory& top, const Memory& all, std::int64_t n) {
    check_aligned(scores.data(), alignof(double), "scores");
    const auto n_scores = static_cast<std::int64_t>(scores.shape(0));
    if (n_scores < 1 || static_cast<std::int64_t>(scores.shape(1)) != n)
        refuse("scores must have a row for each score and a column for each of ", n, " rows.");
    if ((n_scores > 1) != top.has_value() || (n_scores > 1) != all.has_value())
        refuse("top and all belong to several scores: pass both for them, or neither for one.");
    return {scores.data(),
            row_entries(w, "w", n),
            {state(sums, n, "sums"), state(weights, n, "weights")},
            {top ? state(*top, n, "top") : nullptr, all ? state(*all, n, "all") : nullptr},
            n,
            n_scores};
}

template <class T, auto Kernel>
void call_round(PairGrower& grower, GrownTrees& trees, const State2<double>& scores, const Array1<T>& y,
                const Doubles& w, const State1<double>& sums, const State1<double>& weights,
                const Memory& top, const Memory& all, const TreeOptions& options, std::uint64_t seed,
                std::uint64_t tree, int threads, bool all_coded, double rate, double smallest) {
    const Vector<T> targets = view(y, "y");
    const BoostRows rows = rows_of(scores, w, sums, weights, top, all, targets.size);
    if (std::is_same_v<T, double> && rows.n_scores > 1) refuse("numbers have one score.");
    const BoostSettings settings{options, {seed, tree}, threads, all_coded, rate, smallest};
    unlocked([&] { Kernel(grower, trees, targets, rows, settings); });
}

template <class T, auto Kernel>
void bind_round(nb::module_& module, const char* name, const char* text) {
    module.def(name, &call_round<T, Kernel>, nb::arg("grower"), nb::arg("trees"),
               nb::arg("scores").noconvert(), nb::arg("y").noconvert(), nb::arg("w").noconvert().none(),
               nb::arg("sums").noconvert(), nb::arg("weights").noconvert(), nb::arg("top").noconvert().none(),
               nb::arg("all").noconvert().none(), nb::arg("options"), nb::arg("seed"), nb::arg("tree"),
               nb::arg("threads"), nb::arg("all_coded"), nb::arg("rate"), nb::arg("smallest"), text);
}

}  // namespace

void bind_boost_round(nb::module_& module) {
    nb::class_<GrownTrees>(module, "GrownTrees",
                           "The trees of boosting so far, one after the other in one set of arrays.")
        .def(nb::init<>())
        .def("__len__", &GrownTrees::size)
        .def("add", &call_add, nb::arg("kind").noconvert(), nb::arg("feature").noconvert(),
             nb::arg("threshold").noconvert(), nb::arg("first_child").noconvert(),
             nb::arg("missing_child").noconvert(), nb::arg("level_offset").noconvert(),
             nb::arg("levels").noconvert(), nb::arg("n_rows").noconvert(), nb::arg("weight").noconvert(),
             nb::arg("gain").noconvert(), nb::arg("step").noconvert(),
             "Add a tree, with what its nodes add to a score.")
        .def("part", &call_part, nb::arg("first"), nb::arg("last"),
             "Trees first, ..., last - 1: roots, kind, feature, threshold, first_child, missing_child, "
             "level_offset and levels, then the steps and the rows of the leaves. In leaves, first_child is "
             "the entry of the leaf among these. level_offset is empty where there are no levels.")
        .def(
            "gains",
            [](const GrownTrees& trees, std::int64_t columns) { return copied(trees.gains(columns)); },
            nb::arg("columns"), "Total gain of the splits on each column.");
    bind_round<std::int32_t, &boost_classes>(
        module, "boost_classes",
        "A round of boosting by log loss: grows a tree for each score, keeps it, and adds `rate` times its "
        "leaves to the scores. With one score, of two classes, sums and weights are the pairs of this round "
        "as log_loss_pairs writes them, and become those of the next; with one for each class, top and all "
        "are what softmax_norms writes.");
    bind_round<double, &boost_numbers>(module, "boost_numbers",
                                       "The same for the squared error of numbers, with one score.");
}

}  // namespace hornbook
