#include "core/svm/linear/linear_descent.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/svm/sparse_view.hpp"
#include "bind/unlocked.hpp"
#include "core/svm/linear/joint_descent.hpp"

namespace hornbook {

namespace {

using Answer = std::tuple<double, std::int64_t>;

Answer run(const LinearRows& rows, std::int64_t n_values, const LinearTerms& terms,
           const State1<double>& values, const State1<double>& weights, const State1<std::int64_t>& order,
           std::int64_t n_active, double shrink_above, std::uint64_t seed, std::uint64_t pass) {
    double* b = state(values, rows.rows, "values");
    double* w = state(weights, rows.cols + 1, "weights");
    std::int64_t* places = state(order, rows.rows, "order");
    const LinearPass out = unlocked([&] {
        check_table(rows, n_values);
        return linear_descent_pass(rows, terms, b, w, places, n_active, shrink_above, seed, pass);
    });
    return {out.violation, out.active};
}

Answer call_dense(const Array2<double>& X, double constant, const Array1<double>& low,
                  const Array1<double>& high, const Array1<double>& target, const Array1<double>& ridge,
                  double width, const State1<double>& values, const State1<double>& weights,
                  const State1<std::int64_t>& order, std::int64_t n_active, double shrink_above,
                  std::uint64_t seed, std::uint64_t pass) {
    const Matrix<double> x = view(X, "X");
    const LinearRows rows{table_rows(x), constant};
    const LinearTerms terms{view(low, "low"), view(high, "high"), view(target, "target"),
                            view(ridge, "ridge"), width};
    return run(rows, 0, terms, values, weights, order, n_active, shrink_above, seed, pass);
}

Answer call_sparse(const Array1<double>& stored, const Array1<std::int32_t>& columns,
                   const Array1<std::int64_t>& offsets, std::int64_t n_columns, double constant,
                   const Array1<double>& low, const Array1<double>& high, const Array1<double>& target,
                   const Array1<double>& ridge, double width, const State1<double>& values,
                   const State1<double>& weights, const State1<std::int64_t>& order, std::int64_t n_active,
                   double shrink_above, std::uint64_t seed, std::uint64_t pass) {
    const LinearRows rows{sparse_view(stored, columns, offsets, n_columns), constant};
    const LinearTerms terms{view(low, "low"), view(high, "high"), view(target, "target"),
                            view(ridge, "ridge"), width};
    return run(rows, static_cast<std::int64_t>(stored.shape(0)), terms, values, weights, order, n_active,
               shrink_above, seed, pass);
}

Answer call_joint(const Array1<double>& stored, const Array1<std::int32_t>& columns,
                  const Array1<std::int64_t>& offsets, std::int64_t n_columns, double constant,
                  const Array1<std::int64_t>& y, const Array1<double>& costs, std::int64_t n_classes,
                  const State1<double>& values, const State1<double>& weights,
                  const State1<std::int64_t>& order, std::int64_t n_active, double shrink_above,
                  std::uint64_t seed, std::uint64_t pass) {
    const LinearRows rows{sparse_view(stored, columns, offsets, n_columns), constant};
    if (n_classes < 2) refuse("n_classes must be at least 2; got ", n_classes, ".");
    double* a = state(values, checked_product(rows.rows, n_classes), "values");
    double* w = state(weights, checked_product(rows.cols + 1, n_classes), "weights");
    std::int64_t* places = state(order, rows.rows, "order");
    const Vector<std::int64_t> codes = view(y, "y");
    const Vector<double> bounds = view(costs, "costs");
    const LinearPass out = unlocked([&] {
        check_table(rows, static_cast<std::int64_t>(stored.shape(0)));
        return joint_descent_pass(rows, codes, bounds, n_classes, a, w, places, n_active, shrink_above, seed,
                                  pass);
    });
    return {out.violation, out.active};
}

}  // namespace

void bind_linear_descent(nb::module_& module) {
    module.def("linear_descent_pass", &call_dense, nb::arg("X").noconvert(), nb::arg("constant"),
               nb::arg("low").noconvert(), nb::arg("high").noconvert(), nb::arg("target").noconvert(),
               nb::arg("ridge").noconvert(), nb::arg("width"), nb::arg("values").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("order").noconvert(), nb::arg("n_active"),
               nb::arg("shrink_above"), nb::arg("seed"), nb::arg("number"),
               "One pass of dual coordinate descent, in place; largest violation, and rows left.");
    module.def("sparse_descent_pass", &call_sparse, nb::arg("stored").noconvert(),
               nb::arg("columns").noconvert(), nb::arg("offsets").noconvert(), nb::arg("n_columns"),
               nb::arg("constant"), nb::arg("low").noconvert(), nb::arg("high").noconvert(),
               nb::arg("target").noconvert(), nb::arg("ridge").noconvert(), nb::arg("width"),
               nb::arg("values").noconvert(), nb::arg("weights").noconvert(), nb::arg("order").noconvert(),
               nb::arg("n_active"), nb::arg("shrink_above"), nb::arg("seed"), nb::arg("number"),
               "The same on sparse rows.");
    module.def(
        "joint_descent_pass", &call_joint, nb::arg("stored").noconvert(), nb::arg("columns").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("n_columns"), nb::arg("constant"), nb::arg("y").noconvert(),
        nb::arg("costs").noconvert(), nb::arg("n_classes"), nb::arg("values").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("order").noconvert(), nb::arg("n_active"),
        nb::arg("shrink_above"), nb::arg("seed"), nb::arg("number"),
        "One pass of dual descent for all classes at once, in place; largest violation, and rows left.");
}

}  // namespace hornbook
