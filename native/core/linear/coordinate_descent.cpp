#include "core/linear/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t most_sweeps = (std::int64_t{1} << 31) - 1;

void check(const Matrix<double>& hessian, const Vector<double>& gradient, const Vector<double>& l1,
           const Vector<double>& start) {
    const std::int64_t n = start.size;
    if (hessian.rows != n || hessian.cols != n)
        refuse("hessian must be square, one row per entry of start; it is ", hessian.rows, " x ",
               hessian.cols, " for ", n, ".");
    if (gradient.size != n || l1.size != n)
        refuse("gradient and l1 must have one entry per entry of start; they have ", gradient.size, " and ",
               l1.size, " for ", n, ".");
    for (std::int64_t j = 0; j < n; ++j)
        if (!(l1.data[j] >= 0.0)) refuse("l1 must be 0 or more; entry ", j, " has ", l1.data[j], ".");
}

// Soft thresholding: the point nearest to 0 that is at most `reach` away from `value`.
double soft_threshold(double value, double reach) {
    return value > reach ? value - reach : value < -reach ? value + reach : 0.0;
}

// The minimizer along one coordinate at x, with this slope and curvature of the smooth part.
double coordinate_minimum(double x, double slope, double curvature, double l1, bool positive) {
    if (positive && curvature > 0.0) return std::max(x - (slope + l1) / curvature, 0.0);
    if (curvature > 0.0) return soft_threshold(x - slope / curvature, l1 / curvature);
    return l1 > std::abs(slope) ? 0.0 : x;  // no curvature: only the l1 term can pin the coordinate
}

}  // namespace

Descent coordinate_descent(const Matrix<double>& hessian, const Vector<double>& gradient,
                           const Vector<double>& l1, const Vector<double>& start, double tol,
                           std::int64_t max_sweeps, bool positive) {
    check(hessian, gradient, l1, start);
    if (positive)
        for (std::int64_t j = 0; j < start.size; ++j)
            if (!(start.data[j] >= 0.0))
                refuse("start must be 0 or more; entry ", j, " has ", start.data[j], ".");
    if (!(tol >= 0.0)) refuse("tol must be 0 or more; got ", tol, ".");
    if (max_sweeps < 0 || max_sweeps > most_sweeps)
        refuse("max_sweeps must be at least 0 and at most 2**31 - 1; got ", max_sweeps, ".");
    const std::int64_t n = start.size;
    Buffer<double> x(n);
    Buffer<double> slope(n);  // gradient of the smooth part at x
    std::copy_n(start.data, n, x.data());
    std::copy_n(gradient.data, n, slope.data());
    Pace pace;
    for (std::int64_t sweep = 1; sweep <= max_sweeps; ++sweep) {
        pace.spend(n * n);
        double gain = 0.0;
        for (std::int64_t j = 0; j < n; ++j) {
            const double* row = hessian.row(j);
            const double step = coordinate_minimum(x[j], slope[j], row[j], l1.data[j], positive) - x[j];
            if (step == 0.0) continue;
            x[j] += step;
            gain += row[j] * step * step;
            for (std::int64_t k = 0; k < n; ++k) slope[k] += step * row[k];
        }
        if (gain <= tol) return {std::move(x), sweep, true};
        if (!std::isfinite(gain))
            return {std::move(x), sweep, false};  // overflowed: it cannot converge any more
    }
    return {std::move(x), max_sweeps, false};
}

}  // namespace hornbook
