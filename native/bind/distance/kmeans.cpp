#include "core/distance/kmeans.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/distance/centers.hpp"

namespace hornbook {

namespace {

Result1<double> call_pass(const Array2<double>& X, const std::optional<Array1<double>>& w,
                          const Array2<double>& centers, const Array1<double>& origin,
                          const Array1<double>& reach, const Array1<double>& near,
                          const Array1<std::int32_t>& labels, const Array1<float>& lower,
                          const State1<std::int32_t>& new_labels, const State1<float>& new_lower, bool gaps,
                          int threads) {
    const Matrix<double> rows = view(X, "X");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const Matrix<double> places = view(centers, "centers");
    const Vector<double> zero = view(origin, "origin");
    const CenterMoves moves{view(reach, "reach"), view(near, "near")};
    if (view(labels, "labels").size != rows.rows)
        refuse("labels must have one entry per row; it has ", labels.size(), " for ", rows.rows, " rows.");
    if (view(lower, "lower").size != rows.rows)
        refuse("lower must have one entry per row; it has ", lower.size(), " for ", rows.rows, " rows.");
    const RowState row_state{labels.data(), lower.data(), state(new_labels, rows.rows, "new_labels"),
                             state(new_lower, rows.rows, "new_lower")};
    Buffer<double> out = unlocked([&] {
        return lloyd_pass(rows, weights ? &*weights : nullptr, places, zero, moves, row_state, gaps, threads);
    });
    return give_vector(std::move(out));
}

std::tuple<Result1<double>, Result1<double>> call_moves(const Array2<double>& centers,
                                                        const std::optional<Array2<double>>& before,
                                                        bool gaps, int threads) {
    const Matrix<double> places = view(centers, "centers");
    const std::optional<Matrix<double>> old = before ? std::optional(view(*before, "before")) : std::nullopt;
    MovesSince out = unlocked([&] { return center_moves(places, old ? &*old : nullptr, gaps, threads); });
    return {give_vector(std::move(out.reach)), give_vector(std::move(out.near))};
}

std::tuple<Result1<std::int32_t>, Result1<double>> call_nearest(const Array2<double>& X,
                                                                const Array2<double>& centers, int threads) {
    const Matrix<double> rows = view(X, "X");
    const Matrix<double> places = view(centers, "centers");
    Assignment out = unlocked([&] { return nearest_centers(rows, places, threads); });
    return {give_vector(std::move(out.labels)), give_vector(std::move(out.squares))};
}

Result2<double> call_squares(const Array2<double>& X, const Array2<double>& centers, int threads) {
    const Matrix<double> rows = view(X, "X");
    const Matrix<double> places = view(centers, "centers");
    Buffer<double> out = unlocked([&] { return square_distances(rows, places, threads); });
    return give_matrix(std::move(out), rows.rows, places.rows);
}

}  // namespace

void bind_kmeans(nb::module_& module) {
    module.def("lloyd_pass", &call_pass, nb::arg("X").noconvert(), nb::arg("w").noconvert().none(),
               nb::arg("centers").noconvert(), nb::arg("origin").noconvert(), nb::arg("reach").noconvert(),
               nb::arg("near").noconvert(), nb::arg("labels").noconvert(), nb::arg("lower").noconvert(),
               nb::arg("new_labels").noconvert(), nb::arg("new_lower").noconvert(), nb::arg("gaps"),
               nb::arg("threads"),
               "Nearest center of each row: writes new labels and lower bounds and returns the sums from "
               "which the new centers are computed.");
    module.def("center_moves", &call_moves, nb::arg("centers").noconvert(),
               nb::arg("before").noconvert().none(), nb::arg("gaps"), nb::arg("threads"),
               "For each center the largest move of another one, and half the distance to the nearest.");
    module.def("nearest_centers", &call_nearest, nb::arg("X").noconvert(), nb::arg("centers").noconvert(),
               nb::arg("threads"), "Nearest center of each row and the square of its distance.");
    module.def("square_distances", &call_squares, nb::arg("X").noconvert(), nb::arg("centers").noconvert(),
               nb::arg("threads"),
               "Square distances from all rows to all centers; missing cells are left out.");
}

}  // namespace hornbook
