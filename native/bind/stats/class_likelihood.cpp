#include "core/stats/class_likelihood.hpp"

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

Result2<double> call_gaussian(const Array2<double>& X, const Array2<double>& mean, const Array2<double>& var,
                              int threads) {
    const Matrix<double> rows = view(X, "X");
    const Matrix<double> means = view(mean, "mean");
    const Matrix<double> variances = view(var, "var");
    Buffer<double> out = unlocked([&] { return gaussian_joint(rows, means, variances, threads); });
    return give_matrix(std::move(out), rows.rows, means.rows);
}

Result2<double> call_table(const Array2<std::int32_t>& codes, const Array2<double>& log_table,
                           const Array1<std::int32_t>& n_levels, int threads) {
    const Matrix<std::int32_t> rows = view(codes, "codes");
    const Matrix<double> table = view(log_table, "log_table");
    const Vector<std::int32_t> levels = view(n_levels, "n_levels");
    Buffer<double> out = unlocked([&] { return table_joint(rows, table, levels, threads); });
    return give_matrix(std::move(out), rows.rows, table.rows);
}

}  // namespace

void bind_joint(nb::module_& module) {
    module.def("gaussian_joint", &call_gaussian, nb::arg("X").noconvert(), nb::arg("mean").noconvert(),
               nb::arg("var").noconvert(), nb::arg("threads"),
               "Log density of each row under the normal densities of each class; NaN cells are left out.");
    module.def("table_joint", &call_table, nb::arg("codes").noconvert(), nb::arg("log_table").noconvert(),
               nb::arg("n_levels").noconvert(), nb::arg("threads"),
               "Sum of each row's entries in the table of each class; codes of -1 are left out.");
}

}  // namespace hornbook
