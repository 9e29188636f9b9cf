#include "core/rounding/centering.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/simd.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// The largest of each column, and sums, in which missing numbers stay visible.
HORNBOOK_WIDE void extend(const double* cells, const double* center, std::int64_t cols, double* largest,
                          double* sums) {
    for (std::int64_t j = 0; j < cols; ++j) {
        const double gap = std::abs(cells[j] - center[j]);
        largest[j] = gap > largest[j] ? gap : largest[j];
        sums[j] += gap;
    }
}

}  // namespace

std::vector<double> rough_center(const Matrix<double>& rows) {
    std::vector<double> center(static_cast<std::size_t>(rows.cols), 0.0);
    const std::int64_t step = 1 + rows.rows / 4096;
    for (std::int64_t i = 0; i < rows.rows; i += step)
        for (std::int64_t j = 0; j < rows.cols; ++j) center[static_cast<std::size_t>(j)] += rows.row(i)[j];
    for (double& mean : center) mean /= static_cast<double>((rows.rows + step - 1) / step);
    return center;
}

double largest_gap(const Matrix<double>& table, const std::vector<double>& center) {
    std::vector<double> largest(center.size(), 0.0);
    std::vector<double> sums(center.size(), 0.0);
    Pace pace;
    for (std::int64_t i = 0; i < table.rows; ++i) {
        pace.spend(table.cols);
        extend(table.row(i), center.data(), table.cols, largest.data(), sums.data());
    }
    const bool finite = std::all_of(sums.begin(), sums.end(), [](double sum) { return std::isfinite(sum); });
    return finite ? *std::max_element(largest.begin(), largest.end())
                  : std::numeric_limits<double>::infinity();
}

}  // namespace hornbook
