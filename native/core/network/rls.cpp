#include "core/network/rls.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

void check(const Matrix<double>& x, const Matrix<double>& y, const Vector<double>* w,
           const Matrix<double>& factor, const Matrix<double>& targets) {
    if (y.rows != x.rows)
        refuse("Y must have one row per row of X; it has ", y.rows, " for ", x.rows, " rows.");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (factor.rows != x.cols || factor.cols != x.cols)
        refuse("factor must be square with one row per column of X; it is ", factor.rows, " x ", factor.cols,
               " for ", x.cols, " columns.");
    if (targets.rows != x.cols || targets.cols != y.cols)
        refuse("targets must have one row per column of X and one column per column of Y; it is ",
               targets.rows, " x ", targets.cols, ".");
    for (std::int64_t i = 0; w != nullptr && i < w->size; ++i)
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
}

class Learning {
  public:
    Learning(const Matrix<double>& factor, const Matrix<double>& targets)
        : p_(factor.rows),
          t_(targets.cols),
          factor_(p_, p_),
          targets_(p_, t_),
          row_(p_),
          y_(t_),
          solution_(p_, t_) {
        std::copy_n(factor.data, p_ * p_, factor_.data());
        std::copy_n(targets.data, p_ * t_, targets_.data());
    }

    // The square error of a row by what was learned so far.
    double error(const double* x, const double* y) {
        solve();
        double sum = 0.0;
        for (std::int64_t m = 0; m < t_; ++m) {
            double gap = y[m];
            for (std::int64_t j = 0; j < p_; ++j) gap -= x[j] * solution_[j * t_ + m];
            sum += gap * gap;
        }
        return sum;
    }

    void learn(const double* x, const double* y, double root) {
        for (std::int64_t j = 0; j < p_; ++j) row_[j] = root * x[j];
        for (std::int64_t m = 0; m < t_; ++m) y_[m] = root * y[m];
        for (std::int64_t j = 0; j < p_; ++j) {
            if (row_[j] == 0.0) continue;
            double* r = factor_.data() + j * p_;
            const double length = std::hypot(r[j], row_[j]);
            const double c = r[j] / length, s = row_[j] / length;
            rotate(r + j, row_.data() + j, p_ - j, c, s);
            rotate(targets_.data() + j * t_, y_.data(), t_, c, s);
        }
    }

    RlsPass release(double errors) { return {std::move(factor_), std::move(targets_), errors}; }

  private:
    static void rotate(double* a, double* b, std::int64_t n, double c, double s) {
        for (std::int64_t i = 0; i < n; ++i) {
            const double before = a[i];
            a[i] = c * before + s * b[i];
            b[i] = c * b[i] - s * before;
        }
    }

    // Back substitution.
    void solve() {
        for (std::int64_t j = p_ - 1; j >= 0; --j) {
            const double* r = factor_.data() + j * p_;
            for (std::int64_t m = 0; m < t_; ++m) {
                double sum = targets_[j * t_ + m];
                for (std::int64_t i = j + 1; i < p_; ++i) sum -= r[i] * solution_[i * t_ + m];
                solution_[j * t_ + m] = r[j] == 0.0 ? 0.0 : sum / r[j];
            }
        }
    }

    std::int64_t p_, t_;
    Buffer<double> factor_, targets_, row_, y_, solution_;
};

}  // namespace

RlsPass rls_pass(const Matrix<double>& x, const Matrix<double>& y, const Vector<double>* w,
                 const Matrix<double>& factor, const Matrix<double>& targets) {
    check(x, y, w, factor, targets);
    Learning learning(factor, targets);
    double errors = 0.0;
    Pace pace;
    for (std::int64_t i = 0; i < x.rows; ++i) {
        const double weight = w == nullptr ? 1.0 : w->data[i];
        if (weight == 0.0) continue;
        errors += weight * learning.error(x.row(i), y.row(i));
        learning.learn(x.row(i), y.row(i), std::sqrt(weight));
        pace.spend(x.cols * (x.cols + y.cols) + 1);
    }
    return learning.release(errors);
}

}  // namespace hornbook
