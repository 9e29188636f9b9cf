#include "core/network/lvq.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr int most_presentations = 1024;
constexpr double infinity = std::numeric_limits<double>::infinity();

void check_settings(const LvqSettings& s) {
    const auto rule = static_cast<std::int32_t>(s.rule);
    if (rule < 0 || rule > 3) refuse("rule must be 0, 1, 2 or 3; got ", rule, ".");
    if (!(s.eta >= 0.0)) refuse("eta must be 0 or more; got ", s.eta, ".");
    if (!(s.window >= 0.0 && s.window < 1.0)) refuse("window must be in [0, 1); got ", s.window, ".");
    if (!(s.epsilon >= 0.0)) refuse("epsilon must be 0 or more; got ", s.epsilon, ".");
    if (!(s.beta >= 0.0)) refuse("beta must be 0 or more; got ", s.beta, ".");
}

void check(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
           const Vector<std::int64_t>& order, const Matrix<double>& prototypes,
           const Vector<std::int32_t>& classes) {
    if (y.size != x.rows)
        refuse("y must have one entry per row of X; it has ", y.size, " for ", x.rows, " rows.");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (prototypes.cols != x.cols)
        refuse("prototypes must have ", x.cols, " columns, as X has; they have ", prototypes.cols, ".");
    if (prototypes.rows < 1) refuse("prototypes must have at least one row.");
    if (classes.size != prototypes.rows)
        refuse("classes must have one entry per prototype; it has ", classes.size, " for ", prototypes.rows,
               " prototypes.");
    for (std::int64_t i = 0; i < order.size; ++i)
        if (order.data[i] < 0 || order.data[i] >= x.rows)
            refuse("order must hold numbers of rows; entry ", i, " is ", order.data[i], " of ", x.rows, ".");
    for (std::int64_t i = 0; w != nullptr && i < w->size; ++i)
        if (!(w->data[i] >= 0.0)) refuse("w must be 0 or more; row ", i, " has ", w->data[i], ".");
}

