#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"
#include "core/kmeans/center_bounds.hpp"
#include "core/kmeans/center_moves.hpp"
#include "core/kmeans/centers.hpp"
#include "core/kmeans/lloyd.hpp"
#include "core/kmeans/plus_plus.hpp"

namespace hornbook {

namespace {

using Bounds = std::optional<Array1<float>>;
using NewBounds = std::optional<State1<float>>;

const float* bounds_of(const Bounds& bounds, std::int64_t rows, const char* name) {
    if (!bounds) return nullptr;
    const Vector<float> numbers = view(*bounds, name);
    if (numbers.size != rows)
        refuse(name, " must have one entry per row; it has ", numbers.size, " for ", rows, " rows.");
    return numbers.data;
}

Result1<double> call_pass(const Array2<double>& X, const std::optional<Array1<double>>& w,
                          const std::optional<Array1<float>>& tiles, const Array2<double>& centers,
                          const Array1<double>& origin, const Array2<double>& moves,
                          const Array1<std::int32_t>& labels, const Bounds& lower, const Bounds& upper,
                          const State1<std::int32_t>& new_labels, const NewBounds& new_lower,
                          const NewBounds& new_upper, bool gaps, bool changes, int threads) {
    const Matrix<double> x = view(X, "X");
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    if (weights && weights->size != x.rows)
        refuse("w must have one entry per row of X; it has ", weights->size, " for ", x.rows, " rows.");
    const Matrix<double> places = view(centers, "centers");
    const Vector<double> zero = view(origin, "origin");
    const Matrix<double> moved = view(moves, "moves");
    const std::int64_t size = checked_product(tile_count(x.rows), tile_size(x.cols));
    if (tiles && view(*tiles, "tiles").size != size)
        refuse("tiles must have ", size, " entries for these rows; they have ", tiles->size(), ".");
    if (view(labels, "labels").size != x.rows)
        refuse("labels must have one entry per row; it has ", labels.size(), " for ", x.rows, " rows.");
    if (!lower != !upper || !lower != !new_lower || !lower != !new_upper)
        refuse("lower, upper, new_lower and new_upper must be given together or not at all.");
    const RowState row_state{labels.data(),
                             bounds_of(lower, x.rows, "lower"),
                             bounds_of(upper, x.rows, "upper"),
                             state(new_labels, x.rows, "new_labels"),
                             new_lower ? state(*new_lower, x.rows, "new_lower") : nullptr,
                             new_upper ? state(*new_upper, x.rows, "new_upper") : nullptr};
    const LloydRows rows{x, weights ? weights->data : nullptr, tiles ? tiles->data() : nullptr, gaps};
    Buffer<double> out = unlocked([&] {
        return lloyd_pass(rows, places, zero, moved, row_state, changes ? Sum::changes : Sum::all, threads);
    });
    return give_vector(std::move(out));
}

Result2<double> call_moves(const Array2<double>& centers, const std::optional<Array2<double>>& before,
                           bool gaps, int threads) {
    const Matrix<double> places = view(centers, "centers");
    const std::optional<Matrix<double>> old = before ? std::optional(view(*before, "before")) : std::nullopt;
    Buffer<double> out = unlocked([&] { return center_moves(places, old ? &*old : nullptr, gaps, threads); });
    return give_matrix(std::move(out), 3, places.rows);
}

Result1<float> call_tiles(const Array2<double>& X, const Array1<double>& origin, int threads) {
    const Matrix<double> x = view(X, "X");
    const Vector<double> zero = view(origin, "origin");
    return give_vector(unlocked([&] { return float_tiles(x, zero, threads); }));
}

std::int64_t call_candidate(const Array2<double>& X, const Array1<double>& w, const Array1<float>& tiles,
                            const Array1<double>& origin, const State1<double>& closest,
                            const Array2<double>& candidates, int threads) {
    const StartRows rows{view(X, "X"), view(w, "w"), view(tiles, "tiles"), view(origin, "origin")};
    double* near = state(closest, rows.x.rows, "closest");
    const Matrix<double> places = view(candidates, "candidates");
    return unlocked([&] { return closest_candidate(rows, near, places, threads); });
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
    module.def(
        "lloyd_pass", &call_pass, nb::arg("X").noconvert(), nb::arg("w").noconvert().none(),
        nb::arg("tiles").noconvert().none(), nb::arg("centers").noconvert(), nb::arg("origin").noconvert(),
        nb::arg("moves").noconvert(), nb::arg("labels").noconvert(), nb::arg("lower").noconvert().none(),
        nb::arg("upper").noconvert().none(), nb::arg("new_labels").noconvert(),
        nb::arg("new_lower").noconvert().none(), nb::arg("new_upper").noconvert().none(), nb::arg("gaps"),
        nb::arg("changes"), nb::arg("threads"),
        "Nearest center of each row: writes new labels and bounds and returns the sums from which the new "
        "centers are computed, or the changes of these sums.");
    module.def("center_moves", &call_moves, nb::arg("centers").noconvert(),
               nb::arg("before").noconvert().none(), nb::arg("gaps"), nb::arg("threads"),
               "For each center the largest move of another one, half the distance to the nearest, and its "
               "own move.");
    module.def("float_tiles", &call_tiles, nb::arg("X").noconvert(), nb::arg("origin").noconvert(),
               nb::arg("threads"), "Rows in single precision, measured from the origin, in tiles.");
    module.def("closest_candidate", &call_candidate, nb::arg("X").noconvert(), nb::arg("w").noconvert(),
               nb::arg("tiles").noconvert(), nb::arg("origin").noconvert(), nb::arg("closest").noconvert(),
               nb::arg("candidates").noconvert(), nb::arg("threads"),
               "The candidate that lowers the sum of weight times closest square distance most; it is taken, "
               "and `closest` changed.");
    module.def("nearest_centers", &call_nearest, nb::arg("X").noconvert(), nb::arg("centers").noconvert(),
               nb::arg("threads"), "Nearest center of each row and the square of its distance.");
    module.def("square_distances", &call_squares, nb::arg("X").noconvert(), nb::arg("centers").noconvert(),
               nb::arg("threads"),
               "Square distances from all rows to all centers; missing cells are left out.");
}

}  // namespace hornbook
