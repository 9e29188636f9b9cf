#include "core/linear/row_scatter.hpp"

#include <algorithm>

#include "core/base/refuse.hpp"
#include "core/linear/scatter_tile.hpp"

namespace hornbook {

namespace {

double checked_mass(std::int64_t rows, const Vector<double>* w) {
    if (w == nullptr) return static_cast<double>(rows);
    if (w->size != rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", rows, " rows.");
    double mass = 0.0;
    for (std::int64_t i = 0; i < w->size; ++i) {
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
        mass += w->data[i];
    }
    return mass;
}

// The mean of the first rows that count. Scatter around it exceeds that around the mean of all by at most the
// factor rows / first rows, so that subtracting the excess costs two digits at worst. Taken relative to one
// row, so that a constant column has no scatter at all.
template <typename Number>
void set_shift(const Matrix<Number>& x, const Vector<double>* w, std::int64_t most, double* shift) {
    std::int64_t first = 0;
    while (w != nullptr && first < x.rows && w->data[first] == 0.0) ++first;
    if (first == x.rows) return;
    const Number* from = x.row(first);
    double mass = 0.0;
    for (std::int64_t i = first; i < std::min(x.rows, first + most); ++i) {
        const double weight = w == nullptr ? 1.0 : w->data[i];
        if (weight == 0.0) continue;
        mass += weight;
        for (std::int64_t j = 0; j < x.cols; ++j)
            shift[j] += weight * (static_cast<double>(x.row(i)[j]) - static_cast<double>(from[j]));
    }
    for (std::int64_t j = 0; j < x.cols; ++j) shift[j] = static_cast<double>(from[j]) + shift[j] / mass;
}

}  // namespace

template <typename Number>
RowScatter row_scatter(const Matrix<Number>& x, const Vector<double>* w) {
    const double mass = checked_mass(x.rows, w);
    RowScatter out{Buffer<double>(1, 1, mass), Buffer<double>(x.cols, 1, 0.0),
                   Buffer<double>(x.cols, x.cols, 0.0)};
    if (mass == 0.0 || x.cols == 0) return out;
    ScatterTile tile(x.cols);
    Buffer<double> shift(tile.width(), 1, 0.0);
    Buffer<double> sums(tile.width(), 1, 0.0);
    set_shift(x, w, tile.most_rows(), shift.data());
    const double* weights = w == nullptr ? nullptr : w->data;
    // A row is read in whole panels, into the rows after it: the last ones are read from a copy with room.
    const std::int64_t beyond = std::min(x.rows, (tile.width() - 1) / x.cols);
    const std::int64_t inside = x.rows - beyond;
    tile.put_rows(x.data, inside, weights, shift.data(), sums.data());
    Buffer<Number> padded(tile.width(), 1, 0.0);
    for (std::int64_t i = inside; i < x.rows; ++i) {
        std::copy_n(x.row(i), x.cols, padded.data());
        tile.put_rows(padded.data(), 1, w == nullptr ? nullptr : weights + i, shift.data(), sums.data());
    }
    tile.finish(out.within.data(), sums.data(), mass);
    for (std::int64_t j = 0; j < x.cols; ++j) out.mean[j] = shift[j] + sums[j] / mass;
    return out;
}

template RowScatter row_scatter(const Matrix<double>&, const Vector<double>*);
template RowScatter row_scatter(const Matrix<float>&, const Vector<double>*);

}  // namespace hornbook
