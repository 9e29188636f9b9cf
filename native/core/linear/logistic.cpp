#include "core/linear/logistic.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/linear/gram.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t most_rows = RowTile::most_rows;

void check(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
           const Vector<double>& coef, const Vector<double>* center) {
    if (y.size != x.rows)
        refuse("y must have one entry per row of X; it has ", y.size, " for ", x.rows, " rows.");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (coef.size != x.cols + 1)
        refuse("coef must have one entry per column of X and one for the intercept; it has ", coef.size,
               " for ", x.cols, " columns.");
    if (center != nullptr && center->size != x.cols)
        refuse("center must have one entry per column of X; it has ", center->size, " for ", x.cols,
               " columns.");
    for (std::int64_t i = 0; i < y.size; ++i)
        if (y.data[i] != 0 && y.data[i] != 1) refuse("y must be 0 or 1; row ", i, " has ", y.data[i], ".");
    for (std::int64_t i = 0; w != nullptr && i < w->size; ++i)
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
}

// Returns the loss of the rows of a tile; replaces scores by residuals w (p - y) and fills root with the
// square roots of w p (1 - p).
double row_terms(const std::int32_t* y, const double* w, std::int64_t rows, double* scores, double* root) {
    double value = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const double z = scores[r];
        const double weight = w == nullptr ? 1.0 : w[r];
        const double small = std::exp(-std::abs(z));  // never overflows
        const double far = small / (1.0 + small);     // the smaller of p and 1 - p, without cancellation
        const double near = 1.0 / (1.0 + small);
        const bool one = y[r] == 1;
        const double wrong = (z > 0.0) == one ? 0.0 : std::abs(z);  // how far on the wrong side
        value += weight * (std::log1p(small) + wrong);
        const double miss = (z > 0.0) == one ? far : near;  // 1 - probability of the true class
        scores[r] = one ? -weight * miss : weight * miss;
        root[r] = std::sqrt(weight * far * near);
    }
    std::fill(scores + rows, scores + most_rows, 0.0);
    std::fill(root + rows, root + most_rows, 0.0);
    return value;
}

}  // namespace

LogisticSums logistic_sums(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                           const Vector<double>& coef, bool curvature, const Vector<double>* center) {
    check(x, y, w, coef, center);
    RowTile tile(x.cols);
    const std::int64_t side = curvature ? tile.width() : 0;
    LogisticSums out{0.0, Buffer<double>(tile.width(), 1, 0.0), Buffer<double>(side, side, 0.0)};
    alignas(64) double scores[most_rows];
    alignas(64) double root[most_rows];
    for (std::int64_t i = 0; i < x.rows; i += most_rows) {
        const std::int64_t rows = std::min(most_rows, x.rows - i);
        tile.load(x.row(i), rows, center == nullptr ? nullptr : center->data);
        tile.scores(coef.data, scores);
        out.value += row_terms(y.data + i, w == nullptr ? nullptr : w->data + i, rows, scores, root);
        tile.add_products(scores, out.gradient.data());
        if (curvature) {
            tile.scale(root);
            tile.add_gram(out.hessian.data());
        }
    }
    mirror(out.hessian.data(), side);
    return out;
}

}  // namespace hornbook
