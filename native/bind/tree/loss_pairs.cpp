#include "core/tree/boost/loss_pairs.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/convert.hpp"
#include "bind/tree/tree_result.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Doubles = std::optional<Array1<double>>;
using Nodes = std::optional<Array1<std::int32_t>>;

LeafSteps steps_of(const Nodes& leaf, const Doubles& steps, std::int64_t n) {
    if (leaf.has_value() != steps.has_value()) refuse("leaf and steps go together: pass both, or neither.");
    if (!leaf) return {};
    return {row_entries(leaf, "leaf", n), view(*steps, "steps")};
}

template <class T, auto Kernel, class... More>
void call_pairs(const State1<double>& scores, const Array1<T>& y, const Doubles& w,
                const State1<double>& sums, const State1<double>& weights, const Nodes& leaf,
                const Doubles& steps, int threads, More... more) {
    const Vector<T> targets = view(y, "y");
    const std::int64_t n = targets.size;
    const double* row_weights = row_entries(w, "w", n);
    const LeafSteps moves = steps_of(leaf, steps, n);
    double* state_of = state(scores, n, "scores");
    const LossPairs out{state(sums, n, "sums"), state(weights, n, "weights")};
    unlocked([&] { Kernel(targets, row_weights, moves, state_of, out, threads, more...); });
}

void call_norms(const Array2<double>& scores, const State1<double>& top, const State1<double>& all,
                int threads) {
    const Matrix<double> rows = view(scores, "scores");
    if (rows.rows < 1) refuse("scores must have one row per class.");
    const SoftmaxNorms out{state(top, rows.cols, "top"), state(all, rows.cols, "all")};
    unlocked([&] { softmax_norms(rows, out, threads); });
}

void call_softmax(const State1<double>& scores, const Array1<std::int32_t>& y, std::int32_t k,
                  const Doubles& w, const State1<double>& top, const State1<double>& all,
                  const State1<double>& sums, const State1<double>& weights, int threads, double smallest) {
    const Vector<std::int32_t> labels = view(y, "y");
    const std::int64_t n = labels.size;
    const double* row_weights = row_entries(w, "w", n);
    const SoftmaxClass of{state(scores, n, "scores"), {state(top, n, "top"), state(all, n, "all")}, k};
    const LossPairs out{state(sums, n, "sums"), state(weights, n, "weights")};
    unlocked([&] { softmax_pairs(labels, row_weights, of, out, threads, smallest); });
}

}  // namespace

void bind_loss_pairs(nb::module_& module) {
    module.def("log_loss_pairs", &call_pairs<std::int32_t, &log_loss_pairs, double>,
               nb::arg("scores").noconvert(), nb::arg("y").noconvert(), nb::arg("w").noconvert().none(),
               nb::arg("sums").noconvert(), nb::arg("weights").noconvert(),
               nb::arg("leaf").noconvert().none(), nb::arg("steps").noconvert().none(), nb::arg("threads"),
               nb::arg("smallest") = 0.0,
               "Adds the steps of the leaves to the scores, unless they are None, and writes the gradient "
               "pairs of log loss there, all in place: sums are w (y - p), weights are w p (1 - p), for y "
               "of 0 and 1 and p = 1 / (1 + exp(-score)); p (1 - p) counts as `smallest` at least.");
    module.def("squared_error_pairs", &call_pairs<double, &squared_error_pairs>,
               nb::arg("scores").noconvert(), nb::arg("y").noconvert(), nb::arg("w").noconvert().none(),
               nb::arg("sums").noconvert(), nb::arg("weights").noconvert(),
               nb::arg("leaf").noconvert().none(), nb::arg("steps").noconvert().none(), nb::arg("threads"),
               "The same for half the squared error: sums are w (y - score), weights are w.");
    module.def("softmax_norms", &call_norms, nb::arg("scores").noconvert(), nb::arg("top").noconvert(),
               nb::arg("all").noconvert(), nb::arg("threads"),
               "Writes for each row the largest of its scores and the sum of exp(score - largest), in "
               "place; scores have one row for each class.");
    module.def("softmax_pairs", &call_softmax, nb::arg("scores").noconvert(), nb::arg("y").noconvert(),
               nb::arg("k"), nb::arg("w").noconvert().none(), nb::arg("top").noconvert(),
               nb::arg("all").noconvert(), nb::arg("sums").noconvert(), nb::arg("weights").noconvert(),
               nb::arg("threads"), nb::arg("smallest") = 0.0,
               "Writes the gradient pairs of log loss for class k of several, in place: sums are "
               "w ([y = k] - p), weights are w p (1 - p), where p = exp(score - top) / all is the softmax "
               "of the scores of class k; p (1 - p) counts as `smallest`, and as a hundredth of "
               "|[y = k] - p|, at least.");
}

}  // namespace hornbook
