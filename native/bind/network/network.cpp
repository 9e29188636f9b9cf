#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/network/epoch.hpp"
#include "core/network/kalman.hpp"
#include "core/network/layers.hpp"
#include "core/network/passes.hpp"
#include "core/network/products.hpp"

namespace hornbook {

namespace {

using Sizes = Array1<std::int64_t>;
using Kinds = Array1<std::int32_t>;
using Weights = std::optional<Array1<double>>;

Layers layers_of(const Sizes& sizes, const Kinds& kinds, const Array1<double>& numbers) {
    return checked_layers(view(sizes, "sizes"), view(kinds, "kinds"), view(numbers, "numbers"));
}

std::optional<Vector<double>> weights_of(const Weights& w) {
    return w ? std::optional(view(*w, "w")) : std::nullopt;
}

double* state_of(const State1<double>& array, const Layers& layers, const char* name) {
    check_aligned(array.data(), alignof(double), name);
    if (static_cast<std::int64_t>(array.shape(0)) != layers.parameters)
        refuse(name, " must have an entry for each weight; it has ", array.shape(0), " for ",
               layers.parameters, ".");
    return array.data();
}

Result2<double> call_outputs(const Array2<double>& X, const Sizes& sizes, const Kinds& kinds,
                             const Array1<double>& numbers, const Array1<double>& theta, bool net,
                             int threads) {
    const Layers layers = layers_of(sizes, kinds, numbers);
    const Matrix<double> rows = view(X, "X");
    const Vector<double> weights = view(theta, "theta");
    Buffer<double> out = unlocked([&] { return network_outputs(layers, rows, weights, net, threads); });
    return give_matrix(std::move(out), rows.rows, layers.outputs());
}

std::tuple<double, Result1<double>> call_gradient(const Array2<double>& X, const Array2<double>& targets,
                                                  const Weights& w, const Sizes& sizes, const Kinds& kinds,
                                                  const Array1<double>& numbers,
                                                  const Array1<double>& theta) {
    const Layers layers = layers_of(sizes, kinds, numbers);
    const Matrix<double> rows = view(X, "X"), truth = view(targets, "targets");
    const std::optional<Vector<double>> mass = weights_of(w);
    const Vector<double> at = view(theta, "theta");
    NetworkGradient sum =
        unlocked([&] { return network_gradient(layers, rows, truth, mass ? &*mass : nullptr, at); });
    return {sum.cost, give_vector(std::move(sum.gradient))};
}

std::tuple<Result2<double>, Result2<double>> call_jacobian(const Array2<double>& X, const Sizes& sizes,
                                                           const Kinds& kinds, const Array1<double>& numbers,
                                                           const Array1<double>& theta) {
    const Layers layers = layers_of(sizes, kinds, numbers);
    const Matrix<double> rows = view(X, "X");
    const Vector<double> at = view(theta, "theta");
    NetworkJacobian out = unlocked([&] { return network_jacobian(layers, rows, at); });
    return {give_matrix(std::move(out.net), rows.rows, layers.outputs()),
            give_matrix(std::move(out.jacobian), rows.rows * layers.outputs(), layers.parameters)};
}

EpochOptions options_of(const Array1<std::int64_t>& counts, const Array1<double>& rates) {
    const Vector<std::int64_t> whole = view(counts, "counts");
    const Vector<double> r = view(rates, "rates");
    if (whole.size != 6 || r.size != 9)
        refuse("counts must have 6 entries and rates 9; they have ", whole.size, " and ", r.size, ".");
    const std::int64_t rule = whole.data[0], penalty = whole.data[1];
    if (rule < 0 || rule > 3 || penalty < 0 || penalty > 3)
        refuse("counts must begin with a rule and a penalty of 0 to 3; they are ", rule, " and ", penalty,
               ".");
    EpochOptions options{};
    options.step = {static_cast<Rule>(rule),
                    static_cast<Penalty>(penalty),
                    r.data[0],
                    r.data[1],
                    r.data[2],
                    r.data[3],
                    1.0,
                    0.0,
                    r.data[5]};
    options.alpha = r.data[4];
    options.mean = whole.data[2] != 0;
    options.dropout = {r.data[6], static_cast<std::uint64_t>(whole.data[5]), 0};
    options.batch = whole.data[3];
    options.before = {r.data[7], r.data[8], whole.data[4]};
    return options;
}

std::tuple<Result1<double>, Result1<double>, Result2<double>, std::int64_t> call_epochs(
    const Array2<double>& X, const Array2<double>& targets, const Weights& w,
    const Array2<std::int64_t>& orders, const Sizes& sizes, const Kinds& kinds, const Array1<double>& numbers,
    const Array1<std::int64_t>& counts, const Array1<double>& rates, const State1<double>& theta,
    const State1<double>& first, const State1<double>& second,
    const std::optional<Array1<std::uint8_t>>& mask, bool single, int threads) {
    const Layers layers = layers_of(sizes, kinds, numbers);
    const Matrix<double> x = view(X, "X"), truth = view(targets, "targets");
    const std::optional<Vector<double>> mass = weights_of(w);
    const EpochRows rows{x, truth, mass ? &*mass : nullptr};
    const Matrix<std::int64_t> turns = view(orders, "orders");
    const EpochOptions options = options_of(counts, rates);
    if (mask && static_cast<std::int64_t>(mask->shape(0)) != layers.parameters)
        refuse("mask must have an entry for each weight; it has ", mask->shape(0), " for ", layers.parameters,
               ".");
    const EpochState state{state_of(theta, layers, "theta"), state_of(first, layers, "first"),
                           state_of(second, layers, "second"), mask ? mask->data() : nullptr};
    Epochs out =
        unlocked([&] { return network_epochs(layers, rows, turns, options, state, single, threads); });
    return {give_vector(std::move(out.objective)), give_vector(std::move(out.mass)),
            give_matrix(std::move(out.theta), turns.rows, layers.parameters), out.steps};
}

double call_kalman(const Array2<double>& X, const Array2<double>& targets, const Weights& w,
                   const Array1<std::int64_t>& order, const Sizes& sizes, const Kinds& kinds,
                   const Array1<double>& numbers, double noise, double drift, const State1<double>& theta,
                   const State2<double>& covariance) {
    const Layers layers = layers_of(sizes, kinds, numbers);
    const Matrix<double> rows = view(X, "X"), truth = view(targets, "targets");
    const std::optional<Vector<double>> mass = weights_of(w);
    const Vector<std::int64_t> turns = view(order, "order");
    double* weights = state_of(theta, layers, "theta");
    check_aligned(covariance.data(), alignof(double), "covariance");
    const auto n = static_cast<std::size_t>(layers.parameters);
    if (covariance.shape(0) != n || covariance.shape(1) != n)
        refuse("covariance must have a row and a column for each of ", n, " weights; it has ",
               covariance.shape(0), " x ", covariance.shape(1), ".");
    return unlocked([&] {
        return network_kalman(layers, rows, truth, mass ? &*mass : nullptr, turns, noise, drift, weights,
                              covariance.data());
    });
}

// SciPy offers its BLAS to other modules as capsules named by the signature of the function.
template <class T>
Gemm<T> gemm_of(const nb::object& table, const char* name, const char* number) {
    const nb::object capsule = table[name];
    const char* signature = PyCapsule_GetName(capsule.ptr());
    if (signature == nullptr) return nullptr;
    const std::string text(signature);
    if (text.rfind("void (char *, char *, int *, int *, int *, ", 0) != 0) return nullptr;
    if (text.find(number) == std::string::npos) return nullptr;
    return reinterpret_cast<Gemm<T>>(PyCapsule_GetPointer(capsule.ptr(), signature));
}

bool call_use_blas() {
    const nb::object table = nb::module_::import_("scipy.linalg.cython_blas").attr("__pyx_capi__");
    const Gemm<double> of_doubles = gemm_of<double>(table, "dgemm", "_d *");
    const Gemm<float> of_floats = gemm_of<float>(table, "sgemm", "_s *");
    const bool usable = of_doubles != nullptr && of_floats != nullptr;
    if (usable) use_gemm(of_doubles, of_floats);
    return usable;
}

}  // namespace

void bind_network(nb::module_& module) {
    module.def("network_use_blas", &call_use_blas,
               "Multiply large matrices in networks by SciPy's BLAS; returns whether that is possible.");
    module.def("network_outputs", &call_outputs, nb::arg("X").noconvert(), nb::arg("sizes").noconvert(),
               nb::arg("kinds").noconvert(), nb::arg("numbers").noconvert(), nb::arg("theta").noconvert(),
               nb::arg("net"), nb::arg("threads"),
               "Outputs of a feed-forward network, or the net inputs of its output units.");
    module.def("network_gradient", &call_gradient, nb::arg("X").noconvert(), nb::arg("targets").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("sizes").noconvert(), nb::arg("kinds").noconvert(),
               nb::arg("numbers").noconvert(), nb::arg("theta").noconvert(),
               "Sum over rows of the cost of a network, and its gradient by the weights.");
    module.def("network_jacobian", &call_jacobian, nb::arg("X").noconvert(), nb::arg("sizes").noconvert(),
               nb::arg("kinds").noconvert(), nb::arg("numbers").noconvert(), nb::arg("theta").noconvert(),
               "Net inputs of the output units, and their derivatives by the weights.");
    module.def("network_epochs", &call_epochs, nb::arg("X").noconvert(), nb::arg("targets").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("orders").noconvert(), nb::arg("sizes").noconvert(),
               nb::arg("kinds").noconvert(), nb::arg("numbers").noconvert(), nb::arg("counts").noconvert(),
               nb::arg("rates").noconvert(), nb::arg("theta").noconvert(), nb::arg("first").noconvert(),
               nb::arg("second").noconvert(), nb::arg("mask").noconvert().none(), nb::arg("single"),
               nb::arg("threads"),
               "Train a network in mini-batches; returns sums of objectives, masses and weights of each "
               "pass, and steps.");
    module.def("network_kalman", &call_kalman, nb::arg("X").noconvert(), nb::arg("targets").noconvert(),
               nb::arg("w").noconvert().none(), nb::arg("order").noconvert(), nb::arg("sizes").noconvert(),
               nb::arg("kinds").noconvert(), nb::arg("numbers").noconvert(), nb::arg("noise"),
               nb::arg("drift"), nb::arg("theta").noconvert(), nb::arg("covariance").noconvert(),
               "Train a network by the extended Kalman filter; returns the sum of costs.");
}

}  // namespace hornbook
