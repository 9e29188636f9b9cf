#include "core/neighbors/nearest.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/distance/metric.hpp"
#include "bind/unlocked.hpp"
#include "core/neighbors/kdtree.hpp"
#include "core/neighbors/nearest_products.hpp"

namespace hornbook {

namespace {

using Numbers = Array2<double>;
using Codes = Array2<std::int32_t>;
using NearestResult = std::tuple<Result2<double>, Result2<std::int64_t>>;
using WithinResult = std::tuple<Result1<std::int64_t>, Result1<double>, Result1<std::int64_t>>;

NearestResult give_nearest(Nearest&& out, std::int64_t n_queries, std::int64_t k) {
    return {give_matrix(std::move(out.distances), n_queries, k),
            give_matrix(std::move(out.indices), n_queries, k)};
}

WithinResult give_within(Within&& out) {
    return {give_vector(std::move(out.offsets)), give_vector(std::move(out.distances)),
            give_vector(std::move(out.indices))};
}

Result2<double> call_pairwise(const Numbers& numbers, const Codes& codes, const Numbers& query_numbers,
                              const Codes& query_codes, double power, const Array1<double>& shares,
                              const Array1<double>& steps, const Array1<std::int32_t>& n_levels,
                              const Array2<double>& profiles, int threads) {
    const MixedRows rows = rows_of(numbers, codes);
    const MixedRows queries = rows_of(query_numbers, query_codes);
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    Buffer<double> out = unlocked([&] { return pairwise(rows, queries, metric, threads); });
    return give_matrix(std::move(out), queries.numbers.rows, rows.numbers.rows);
}

NearestResult call_nearest(const Numbers& numbers, const Codes& codes, const Numbers& query_numbers,
                           const Codes& query_codes, double power, const Array1<double>& shares,
                           const Array1<double>& steps, const Array1<std::int32_t>& n_levels,
                           const Array2<double>& profiles, std::int64_t k, int threads) {
    const MixedRows rows = rows_of(numbers, codes);
    const MixedRows queries = rows_of(query_numbers, query_codes);
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    Nearest out = unlocked([&] { return nearest_brute(rows, queries, metric, k, threads); });
    return give_nearest(std::move(out), queries.numbers.rows, k);
}

WithinResult call_within(const Numbers& numbers, const Codes& codes, const Numbers& query_numbers,
                         const Codes& query_codes, double power, const Array1<double>& shares,
                         const Array1<double>& steps, const Array1<std::int32_t>& n_levels,
                         const Array2<double>& profiles, double radius, int threads) {
    const MixedRows rows = rows_of(numbers, codes);
    const MixedRows queries = rows_of(query_numbers, query_codes);
    const Metric metric = metric_of(power, shares, steps, n_levels, profiles);
    Within out = unlocked([&] { return within_brute(rows, queries, metric, radius, threads); });
    return give_within(std::move(out));
}

NearestResult call_products(const Array2<double>& rows, const Array2<double>& queries, std::int64_t k,
                            int threads) {
    const Matrix<double> points = view(rows, "rows");
    const Matrix<double> query_rows = view(queries, "queries");
    Nearest out = unlocked([&] { return nearest_products(points, query_rows, k, threads); });
    return give_nearest(std::move(out), query_rows.rows, k);
}

std::tuple<Result1<std::int64_t>, Result2<double>> call_build(const Array2<double>& rows, int threads) {
    const Matrix<double> points = view(rows, "rows");
    Tree tree = unlocked([&] { return kd_build(points, threads); });
    const std::int64_t width = box_numbers * points.cols;
    const std::int64_t nodes = tree.boxes.size() / width;
    return {give_vector(std::move(tree.order)), give_matrix(std::move(tree.boxes), nodes, width)};
}

NearestResult call_kd_nearest(const Array2<double>& rows, const Array1<std::int64_t>& order,
                              const Array2<double>& boxes, const Array2<double>& queries, double power,
                              std::int64_t k, int threads) {
    const Matrix<double> points = view(rows, "rows");
    const TreeView tree{view(order, "order"), view(boxes, "boxes")};
    const Matrix<double> query_rows = view(queries, "queries");
    Nearest out = unlocked([&] { return kd_nearest(points, tree, query_rows, power, k, threads); });
    return give_nearest(std::move(out), query_rows.rows, k);
}

WithinResult call_kd_within(const Array2<double>& rows, const Array1<std::int64_t>& order,
                            const Array2<double>& boxes, const Array2<double>& queries, double power,
                            double radius, int threads) {
    const Matrix<double> points = view(rows, "rows");
    const TreeView tree{view(order, "order"), view(boxes, "boxes")};
    const Matrix<double> query_rows = view(queries, "queries");
    Within out = unlocked([&] { return kd_within(points, tree, query_rows, power, radius, threads); });
    return give_within(std::move(out));
}

void bind_brute(nb::module_& module) {
    module.def("pairwise", &call_pairwise, nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
               nb::arg("query_numbers").noconvert(), nb::arg("query_codes").noconvert(), nb::arg("power"),
               nb::arg("shares").noconvert(), nb::arg("steps").noconvert(), nb::arg("n_levels").noconvert(),
               nb::arg("profiles").noconvert(), nb::arg("threads"), "Distances from each query to each row.");
    module.def("nearest_brute", &call_nearest, nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
               nb::arg("query_numbers").noconvert(), nb::arg("query_codes").noconvert(), nb::arg("power"),
               nb::arg("shares").noconvert(), nb::arg("steps").noconvert(), nb::arg("n_levels").noconvert(),
               nb::arg("profiles").noconvert(), nb::arg("k"), nb::arg("threads"),
               "The k nearest rows of each query; of two as near, the one with the lower index.");
    module.def("within_brute", &call_within, nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
               nb::arg("query_numbers").noconvert(), nb::arg("query_codes").noconvert(), nb::arg("power"),
               nb::arg("shares").noconvert(), nb::arg("steps").noconvert(), nb::arg("n_levels").noconvert(),
               nb::arg("profiles").noconvert(), nb::arg("radius"), nb::arg("threads"),
               "All rows within a radius of each query: offsets, distances and indices.");
    module.def("nearest_products", &call_products, nb::arg("rows").noconvert(),
               nb::arg("queries").noconvert(), nb::arg("k"), nb::arg("threads"),
               "The k nearest rows of each query by Euclidean distance, most ruled out by products.");
}

}  // namespace

void bind_nearest(nb::module_& module) {
    bind_brute(module);
    module.def("kd_build", &call_build, nb::arg("rows").noconvert(), nb::arg("threads"),
               "A k-d tree: the order of the rows and the box of each node.");
    module.def("kd_nearest", &call_kd_nearest, nb::arg("rows").noconvert(), nb::arg("order").noconvert(),
               nb::arg("boxes").noconvert(), nb::arg("queries").noconvert(), nb::arg("power"), nb::arg("k"),
               nb::arg("threads"), "The k nearest rows of each query, by a tree.");
    module.def("kd_within", &call_kd_within, nb::arg("rows").noconvert(), nb::arg("order").noconvert(),
               nb::arg("boxes").noconvert(), nb::arg("queries").noconvert(), nb::arg("power"),
               nb::arg("radius"), nb::arg("threads"), "All rows within a radius of each query, by a tree.");
}

}  // namespace hornbook
