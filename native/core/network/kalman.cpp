#include "core/network/kalman.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/network/passes.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// out = P h for a symmetric P, row by row in a fixed order.
HORNBOOK_WIDE void times(const double* matrix, const double* h, double* out, std::int64_t n) {
    std::fill_n(out, n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
        const double factor = h[i];
        if (factor == 0.0) continue;
        const double* row = matrix + i * n;
        for (std::int64_t j = 0; j < n; ++j) out[j] += factor * row[j];
    }
}

// P -= v v' / scale.
HORNBOOK_WIDE void take_off(double* matrix, const double* v, double scale, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        const double factor = v[i] / scale;
        if (factor == 0.0) continue;
        double* row = matrix + i * n;
        for (std::int64_t j = 0; j < n; ++j) row[j] -= factor * v[j];
    }
}

// The derivatives of output c by all weights, from the activity of a row.
void gradient_of(const Layers& layers, const double* theta, std::int64_t c, Activity<double>& activity,
                 double* h) {
    const std::int64_t depth = layers.depth(), k = layers.outputs();
    double* deltas = activity.delta(depth);
    for (std::int64_t j = 0; j < k; ++j) deltas[j] = j == c ? 1.0 : 0.0;
    scale_by_slopes(layers.output, activity.values(depth), deltas, k);
    backward(layers, theta, 0, 1, Dropout{}, activity);
    for (std::int64_t l = 0; l < depth; ++l) {
        const std::int64_t in = layers.at(l), units = layers.at(l + 1);
        const double* delta = activity.delta(l + 1);
        for (std::int64_t a = 0; a < in; ++a)
            for (std::int64_t j = 0; j < units; ++j)
                h[layers.first(l) + a * units + j] = activity.values(l)[a] * delta[j];
        std::copy_n(delta, units, h + layers.constants(l));
    }
}

}  // namespace

double network_kalman(const Layers& layers, const Matrix<double>& x, const Matrix<double>& targets,
                      const Vector<double>* w, const Vector<std::int64_t>& order, double noise, double drift,
                      double* theta, double* covariance) {
    check_rows(layers, x, &targets, w, {theta, layers.parameters});
    if (layers.output.kind == Unit::softmax)
        refuse("kinds must not have softmax outputs: the filter corrects one output after the other.");
    if (!(noise > 0.0) || !(drift >= 0.0))
        refuse("noise must be above 0 and drift 0 or more; got ", noise, " and ", drift, ".");
    for (std::int64_t i = 0; i < order.size; ++i)
        if (order.data[i] < 0 || order.data[i] >= x.rows)
            refuse("order must name rows of X by 0 to ", x.rows - 1, "; entry ", i, " is ", order.data[i],
                   ".");
    const std::int64_t n = layers.parameters, k = layers.outputs(), depth = layers.depth();
    Activity<double> activity(layers, 1, true);
    std::vector<double> h(static_cast<std::size_t>(n)), gain(static_cast<std::size_t>(n));
    std::vector<double> slope(static_cast<std::size_t>(k));
    double total = 0.0;
    Pace pace;
    for (std::int64_t place = 0; place < order.size && std::isfinite(total); ++place) {
        const std::int64_t i = order.data[place];
        const double weight = w == nullptr ? 1.0 : w->data[i];
        if (!(weight > 0.0)) continue;
        for (std::int64_t p = 0; drift > 0.0 && p < n; ++p)
            if (covariance[p * n + p] > 0.0) covariance[p * n + p] += drift;
        std::copy_n(x.row(i), x.cols, activity.values(0));
        for (std::int64_t c = 0; c < k; ++c) {
            pace.spend(n * n);
            forward(layers, theta, 0, 1, Dropout{}, activity);
            const double cost =
                output_cost(layers, targets.row(i), weight, activity.values(depth), slope.data());
            if (c == 0) total += cost;
            const double error = targets.row(i)[c] - activity.values(depth)[c];
            gradient_of(layers, theta, c, activity, h.data());
            times(covariance, h.data(), gain.data(), n);
            double variance = noise / weight;
            for (std::int64_t p = 0; p < n; ++p)
                variance += h[static_cast<std::size_t>(p)] * gain[static_cast<std::size_t>(p)];
            if (!std::isfinite(variance) || !std::isfinite(error) || !(variance > 0.0)) return NAN;
            for (std::int64_t p = 0; p < n; ++p)
                theta[p] += gain[static_cast<std::size_t>(p)] * (error / variance);
            take_off(covariance, gain.data(), variance, n);
        }
    }
    return total;
}

}  // namespace hornbook
