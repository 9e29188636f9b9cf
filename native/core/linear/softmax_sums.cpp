#include "core/linear/softmax_sums.hpp"

#include <algorithm>

#include "core/base/exponent.hpp"
#include "core/base/logarithm.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/linear/gram.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t most_rows = RowTile::most_rows;
constexpr std::int64_t steps = most_rows / lanes;

void check(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
           const Matrix<double>& coef, const Vector<double>& center) {
    if (y.size != x.rows)
        refuse("y must have one entry per row of X; it has ", y.size, " for ", x.rows, " rows.");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (coef.cols != x.cols + 1)
        refuse("coef must have one column per column of X and one for the intercepts; it has ", coef.cols,
               " for ", x.cols, " columns.");
    if (coef.rows < 1) refuse("coef must have one row per class; it has none.");
    if (center.size != x.cols)
        refuse("center must have one entry per column of X; it has ", center.size, " for ", x.cols,
               " columns.");
    for (std::int64_t i = 0; i < y.size; ++i)
        if (y.data[i] < 0 || y.data[i] >= coef.rows)
            refuse("y must hold classes below ", coef.rows, "; row ", i, " has ", y.data[i], ".");
    for (std::int64_t i = 0; w != nullptr && i < w->size; ++i)
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
}

// Replaces the scores of a tile, class after class, by probabilities; fills logs with the logarithms of the
// sums of e^z.
HORNBOOK_WIDE void probabilities(double* scores, std::int64_t classes, double* logs) {
    auto* z = reinterpret_cast<Lanes*>(scores);
    auto* log_sums = reinterpret_cast<Lanes*>(logs);
    for (std::int64_t s = 0; s < steps; ++s) {
        Lanes top = z[s], sum{};
        for (std::int64_t k = 1; k < classes; ++k) top = z[k * steps + s] > top ? z[k * steps + s] : top;
        for (std::int64_t k = 0; k < classes; ++k) {
            Lanes p = z[k * steps + s] - top;
            exponentiate(p);
            sum += p;
            z[k * steps + s] = p;
        }
        const Lanes share = 1.0 / sum;
        for (std::int64_t k = 0; k < classes; ++k) z[k * steps + s] *= share;
        logarithm(sum);
        log_sums[s] = top + sum;
    }
}

// The scores of a tile, then what follows from them.
struct TileTerms {
    explicit TileTerms(std::int64_t classes)
        : scores(classes, most_rows, 0.0), residuals(classes, most_rows, 0.0) {}

    Buffer<double> scores;  // then probabilities
    Buffer<double> residuals;
    alignas(64) double logs[most_rows];
};

// Adds the losses of a tile and fills its probabilities and residuals w (p - 1 for the true class); rows
// beyond the last have residuals of 0.
double row_terms(const std::int32_t* y, const double* w, std::int64_t rows, std::int64_t classes,
                 TileTerms& terms) {
    double own[most_rows];
    double value = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) own[r] = terms.scores[y[r] * most_rows + r];
    probabilities(terms.scores.data(), classes, terms.logs);
    for (std::int64_t r = 0; r < rows; ++r) value += (w == nullptr ? 1.0 : w[r]) * (terms.logs[r] - own[r]);
    std::copy_n(terms.scores.data(), classes * most_rows, terms.residuals.data());
    for (std::int64_t r = 0; r < rows; ++r) terms.residuals[y[r] * most_rows + r] -= 1.0;
    for (std::int64_t k = 0; k < classes; ++k) {
        double* residual = terms.residuals.data() + k * most_rows;
        for (std::int64_t r = 0; w != nullptr && r < rows; ++r) residual[r] *= w[r];
        std::fill(residual + rows, residual + most_rows, 0.0);
    }
    return value;
}

// Adds X' diag(w p_k ((k = m) - p_m)) X for every pair of classes k <= m.
void add_curvature(const RowTile& tile, RowTile& scaled, const double* w, std::int64_t rows,
                   std::int64_t classes, const Buffer<double>& p, double* hessian) {
    const std::int64_t width = tile.width(), side = classes * width;
    alignas(64) double factor[most_rows] = {};
    for (std::int64_t k = 0; k < classes; ++k)
        for (std::int64_t m = k; m < classes; ++m) {
            for (std::int64_t r = 0; r < rows; ++r) {
                const double here = p[k * most_rows + r] * (w == nullptr ? 1.0 : w[r]);
                factor[r] = here * ((k == m ? 1.0 : 0.0) - p[m * most_rows + r]);
            }
            tile.add_gram(factor, scaled, hessian + k * width * side + m * width, side);
        }
}

// Completes a Hessian of which only the upper triangles of the blocks k <= m were summed: every block is
// symmetric, and so is their arrangement.
void complete(double* hessian, std::int64_t classes, std::int64_t width) {
    const std::int64_t side = classes * width;
    for (std::int64_t k = 0; k < classes; ++k)
        for (std::int64_t m = k; m < classes; ++m)
            for (std::int64_t i = 0; i < width; ++i)
                for (std::int64_t j = i; j < width; ++j) {
                    const double entry = hessian[(k * width + i) * side + m * width + j];
                    hessian[(k * width + j) * side + m * width + i] = entry;
                    hessian[(m * width + i) * side + k * width + j] = entry;
                    hessian[(m * width + j) * side + k * width + i] = entry;
                }
}

}  // namespace

SoftmaxSums softmax_sums(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                         const Matrix<double>& coef, bool curvature, const Vector<double>& center) {
    check(x, y, w, coef, center);
    const std::int64_t classes = coef.rows;
    RowTile tile(x.cols), scaled(curvature ? x.cols : 0);
    const std::int64_t side = curvature ? classes * tile.width() : 0;
    SoftmaxSums out{0.0, Buffer<double>(classes, tile.width(), 0.0), Buffer<double>(side, side, 0.0)};
    TileTerms terms(classes);
    for (std::int64_t i = 0; i < x.rows; i += most_rows) {
        const std::int64_t rows = std::min(most_rows, x.rows - i);
        const double* weights = w == nullptr ? nullptr : w->data + i;
        tile.load(x.row(i), rows, center.data);
        tile.scores(coef.data, classes, terms.scores.data());
        out.value += row_terms(y.data + i, weights, rows, classes, terms);
        tile.add_products(terms.residuals.data(), classes, out.gradient.data());
        if (curvature) add_curvature(tile, scaled, weights, rows, classes, terms.scores, out.hessian.data());
    }
    if (curvature) complete(out.hessian.data(), classes, tile.width());
    return out;
}

}  // namespace hornbook
