#include "core/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"

namespace hornbook {

namespace {

void check(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
           const Vector<double>& coef, double eta) {
    if (y.size != x.rows)
        refuse("y must have one entry per row of X; it has ", y.size, " for ", x.rows, " rows.");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (coef.size != x.cols + 1)
        refuse("coef must have one entry per column of X and one for the constant; it has ", coef.size,
               " for ", x.cols, " columns.");
    if (!(eta > 0.0)) refuse("eta must be above 0; got ", eta, ".");
    for (std::int64_t i = 0; i < y.size; ++i)
        if (y.data[i] != 0 && y.data[i] != 1) refuse("y must be 0 or 1; row ", i, " has ", y.data[i], ".");
    for (std::int64_t i = 0; w != nullptr && i < w->size; ++i)
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
}

}  // namespace

PerceptronPass perceptron_pass(const Matrix<double>& x, const Vector<std::int32_t>& y,
                               const Vector<double>* w, const Vector<double>& coef, double eta, bool strict) {
    check(x, y, w, coef, eta);
    PerceptronPass out{Buffer<double>(coef.size), 0};
    double* theta = out.coef.data();
    std::copy_n(coef.data, coef.size, theta);
    for (std::int64_t i = 0; i < x.rows; ++i) {
        const double* row = x.row(i);
        const bool one = y.data[i] == 1;
        for (double left = w == nullptr ? 1.0 : w->data[i]; left > 0.0; left -= 1.0) {
            double z = theta[x.cols];
            for (std::int64_t j = 0; j < x.cols; ++j) z += theta[j] * row[j];
            const bool wrong = strict && z == 0.0 ? true : (z >= 0.0) != one;
            if (!wrong) break;  // shown again it would be right again
            const double step = (one ? eta : -eta) * std::min(left, 1.0);
            for (std::int64_t j = 0; j < x.cols; ++j) theta[j] += step * row[j];
            theta[x.cols] += step;
            ++out.mistakes;
        }
    }
    return out;
}

}  // namespace hornbook
