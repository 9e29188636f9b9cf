#include "core/svm/smo.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <set>
#include <tuple>
#include <variant>
#include <vector>

#include "bind/convert.hpp"
#include "bind/svm/sparse_view.hpp"
#include "bind/unlocked.hpp"
#include "core/base/parallel.hpp"
#include "core/svm/dual_ascent.hpp"
#include "core/svm/smo_pairs.hpp"

namespace hornbook {

namespace {

template <class T>
std::vector<T> copied(const Array1<T>& array, const char* name) {
    const Vector<T> numbers = view(array, name);
    return {numbers.data, numbers.data + numbers.size};
}

Result1<double> given(const std::vector<double>& numbers) {
    Buffer<double> out(static_cast<std::int64_t>(numbers.size()));
    std::copy(numbers.begin(), numbers.end(), out.data());
    return give_vector(std::move(out));
}

// A table as Python passes it: a matrix, or the three arrays of a sparse one and the number of its columns.
using SparseTable = std::tuple<Array1<double>, Array1<std::int32_t>, Array1<std::int64_t>, std::int64_t>;
using Table = std::variant<Array2<double>, SparseTable>;

TableRows rows_of(const Table& table, const char* name) {
    if (const auto* matrix = std::get_if<Array2<double>>(&table)) return table_rows(view(*matrix, name));
    const auto& [stored, columns, offsets, n_columns] = std::get<SparseTable>(table);
    const TableRows rows = sparse_view(stored, columns, offsets, n_columns);
    check_table(rows, static_cast<std::int64_t>(stored.shape(0)));
    return rows;
}

// A solver and the table it reads.
struct OwnedSolver {
    Table table;
    SmoSolver solver;
};

OwnedSolver* make(const Table& table, int kind, double gamma, double coef0, std::int64_t degree,
                  const Array1<std::int64_t>& rows, const Array1<std::int64_t>& row_of,
                  const Array1<double>& low, const Array1<double>& high, const Array1<double>& linear,
                  const Array1<double>& ridge, const Array1<double>& start, double tol,
                  std::int64_t max_steps, std::int64_t cache_bytes, bool shrinking, int threads) {
    SmoProblem problem{copied(rows, "rows"),  copied(row_of, "row_of"), copied(low, "low"),
                       copied(high, "high"),  copied(linear, "linear"), copied(ridge, "ridge"),
                       copied(start, "start")};
    const TableRows numbers = rows_of(table, "table");
    const KernelSpec spec = kernel_spec(kind, gamma, coef0, degree);
    return unlocked([&] {
        return new OwnedSolver{table, SmoSolver(numbers, spec, std::move(problem),
                                                {tol, max_steps, cache_bytes, shrinking}, threads)};
    });
}

// Several problems side by side, each to its end on one thread.
void run_all(const std::vector<OwnedSolver*>& solvers, int threads) {
    const std::set<OwnedSolver*> distinct(solvers.begin(), solvers.end());
    if (distinct.size() < solvers.size() || distinct.contains(nullptr))
        refuse("solvers must be different ones, and none of them None.");
    unlocked([&] {
        parallel_for(static_cast<std::int64_t>(solvers.size()), threads, [&](std::int64_t i) {
            SmoSolver& solver = solvers[static_cast<std::size_t>(i)]->solver;
            while (solver.run(16, 1)) {
            }
        });
    });
}

std::tuple<Result1<double>, Result1<double>, Result2<double>> call_pairs(
    const Table& table, int kind, double gamma, double coef0, std::int64_t degree,
    const Array1<std::int64_t>& starts, const Array1<std::int64_t>& rows, const Array1<double>& signs,
    const Array1<double>& costs, const Array1<double>& values, bool squared, double tol,
    std::int64_t max_steps, std::int64_t cache_bytes, bool shrinking, int threads) {
    const TableRows numbers = rows_of(table, "table");
    const PairProblems problems{view(starts, "starts"), view(rows, "rows"),     view(signs, "signs"),
                                view(costs, "costs"),   view(values, "values"), squared};
    const KernelSpec spec = kernel_spec(kind, gamma, coef0, degree);
    PairSolutions out = unlocked([&] {
        return solve_pairs(numbers, spec, problems, {tol, max_steps, cache_bytes, shrinking}, threads);
    });
    return {give_vector(std::move(out.values)), give_vector(std::move(out.sums)),
            give_matrix(std::move(out.facts), problems.starts.size - 1, PairSolutions::n_facts)};
}

Result2<double> call_sums(const Table& queries, const Table& rows, int kind, double gamma, double coef0,
                          std::int64_t degree, const Array2<double>& coef, const Array1<std::int64_t>& starts,
                          int threads) {
    const TableRows x = rows_of(queries, "queries");
    const TableRows y = rows_of(rows, "rows");
    const Matrix<double> weights = view(coef, "coef");
    const Vector<std::int64_t> cuts = view(starts, "starts");
    const KernelSpec spec = kernel_spec(kind, gamma, coef0, degree);
    Buffer<double> out = unlocked([&] { return kernel_sums(x, y, spec, weights, cuts, threads); });
    return give_matrix(std::move(out), x.rows, weights.rows * (cuts.size - 1));
}

Result2<double> call_values(const Table& queries, const Table& rows, int kind, double gamma, double coef0,
                            std::int64_t degree, int threads) {
    const TableRows x = rows_of(queries, "queries");
    const TableRows y = rows_of(rows, "rows");
    const KernelSpec spec = kernel_spec(kind, gamma, coef0, degree);
    Buffer<double> out = unlocked([&] { return kernel_values(x, y, spec, threads); });
    return give_matrix(std::move(out), x.rows, y.rows);
}

double call_ascent(const Array2<double>& kernel, const Array1<double>& signs, const Array1<double>& high,
                   const State1<double>& values, const State1<double>& sums) {
    const Matrix<double> table = view(kernel, "kernel");
    const Vector<double> sides = view(signs, "signs");
    const Vector<double> bounds = view(high, "high");
    double* a = state(values, table.rows, "values");
    double* f = state(sums, table.rows, "sums");
    return unlocked([&] { return ascent_pass(table, sides, bounds, a, f).change; });
}

}  // namespace

void bind_smo(nb::module_& module) {
    nb::class_<OwnedSolver>(module, "SmoSolver", "Quadratic program of a support vector machine.")
        .def(
            "run",
            [](OwnedSolver& self, std::int64_t rounds, int threads) {
                return unlocked([&] { return self.solver.run(rounds, threads); });
            },
            nb::arg("rounds"), nb::arg("threads"),
            "Go on for some rounds; false when there is no more to do.")
        .def(
            "settle", [](OwnedSolver& self, int threads) { unlocked([&] { self.solver.settle(threads); }); },
            nb::arg("threads"), "Bring all rows up to date after an early end.")
        .def_prop_ro("status", [](const OwnedSolver& self) { return static_cast<int>(self.solver.status()); })
        .def_prop_ro("steps", [](const OwnedSolver& self) { return self.solver.steps(); })
        .def_prop_ro("indefinite", [](const OwnedSolver& self) { return self.solver.indefinite(); })
        .def_prop_ro("violation", [](const OwnedSolver& self) { return self.solver.violation(); })
        .def_prop_ro("bias", [](const OwnedSolver& self) { return self.solver.bias(); })
        .def_prop_ro("dual", [](const OwnedSolver& self) { return self.solver.objective().dual; })
        .def_prop_ro("gap", [](const OwnedSolver& self) { return self.solver.objective().gap; })
        .def("values", [](const OwnedSolver& self) { return given(self.solver.values()); })
        .def("sums", [](const OwnedSolver& self) { return given(self.solver.sums()); });
    module.def("smo_solver", &make, nb::arg("table").noconvert(), nb::arg("kind"), nb::arg("gamma"),
               nb::arg("coef0"), nb::arg("degree"), nb::arg("rows").noconvert(),
               nb::arg("row_of").noconvert(), nb::arg("low").noconvert(), nb::arg("high").noconvert(),
               nb::arg("linear").noconvert(), nb::arg("ridge").noconvert(), nb::arg("start").noconvert(),
               nb::arg("tol"), nb::arg("max_steps"), nb::arg("cache_bytes"), nb::arg("shrinking"),
               nb::arg("threads"), nb::rv_policy::take_ownership, "A solver at its start.");
    module.def("smo_run_all", &run_all, nb::arg("solvers"), nb::arg("threads"), "Run solvers to their end.");
    module.def("smo_pairs", &call_pairs, nb::arg("table").noconvert(), nb::arg("kind"), nb::arg("gamma"),
               nb::arg("coef0"), nb::arg("degree"), nb::arg("starts").noconvert(),
               nb::arg("rows").noconvert(), nb::arg("signs").noconvert(), nb::arg("costs").noconvert(),
               nb::arg("values").noconvert(), nb::arg("squared"), nb::arg("tol"), nb::arg("max_steps"),
               nb::arg("cache_bytes"), nb::arg("shrinking"), nb::arg("threads"),
               "Solve problems of two classes to their end: multipliers, kernel sums, and facts of each.");
    module.def("kernel_values", &call_values, nb::arg("queries").noconvert(), nb::arg("rows").noconvert(),
               nb::arg("kind"), nb::arg("gamma"), nb::arg("coef0"), nb::arg("degree"), nb::arg("threads"),
               "Kernel value of each query with each row.");
    module.def("ascent_pass", &call_ascent, nb::arg("kernel").noconvert(), nb::arg("signs").noconvert(),
               nb::arg("high").noconvert(), nb::arg("values").noconvert(), nb::arg("sums").noconvert(),
               "One pass of gradient ascent on the dual, in place; the length of the change.");
    module.def("kernel_sums", &call_sums, nb::arg("queries").noconvert(), nb::arg("rows").noconvert(),
               nb::arg("kind"), nb::arg("gamma"), nb::arg("coef0"), nb::arg("degree"),
               nb::arg("coef").noconvert(), nb::arg("starts").noconvert(), nb::arg("threads"),
               "Weighted sums of kernel values of each query with segments of rows.");
}

}  // namespace hornbook
