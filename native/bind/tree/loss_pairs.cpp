#include "core/tree/pairs/loss_pairs.hpp"

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

void call_steps(const State1<double>& scores, const Array1<std::int32_t>& leaf, const Array1<double>& steps,
                int threads) {
    const Vector<std::int32_t> nodes = view(leaf, "leaf");
    double* state_of = state(scores, nodes.size, "scores");
    const LeafSteps moves{nodes.data, view(steps, "steps")};
    unlocked([&] { add_steps(moves, state_of, nodes.size, threads); });
}

template <class T, auto Kernel>
void call_pairs(const State1<double>& scores, const Array1<T>& y, const Doubles& w,
                const State1<double>& sums, const State1<double>& weights, const Nodes& leaf,
                const Doubles& steps, int threads) {
    const Vector<T> targets = view(y, "y");
    const std::int64_t n = targets.size;
    const double* row_weights = row_entries(w, "w", n);
    const LeafSteps moves = steps_of(leaf, steps, n);
    double* state_of = state(scores, n, "scores");
    const LossPairs out{state(sums, n, "sums"), state(weights, n, "weights")};
    unlocked([&] { Kernel(targets, row_weights, moves, state_of, out, threads); });
}

double* class_state(const State2<double>& array, std::int64_t classes, std::int64_t n, const char* name) {
    check_aligned(array.data(), alignof(double), name);
    if (static_cast<std::int64_t>(array.shape(0)) != classes ||
        static_cast<std::int64_t>(array.shape(1)) != n)
        refuse(name, " must have one row per class and one column per entry of y.");
    return array.data();
}

void call_softmax(const Array2<double>& scores, const Array1<std::int32_t>& y, const Doubles& w,
                  const State2<double>& sums, const State2<double>& weights, int threads) {
    const Matrix<double> rows = view(scores, "scores");
    const Vector<std::int32_t> labels = view(y, "y");
    if (rows.cols != labels.size || rows.rows < 1)
        refuse("scores must have one row per class and one column per entry of y.");
    const double* row_weights = row_entries(w, "w", labels.size);
    const LossPairs out{class_state(sums, rows.rows, rows.cols, "sums"),
                        class_state(weights, rows.rows, rows.cols, "weights")};
    unlocked([&] { softmax_pairs(labels, row_weights, rows, out, threads); });
}

}  // namespace

void bind_loss_pairs(nb::module_& module) {
    module.def("add_steps", &call_steps, nb::arg("scores").noconvert(), nb::arg("leaf").noconvert(),
               nb::arg("steps").noconvert(), nb::arg("threads"),
               "Adds to each score, in place, the step of the row's leaf.");
    module.def("log_loss_pairs", &call_pairs<std::int32_t, &log_loss_pairs>, nb::arg("scores").noconvert(),
               nb::arg("y").noconvert(), nb::arg("w").noconvert().none(), nb::arg("sums").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("leaf").noconvert().none(),
               nb::arg("steps").noconvert().none(), nb::arg("threads"),
               "Adds the steps of the leaves to the scores, unless they are None, and writes the gradient "
               "pairs of log loss there, all in place: sums are w (y - p), weights are w p (1 - p), for y "
               "of 0 and 1 and p = 1 / (1 + exp(-score)).");
    module.def("squared_error_pairs", &call_pairs<double, &squared_error_pairs>,
               nb::arg("scores").noconvert(), nb::arg("y").noconvert(), nb::arg("w").noconvert().none(),
               nb::arg("sums").noconvert(), nb::arg("weights").noconvert(),
               nb::arg("leaf").noconvert().none(), nb::arg("steps").noconvert().none(), nb::arg("threads"),
               "The same for half the squared error: sums are w (y - score), weights are w.");
    module.def(
        "softmax_pairs", &call_softmax, nb::arg("scores").noconvert(), nb::arg("y").noconvert(),
        nb::arg("w").noconvert().none(), nb::arg("sums").noconvert(), nb::arg("weights").noconvert(),
        nb::arg("threads"),
        "Writes the gradient pairs of log loss for several classes, in place; scores, sums and weights "
        "have one row for each class: sums are w ([y = k] - p), weights are w p (1 - p), where p is "
        "the softmax of the scores.");
}

}  // namespace hornbook
