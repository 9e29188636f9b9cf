#include "core/svm/linear/joint_descent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"
#include "core/svm/linear/row_order.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(const LinearRows& rows, const Vector<std::int64_t>& y, const Vector<double>& costs,
           std::int64_t n_classes) {
    if (!rows.sparse()) refuse("rows must be sparse.");
    if (n_classes < 2) refuse("n_classes must be at least 2; got ", n_classes, ".");
    if (y.size != rows.rows || costs.size != rows.rows) refuse("every row needs a class and a cost.");
    for (std::int64_t i = 0; i < rows.rows; ++i)
        if (y.data[i] < 0 || y.data[i] >= n_classes)
            refuse("class ", y.data[i], " is not among ", n_classes, ".");
}

// The multipliers of one row while all others stay: min(bound, (level - slope) / curvature), with the level
// for which their sum is 0. Only classes whose multipliers are below their bounds count in the level.
class OneRow {
  public:
    explicit OneRow(std::int64_t n_classes)
        : slopes(static_cast<std::size_t>(n_classes)), ordered_(slopes.size()) {}

    double multiplier(std::size_t m, std::size_t own, double cost, double curvature) const {
        return std::min(m == own ? cost : 0.0, (level_ - slopes[m]) / curvature);
    }

    void find_level(std::size_t own, double cost, double curvature) {
        ordered_ = slopes;
        ordered_[own] += curvature * cost;
        std::sort(ordered_.begin(), ordered_.end(), std::greater<>());
        double sum = ordered_[0] - curvature * cost;
        std::size_t n = 1;
        for (; n < ordered_.size() && sum < static_cast<double>(n) * ordered_[n]; ++n) sum += ordered_[n];
        level_ = sum / static_cast<double>(n);
    }

    std::vector<double> slopes;

  private:
    std::vector<double> ordered_;
    double level_ = 0.0;
};

}  // namespace

LinearPass joint_descent_pass(const LinearRows& rows, const Vector<std::int64_t>& y,
                              const Vector<double>& costs, std::int64_t n_classes, double* values,
                              double* weights, std::int64_t* order, std::int64_t n_active,
                              double shrink_above, std::uint64_t seed, std::uint64_t pass) {
    check(rows, y, costs, n_classes);
    check_order(order, n_active, rows.rows);
    shuffle_rows(order, n_active, seed, pass);
    const auto k = static_cast<std::size_t>(n_classes);
    double* bias = weights + rows.cols * n_classes;
    LinearPass result{0.0, n_active};
    OneRow row(n_classes);
    std::vector<double> steps(k);
    Pace pace;
    for (std::int64_t place = 0; place < result.active;) {
        const std::int64_t i = order[place];
        const auto own = static_cast<std::size_t>(y.data[i]);
        const std::int64_t first = rows.offsets[i];
        const std::int64_t last = rows.offsets[i + 1];
        double* a = values + i * n_classes;
        double curvature = rows.constant * rows.constant;
        pace.spend((last - first + 8) * n_classes);
        for (std::size_t m = 0; m < k; ++m) row.slopes[m] = rows.constant * bias[m] + (m == own ? 0.0 : 1.0);
        for (std::int64_t j = first; j < last; ++j) {
            const double x = rows.values[j];
            const double* w = weights + rows.columns[j] * n_classes;
            curvature += x * x;
            for (std::size_t m = 0; m < k; ++m) row.slopes[m] += x * w[m];
        }
        // The multiplier of a class with a small slope wants to rise, as far as its bound lets it.
        double lowest = infinity;
        double highest = -infinity;
        double rival = -infinity;
        for (std::size_t m = 0; m < k; ++m) {
            if (a[m] < (m == own ? costs.data[i] : 0.0)) lowest = std::min(lowest, row.slopes[m]);
            if (m != own) rival = std::max(rival, row.slopes[m]);
            highest = std::max(highest, row.slopes[m]);
        }
        if (a[own] == 0.0 && row.slopes[own] - rival > shrink_above) {
            std::swap(order[place], order[--result.active]);
            continue;
        }
        ++place;
        const double violation = highest - lowest;
        if (violation <= 0.0 || !(curvature > 0.0) || !(costs.data[i] > 0.0)) continue;
        result.violation = std::max(result.violation, violation);
        for (std::size_t m = 0; m < k; ++m) {
            row.slopes[m] -= curvature * a[m];
            if (!std::isfinite(row.slopes[m]))  // such numbers cannot be sorted
                refuse("row ", i, " has products with the weights that are not finite.");
        }
        row.find_level(own, costs.data[i], curvature);
        for (std::size_t m = 0; m < k; ++m) {
            const double next = row.multiplier(m, own, costs.data[i], curvature);
            steps[m] = next - a[m];
            a[m] = next;
        }
        for (std::int64_t j = first; j < last; ++j) {
            double* w = weights + rows.columns[j] * n_classes;
            for (std::size_t m = 0; m < k; ++m) w[m] += rows.values[j] * steps[m];
        }
        for (std::size_t m = 0; m < k; ++m) bias[m] += rows.constant * steps[m];
    }
    return result;
}

}  // namespace hornbook
