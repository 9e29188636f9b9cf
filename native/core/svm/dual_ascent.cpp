#include "core/svm/dual_ascent.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

AscentPass ascent_pass(const Matrix<double>& kernel, const Vector<double>& signs, const Vector<double>& high,
                       double* values, double* sums) {
    const std::int64_t n = kernel.rows;
    if (kernel.cols != n || signs.size != n || high.size != n)
        refuse("kernel must be square, with one sign and one bound for each of its ", n, " rows.");
    Pace pace;
    double change = 0.0;
    for (std::int64_t k = 0; k < n; ++k) {
        const double* row = kernel.row(k);
        if (!(row[k] > 0.0)) continue;  // a row at the origin of the feature space says nothing
        const double wanted = values[k] + (1.0 - signs.data[k] * sums[k]) / row[k];
        const double next = std::min(std::max(wanted, 0.0), high.data[k]);
        const double step = next - values[k];
        if (step == 0.0) continue;
        values[k] = next;
        change += step * step;
        const double signed_step = step * signs.data[k];
        for (std::int64_t i = 0; i < n; ++i) sums[i] += signed_step * row[i];
        pace.spend(n);
    }
    return {std::sqrt(change)};
}

}  // namespace hornbook
