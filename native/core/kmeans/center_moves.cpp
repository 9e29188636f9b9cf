#include "core/kmeans/center_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/refuse.hpp"
#include "core/kmeans/centers.hpp"

namespace hornbook {

namespace {

constexpr double smallest = 1e-140;  // distances below this may have lost digits in their squares

}  // namespace

Buffer<double> center_moves(const Matrix<double>& centers, const Matrix<double>* before, bool gaps,
                            int threads) {
    check_centers(centers, centers);
    const std::int64_t k = centers.rows;
    Buffer<double> out(3, k, 0.0);
    double* reach = out.data();
    double* nearest = reach + k;
    double* own = nearest + k;
    const double safe = static_cast<double>(centers.cols + 16) * 0x1p-50;  // rounding error of a distance
    if (!gaps) {
        const Buffer<double> squares = square_distances(centers, centers, threads);
        for (std::int64_t c = 0; c < k; ++c) {
            double least = std::numeric_limits<double>::infinity();
            for (std::int64_t other = 0; other < k; ++other)
                if (other != c) least = std::min(least, squares[c * k + other]);
            const double near = (0.5 - safe) * std::sqrt(least);
            nearest[c] = near < smallest ? 0.0 : near;
        }
    }
    if (before == nullptr) return out;
    if (before->rows != k || before->cols != centers.cols)
        refuse("before must have the shape of centers, (", k, ", ", centers.cols, ").");
    // The bound of a center concerns the others: all have the largest move, the farthest mover the second.
    double first = 0.0, second = 0.0;
    std::int64_t farthest = 0;
    for (std::int64_t c = 0; c < k; ++c) {
        const double square = square_distance(centers.row(c), before->row(c), centers.cols);
        const double move = (1.0 + safe) * std::sqrt(square) + smallest;
        own[c] = move;
        if (move > first) {
            second = first;
            first = move;
            farthest = c;
        } else if (move > second) {
            second = move;
        }
    }
    for (std::int64_t c = 0; c < k; ++c) reach[c] = c == farthest ? second : first;
    return out;
}

}  // namespace hornbook
