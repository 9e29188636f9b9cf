#include "core/stats/class_scatter.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/linear/scatter_tile.hpp"
#include "core/stats/levels.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

void check(const Matrix<double>& x, const Matrix<double>* beside, const Vector<std::int32_t>& y,
           const Vector<double>* w, std::int64_t n_classes) {
    check_class_count(n_classes);
    if (beside != nullptr && beside->rows != x.rows)
        refuse("beside must have as many rows as X; it has ", beside->rows, " for ", x.rows, " rows.");
    if (y.size != x.rows)
        refuse("y must have one entry per row of X; it has ", y.size, " for ", x.rows, " rows.");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    for (std::int64_t i = 0; i < y.size; ++i)
        if (y.data[i] < 0 || y.data[i] >= n_classes)
            refuse("y must hold classes from 0 to ", n_classes - 1, "; row ", i, " has ", y.data[i], ".");
    for (std::int64_t i = 0; w != nullptr && i < w->size; ++i)
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
}

double weight_of(const Vector<double>* w, std::int64_t i) { return w == nullptr ? 1.0 : w->data[i]; }

// sum += weight * (row - from)
HORNBOOK_WIDE void add_difference(const double* __restrict row, const double* __restrict from, double weight,
                                  std::int64_t cols, double* __restrict sum) {
    for (std::int64_t j = 0; j < cols; ++j) sum[j] += weight * (row[j] - from[j]);
}

// Sums are taken of differences to the first row of the class, so that a large mean costs no digits (shifted
// data, Chan, Golub and LeVeque 1983).
void add_means(const Matrix<double>& x, const Matrix<double>& beside, const Vector<std::int32_t>& y,
               const Vector<double>* w, std::int64_t n_classes, ClassScatter& out) {
    const std::int64_t cols = x.cols + beside.cols;
    Buffer<std::int64_t> first(n_classes, 1, -1);
    Pace pace;
    for (std::int64_t i = 0; i < x.rows; ++i) {
        pace.spend(cols);
        const double weight = weight_of(w, i);
        if (weight == 0.0) continue;
        const std::int64_t c = y.data[i];
        if (first[c] < 0) first[c] = i;
        out.mass[c] += weight;
        double* sum = out.mean.data() + c * cols;
        add_difference(x.row(i), x.row(first[c]), weight, x.cols, sum);
        for (std::int64_t j = 0; j < beside.cols; ++j)
            sum[x.cols + j] += weight * (beside.row(i)[j] - beside.row(first[c])[j]);
    }
    for (std::int64_t c = 0; c < n_classes; ++c) {
        if (first[c] < 0) continue;
        double* sum = out.mean.data() + c * cols;
        for (std::int64_t j = 0; j < cols; ++j) {
            const double from = j < x.cols ? x.row(first[c])[j] : beside.row(first[c])[j - x.cols];
            sum[j] = from + sum[j] / out.mass[c];
        }
    }
}

}  // namespace

ClassScatter class_scatter(const Matrix<double>& x, const Matrix<double>* more, const Vector<std::int32_t>& y,
                           const Vector<double>* w, std::int64_t n_classes) {
    check(x, more, y, w, n_classes);
    const Matrix<double> beside = more == nullptr ? Matrix<double>{nullptr, x.rows, 0} : *more;
    const std::int64_t cols = x.cols + beside.cols;
    ClassScatter out{Buffer<double>(n_classes, 1, 0.0), Buffer<double>(n_classes, cols, 0.0),
                     Buffer<double>(cols, cols)};
    add_means(x, beside, y, w, n_classes, out);
    ScatterTile tile(cols);
    for (std::int64_t i = 0; i < x.rows; ++i) {
        const double root = w == nullptr ? 1.0 : std::sqrt(w->data[i]);
        const double* mean = out.mean.data() + y.data[i] * cols;
        tile.put(0, x.row(i), mean, x.cols, root);
        if (beside.cols > 0) tile.put(x.cols, beside.row(i), mean + x.cols, beside.cols, root);
        tile.next_row();
    }
    tile.finish(out.within.data());
    return out;
}

}  // namespace hornbook
