#include "core/evaluation/ranking.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Weights = std::optional<Array1<double>>;
using Groups = std::tuple<Result1<double>, Result1<double>, Result1<double>>;

ScoredRows rows_of(const Array1<bool>& y, const Array1<double>& score, const Weights& w) {
    const Vector<double> scores = view(score, "score");
    const Vector<bool> classes = view(y, "y");
    if (classes.size != scores.size)
        refuse("y must have the ", scores.size, " entries of score; got ", classes.size, ".");
    if (!w) return {scores, classes.data, nullptr};
    const Vector<double> weights = view(*w, "w");
    if (weights.size != scores.size)
        refuse("w must have the ", scores.size, " entries of score; got ", weights.size, ".");
    return {scores, classes.data, weights.data};
}

Groups call_groups(const Array1<bool>& y, const Array1<double>& score, const Weights& w) {
    const ScoredRows rows = rows_of(y, score, w);
    ScoreGroups out = unlocked([&] { return score_groups(rows); });
    return {give_vector(std::move(out.score)), give_vector(std::move(out.positive)),
            give_vector(std::move(out.negative))};
}

double call_auc(const Array1<bool>& y, const Array1<double>& score, const Weights& w) {
    const ScoredRows rows = rows_of(y, score, w);
    return unlocked([&] { return auc(rows); });
}

Result1<double> call_bootstrap(const Array1<bool>& y, const Array1<double>& score, std::int64_t n_replicates,
                               std::uint64_t seed, std::uint64_t stream, int threads) {
    const ScoredRows rows = rows_of(y, score, std::nullopt);
    Buffer<double> out = unlocked([&] { return auc_bootstrap(rows, n_replicates, seed, stream, threads); });
    return give_vector(std::move(out));
}

Result1<std::int64_t> call_hull(const Array1<double>& x, const Array1<double>& y) {
    const Vector<double> across = view(x, "x");
    const Vector<double> up = view(y, "y");
    Buffer<std::int64_t> out = unlocked([&] { return upper_hull(across, up); });
    return give_vector(std::move(out));
}

}  // namespace

void bind_ranking(nb::module_& module) {
    module.def("score_groups", &call_groups, nb::arg("y").noconvert(), nb::arg("score").noconvert(),
               nb::arg("w").noconvert().none(),
               "Distinct scores from the highest to the lowest, with the weight of the positive and of the "
               "negative rows that have each.");
    module.def("auc", &call_auc, nb::arg("y").noconvert(), nb::arg("score").noconvert(),
               nb::arg("w").noconvert().none(),
               "Fraction of the pairs in which the positive row has the higher score; ties count one half.");
    module.def(
        "auc_bootstrap", &call_bootstrap, nb::arg("y").noconvert(), nb::arg("score").noconvert(),
        nb::arg("n_replicates"), nb::arg("seed"), nb::arg("stream"), nb::arg("threads"),
        "The same for replicates of as many rows drawn with replacement; replicates without one of the "
        "classes are drawn again.");
    module.def("upper_hull", &call_hull, nb::arg("x").noconvert(), nb::arg("y").noconvert(),
               "Indices of the vertices of the upper convex hull of points that ascend in x and y.");
}

}  // namespace hornbook
