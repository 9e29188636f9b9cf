// Expectation maximization for mixtures of normal distributions: densities, posterior probabilities, and the
// sums of the next estimates.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook::mixture {

// Component k has the log density scales[k] - |whiten[k] (x - means[k])|^2 / 2; scales hold the log of the
// component's weight too.
struct Components {
    Matrix<double> means;
    // Lower triangular matrices one below the other; if diagonal, one row of numbers per component.
    Matrix<double> whiten;
    Vector<double> scales;
    bool diagonal;

    std::int64_t count() const { return means.rows; }
    std::int64_t cols() const { return means.cols; }
    const double* mean(std::int64_t k) const { return means.row(k); }
    const double* matrix(std::int64_t k) const { return whiten.row(diagonal ? k : k * means.cols); }
};

// Row i, component k: the log of weight times density of the cells that are not NaN.
Buffer<double> log_joint(const Matrix<double>& x, const Components& components, int threads);

// One pass over rows: the weighted sum of the logs of their densities; then for each component the sums of
// w p(k|x), w p(k|x) g and, of w p(k|x) g g', the lower triangle (if diagonal, the diagonal), where g = x -
// means[k] with missing cells replaced by their conditional means, and g g' by its conditional expectation.
// With `given`, one row per row of x, these probabilities are used instead of p(k|x), and the first number is
// 0.
Buffer<double> em_sums(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>* given,
                       const Components& components);

}  // namespace hornbook::mixture
