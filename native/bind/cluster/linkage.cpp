#include "core/cluster/linkage.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/cluster/graph_linkage.hpp"

namespace hornbook {

namespace {

using TreeResult = std::tuple<Result2<std::int64_t>, Result1<double>>;

TreeResult give_tree(MergeTree&& tree) {
    const std::int64_t count = tree.heights.size();
    return {give_matrix(std::move(tree.children), count, 2), give_vector(std::move(tree.heights))};
}

Metric metric_of(double power, const Array1<double>& shares, const Array1<double>& steps,
                 const Array1<std::int32_t>& n_levels, const Array2<double>& profiles) {
    return {power, view(shares, "shares"), view(steps, "steps"), view(n_levels, "n_levels"),
            view(profiles, "profiles")};
}

Result1<double> call_pairwise(const Array2<double>& numbers, const Array2<std::int32_t>& codes, double power,
                              const Array1<double>& shares, const Array1<double>& steps,
                              const Array1<std::int32_t>& n_levels, const Array2<double>& profiles,
                              int threads) {
    const MixedRows rows{view(numbers, "numbers"), view(codes, "codes")};
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    return give_vector(unlocked([&] { return pairwise_condensed(rows, metric, threads); }));
}

TreeResult call_single(const Array2<double>& numbers, const Array2<std::int32_t>& codes, double power,
                       const Array1<double>& shares, const Array1<double>& steps,
                       const Array1<std::int32_t>& n_levels, const Array2<double>& profiles) {
    const MixedRows rows{view(numbers, "numbers"), view(codes, "codes")};
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    return give_tree(unlocked([&] { return linkage_single(rows, metric); }));
}

TreeResult call_condensed(const State1<double>& condensed, const Array1<double>& masses,
                          const std::string& linkage) {
    check_aligned(condensed.data(), alignof(double), "condensed");
    const Vector<double> weights = view(masses, "masses");
    const auto count = static_cast<std::int64_t>(condensed.shape(0));
    const Linkage how = linkage_of(linkage);
    return give_tree(unlocked([&] { return linkage_condensed(condensed.data(), count, weights, how); }));
}

TreeResult call_ward(const Array2<double>& rows, const Array1<double>& masses) {
    const Matrix<double> points = view(rows, "rows");
    const Vector<double> weights = view(masses, "masses");
    return give_tree(unlocked([&] { return linkage_ward(points, weights); }));
}

TreeResult call_graph(const Array2<std::int64_t>& edges, const Array1<double>& distances,
                      const Array1<double>& masses, const std::string& linkage) {
    const Matrix<std::int64_t> ends = view(edges, "edges");
    const Vector<double> lengths = view(distances, "distances");
    const Vector<double> weights = view(masses, "masses");
    const Linkage how = linkage_of(linkage);
    return give_tree(unlocked([&] { return linkage_graph(ends, lengths, weights, how); }));
}

TreeResult call_graph_ward(const Array2<double>& rows, const Array2<std::int64_t>& edges,
                           const Array1<double>& masses) {
    const Matrix<double> points = view(rows, "rows");
    const Matrix<std::int64_t> ends = view(edges, "edges");
    const Vector<double> weights = view(masses, "masses");
    return give_tree(unlocked([&] { return linkage_graph_ward(points, ends, weights); }));
}

}  // namespace

void bind_linkage(nb::module_& module) {
    module.def("pairwise_condensed", &call_pairwise, nb::arg("numbers").noconvert(),
               nb::arg("codes").noconvert(), nb::arg("power"), nb::arg("shares").noconvert(),
               nb::arg("steps").noconvert(), nb::arg("n_levels").noconvert(), nb::arg("profiles").noconvert(),
               nb::arg("threads"), "Distances of all pairs of rows, each pair once.");
    module.def("linkage_condensed", &call_condensed, nb::arg("condensed").noconvert(),
               nb::arg("masses").noconvert(), nb::arg("linkage"),
               "The tree of merges by single, complete or average linkage; the distances are overwritten.");
    module.def("linkage_single", &call_single, nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
               nb::arg("power"), nb::arg("shares").noconvert(), nb::arg("steps").noconvert(),
               nb::arg("n_levels").noconvert(), nb::arg("profiles").noconvert(),
               "The tree of merges by single linkage.");
    module.def("linkage_ward", &call_ward, nb::arg("rows").noconvert(), nb::arg("masses").noconvert(),
               "The tree of merges by Ward's linkage.");
    module.def("linkage_graph", &call_graph, nb::arg("edges").noconvert(), nb::arg("distances").noconvert(),
               nb::arg("masses").noconvert(), nb::arg("linkage"),
               "The tree of merges by single, complete or average linkage of neighbors in a graph.");
    module.def("linkage_graph_ward", &call_graph_ward, nb::arg("rows").noconvert(),
               nb::arg("edges").noconvert(), nb::arg("masses").noconvert(),
               "The tree of merges by Ward's linkage of neighbors in a graph.");
}

}  // namespace hornbook
