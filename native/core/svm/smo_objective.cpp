// What a solver can say about its solution.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/svm/smo.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_margin = 1e-10;  // square of the margin, relative to the largest row

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

// No hyperplane separates the classes, or by no more than rounding: the convex hulls of both sides touch.
// Of any feasible point of the dual, |w| over half the sum of |b| is the distance of two points of the hulls.
bool SmoSolver::inseparable() const {
    double square = 0.0;
    double mass = 0.0;
    for (std::size_t v = 0; v < value_.size(); ++v) {
        square += value_[v] * sums_[at(problem_.row_of[v])];
        mass += std::abs(value_[v]);
    }
    const double largest = *std::max_element(own_.begin(), own_.end());
    return mass > 0.0 && square <= least_margin * largest * mass * mass;
}

double SmoSolver::bias() const {
    double sum = 0.0;
    std::int64_t count = 0;
    double most = -infinity;
    double least = infinity;
    for (std::size_t v = 0; v < value_.size(); ++v) {
        const double pull = -gradient(static_cast<std::int64_t>(v));
        const bool rises = value_[v] < problem_.high[v];
        const bool falls = value_[v] > problem_.low[v];
        if (rises && falls) {
            sum += pull;
            ++count;
        }
        if (rises) most = std::max(most, pull);
        if (falls) least = std::min(least, pull);
    }
    if (count > 0) return sum / static_cast<double>(count);
    if (most == -infinity) return least == infinity ? 0.0 : least;
    return least == infinity ? most : (most + least) / 2;
}

SmoObjective SmoSolver::objective() const {
    return is_all() ? measured() : SmoObjective{dual_, std::max(primal_ - dual_, 0.0)};
}

// From the kernel sums of all rows; per variable, the gap is the objective less its minimum for this bias.
SmoObjective SmoSolver::measured() const {
    const double b = bias();
    SmoObjective result{0.0, 0.0};
    for (std::size_t v = 0; v < value_.size(); ++v) {
        const double sum = sums_[at(problem_.row_of[v])];
        const double ridge = problem_.ridge[v];
        const double slope = sum + problem_.linear[v] + b;
        result.dual -= value_[v] * (0.5 * (sum + ridge * value_[v]) + problem_.linear[v]);
        const double best = ridge > 0.0 ? std::clamp(-slope / ridge, problem_.low[v], problem_.high[v])
                                        : (slope < 0.0 ? problem_.high[v] : problem_.low[v]);
        // A hard margin is kept up to the tolerance.
        const double stands = std::isinf(best) && std::abs(slope) <= options_.tol ? value_[v] : best;
        const double excess =
            (0.5 * ridge * value_[v] + slope) * value_[v] - (0.5 * ridge * stands + slope) * stands;
        result.gap += std::max(excess, 0.0);  // below 0 by rounding only
    }
    return result;
}

}  // namespace hornbook
