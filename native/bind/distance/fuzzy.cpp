#include "core/distance/fuzzy.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

// Clusters as the kernels want them.
FuzzyClusters clusters_of(const Array2<double>& centers, const std::optional<Array2<double>>& factors,
                          double exponent, int sharing, const Array1<double>& scales) {
    const Matrix<double> places = view(centers, "centers");
    const std::optional<Matrix<double>> matrices =
        factors ? std::optional(view(*factors, "factors")) : std::nullopt;
    if (matrices &&
        (matrices->rows != places.rows || matrices->cols != checked_product(places.cols, places.cols)))
        refuse("factors must have one row per center, and columns for a square matrix; got shape (",
               matrices->rows, ", ", matrices->cols, ").");
    if (sharing < 0 || sharing > 2) refuse("sharing must be 0, 1 or 2; got ", sharing, ".");
    return {places, matrices ? matrices->data : nullptr, exponent, static_cast<Sharing>(sharing),
            view(scales, "scales")};
}

Result1<double> call_sums(const Array2<double>& X, const std::optional<Array1<double>>& w,
                          const Array2<double>& centers, const std::optional<Array2<double>>& factors,
                          double exponent, int sharing, const Array1<double>& scales, bool gaps,
                          bool shapes) {
    const Matrix<double> rows = view(X, "X");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const FuzzyClusters clusters = clusters_of(centers, factors, exponent, sharing, scales);
    Buffer<double> out =
        unlocked([&] { return fuzzy_sums(rows, weights ? &*weights : nullptr, clusters, gaps, shapes); });
    return give_vector(std::move(out));
}

std::tuple<Result2<double>, Result1<std::int32_t>> call_memberships(
    const Array2<double>& X, const Array2<double>& centers, const std::optional<Array2<double>>& factors,
    double exponent, int sharing, const Array1<double>& scales, bool gaps) {
    const Matrix<double> rows = view(X, "X");
    const FuzzyClusters clusters = clusters_of(centers, factors, exponent, sharing, scales);
    Memberships out = unlocked([&] { return fuzzy_memberships(rows, clusters, gaps); });
    return {give_matrix(std::move(out.degrees), rows.rows, clusters.centers.rows),
            give_vector(std::move(out.labels))};
}

}  // namespace

void bind_fuzzy(nb::module_& module) {
    module.def("fuzzy_sums", &call_sums, nb::arg("X").noconvert(), nb::arg("w").noconvert().none(),
               nb::arg("centers").noconvert(), nb::arg("factors").noconvert().none(), nb::arg("exponent"),
               nb::arg("sharing"), nb::arg("scales").noconvert(), nb::arg("gaps"), nb::arg("shapes"),
               "Memberships of rows in clusters, and the sums from which the next clusters are computed.");
    module.def("fuzzy_memberships", &call_memberships, nb::arg("X").noconvert(),
               nb::arg("centers").noconvert(), nb::arg("factors").noconvert().none(), nb::arg("exponent"),
               nb::arg("sharing"), nb::arg("scales").noconvert(), nb::arg("gaps"),
               "Memberships of rows in clusters, and the cluster with the greatest.");
}

}  // namespace hornbook
