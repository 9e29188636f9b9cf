#include "core/svm/linear_descent.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/svm/sparse_view.hpp"
#include "bind/unlocked.hpp"

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
}

}  // namespace hornbook