// Prototypes in lanes: column j of prototype k is lane k % lanes of columns[j * groups + k / lanes].
HORNBOOK_WIDE
void all_squares(const double* x, const Lanes* columns, std::int64_t groups, std::int64_t cols, Lanes* out) {
    for (std::int64_t g = 0; g < groups; ++g) {
        Lanes sums[4] = {};
        const auto add = [&](std::int64_t j, std::int64_t q) __attribute__((always_inline)) {
            const Lanes gap = x[j] - columns[j * groups + g];
            sums[q] += gap * gap;
        };
        std::int64_t j = 0;
        for (; j + 4 <= cols; j += 4)
            for (std::int64_t q = 0; q < 4; ++q) add(j + q, q);
        for (std::int64_t q = 0; j + q < cols; ++q) add(j + q, q);
        out[g] = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
}

// The two nearest prototypes, and the nearest of the row's class and of the other classes; -1 for none.
struct Nearest {
    std::int64_t first = -1, second = -1, right = -1, wrong = -1;
};

Nearest nearest(const double* squares, const Vector<std::int32_t>& classes, std::int32_t y) {
    Nearest out;
    const auto distance = [&](std::int64_t k) { return k < 0 ? infinity : squares[k]; };
    for (std::int64_t k = 0; k < classes.size; ++k) {
        std::int64_t& own = classes.data[k] == y ? out.right : out.wrong;
        if (squares[k] < distance(own)) own = k;
        if (squares[k] < distance(out.first)) {
            out.second = out.first;
            out.first = k;
        } else if (squares[k] < distance(out.second)) {
            out.second = k;
        }
    }
    return out;
}

// The nearest prototype alone; -1 for none.
std::int64_t nearest_of_all(const double* squares, std::int64_t n) {
    double least = infinity;
    std::int64_t at = -1;
    for (std::int64_t k = 0; k < n; ++k) {
        const bool nearer = squares[k] < least;  // without branches, which would be guessed wrong
        least = nearer ? squares[k] : least;
        at = nearer ? k : at;
    }
    return at;
}

// The prototypes while rows change them.
class Learning {
  public:
    Learning(const Matrix<double>& start, const Vector<std::int32_t>& classes, const LvqSettings& settings)
        : classes_(classes),
          settings_(settings),
          cols_(start.cols),
          groups_((start.rows + lanes - 1) / lanes),
          squares_(groups_, lanes),
          columns_(groups_ * lanes, start.cols, 0.0) {
        for (std::int64_t k = 0; k < start.rows; ++k)
            for (std::int64_t j = 0; j < cols_; ++j) cell(k, j) = start.row(k)[j];
    }

    // Presents a row with a share of the rate.
    void present(const double* x, std::int32_t y, double share) {
        all_squares(x, reinterpret_cast<const Lanes*>(columns_.data()), groups_, cols_,
                    reinterpret_cast<Lanes*>(squares_.data()));
        const double eta = share * settings_.eta;
        if (settings_.rule == LvqRule::lvq1) {
            const std::int64_t k = nearest_of_all(squares(), classes_.size);
            if (k >= 0) move(k, x, classes_.data[k] == y ? eta : -eta);
            return;
        }
        const Nearest at = nearest(squares(), classes_, y);
        if (at.first < 0) return;  // no distance is a finite number
        switch (settings_.rule) {
            case LvqRule::lvq1:
                break;
            case LvqRule::lvq21:
            case LvqRule::lvq3:
                move_pair(at, x, eta);
                break;
            case LvqRule::glvq:
                descend(at, x, eta);
        }
    }

    Buffer<double> prototypes() {
        Buffer<double> out(classes_.size, cols_);
        for (std::int64_t k = 0; k < classes_.size; ++k)
            for (std::int64_t j = 0; j < cols_; ++j) out[k * cols_ + j] = cell(k, j);
        return out;
    }

  private:
    double& cell(std::int64_t k, std::int64_t j) { return columns_[j * groups_ * lanes + k]; }
    const double* squares() const { return squares_.data(); }

    void move(std::int64_t k, const double* x, double step) {
        double* p = &cell(k, 0);
        const std::int64_t width = groups_ * lanes;
        for (std::int64_t j = 0; j < cols_; ++j) p[j * width] += step * (x[j] - p[j * width]);
    }

    void move_pair(const Nearest& at, const double* x, double eta) {
        if (at.second < 0) return;
        // Both are the two nearest of all, so the row's class has one of them when it is among the winners.
        const bool own_first = at.first == at.right, own_second = at.second == at.right;
        if (own_first != own_second && (at.first == at.wrong || at.second == at.wrong)) {
            // d1 / d2 > (1 - window) / (1 + window), where d1 <= d2; a row on both is inside.
            const double inner = std::sqrt(squares()[at.first]), outer = std::sqrt(squares()[at.second]);
            if (inner * (1.0 + settings_.window) < outer * (1.0 - settings_.window)) return;
            move(at.right, x, eta);
            move(at.wrong, x, -eta);
        } else if (settings_.rule == LvqRule::lvq3 && own_first) {
            move(at.first, x, settings_.epsilon * eta);
            move(at.second, x, settings_.epsilon * eta);
        }
    }

    // A step down the gradient of logistic(beta (d+ - d-) / (d+ + d-)), where d are square distances; no
    // step is longer than the distance.
    void descend(const Nearest& at, const double* x, double eta) {
        if (at.right < 0 || at.wrong < 0) return;
        const double own = squares()[at.right], other = squares()[at.wrong], sum = own + other;
        if (!(sum > 0.0)) return;
        const double value = 1.0 / (1.0 + std::exp(-settings_.beta * (own - other) / sum));
        const double rate = eta * settings_.beta * value * (1.0 - value) / sum;
        const double attract = rate * (other / sum), repel = rate * (own / sum);
        if (attract > 0.0) move(at.right, x, std::min(attract, 1.0));
        if (repel > 0.0) move(at.wrong, x, -std::min(repel, 1.0));
    }

    const Vector<std::int32_t>& classes_;
    const LvqSettings& settings_;
    std::int64_t cols_;
    std::int64_t groups_;
    Buffer<double> squares_;
    Buffer<double> columns_;
};

}  // namespace

Buffer<double> lvq_pass(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                        const Vector<std::int64_t>& order, const Matrix<double>& prototypes,
                        const Vector<std::int32_t>& classes, const LvqSettings& settings) {
    check_settings(settings);
    check(x, y, w, order, prototypes, classes);
    Learning learning(prototypes, classes, settings);
    Pace pace;
    for (std::int64_t i = 0; i < order.size; ++i) {
        const std::int64_t row = order.data[i];
        double left = w == nullptr ? 1.0 : w->data[row];
        for (int turn = 0; left > 0.0 && turn < most_presentations; ++turn, left -= 1.0) {
            learning.present(x.row(row), y.data[row], std::min(left, 1.0));
            pace.spend(prototypes.rows * (prototypes.cols + 1));
        }
    }
    return learning.prototypes();
}

}  // namespace hornbook
