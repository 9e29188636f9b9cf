#include "core/network/layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/network/unit_values.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t most_layers = 1000;
constexpr std::int64_t widest_layer = std::int64_t{1} << 24;
constexpr std::int64_t most_parameters = std::int64_t{1} << 33;

Units units_of(std::int32_t kind, double slope, double amplitude, const char* which) {
    if (kind < 0 || kind > static_cast<std::int32_t>(Unit::softmax))
        refuse("kinds must name units by 0 to 5; the ", which, " one is ", kind, ".");
    if (!(std::isfinite(slope) && slope > 0.0 && std::isfinite(amplitude) && amplitude > 0.0))
        refuse("numbers must be finite and above 0; slope and amplitude of ", which, " units are ", slope,
               " and ", amplitude, ".");
    return {static_cast<Unit>(kind), slope, amplitude};
}

void check_cost(const Layers& layers) {
    const Unit unit = layers.output.kind;
    const bool smooth = unit == Unit::logistic || unit == Unit::softmax;
    bool fits = false;
    switch (layers.cost) {
        case Cost::squared_error:
            fits = unit != Unit::softmax;
            break;
        case Cost::cross_entropy:
        case Cost::relative:
            fits = unit == Unit::logistic;
            break;
        case Cost::divergence:
            fits = smooth;
            break;
        case Cost::log_loss:
            fits = unit == Unit::softmax;
            break;
        case Cost::poisson:
            fits = unit == Unit::exponential;
            break;
    }
    if (!fits) refuse("kinds must be an output unit that goes with the cost.");
    if (layers.hidden.kind == Unit::softmax || layers.hidden.kind == Unit::exponential)
        refuse("kinds must be a hidden unit that is neither softmax nor exponential.");
}

double logistic(double z) {
    const double e = std::exp(-std::abs(z));
    return z >= 0.0 ? 1.0 / (1.0 + e) : e / (1.0 + e);
}

double soft_plus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

double entropy_term(double t) { return t > 0.0 ? t * std::log(t) : 0.0; }

// Costs of probabilities by softmax: minus the sum of t log p, and t log t more for the divergence.
template <class T>
double softmax_cost(const Layers& layers, const double* target, double weight, T* v, T* delta) {
    const std::int64_t n = layers.outputs();
    const double top = static_cast<double>(*std::max_element(v, v + n));
    double sum = 0.0;
    for (std::int64_t j = 0; j < n; ++j) sum += std::exp(static_cast<double>(v[j]) - top);
    const double log_sum = std::log(sum);
    double cost = 0.0, mass = 0.0;
    for (std::int64_t j = 0; j < n; ++j) mass += target[j];
    for (std::int64_t j = 0; j < n; ++j) {
        const double log_p = static_cast<double>(v[j]) - top - log_sum;
        if (target[j] > 0.0) cost -= target[j] * log_p;
        if (layers.cost == Cost::divergence) cost += entropy_term(target[j]);
        const double p = std::exp(log_p);
        v[j] = static_cast<T>(p);
        delta[j] = static_cast<T>(weight * (p * mass - target[j]));
    }
    return weight * cost;
}

// Cost of one output unit with net input v, but for the squared error; sets the derivative by v.
double unit_cost(const Layers& layers, double t, double v, double y, double* slope) {
    const double a = layers.output.slope, z = a * v;
    switch (layers.cost) {
        case Cost::cross_entropy:
        case Cost::relative: {
            // The difference from a target of 1 is computed without cancellation.
            *slope = a * (t == 1.0 ? -logistic(-z) : logistic(z) - t);
            const double cost = t >= 0.5 ? soft_plus(-z) + (1.0 - t) * z : soft_plus(z) - t * z;
            return layers.cost == Cost::relative ? cost + entropy_term(t) + entropy_term(1.0 - t) : cost;
        }
        case Cost::divergence:
            *slope = -a * t * logistic(-z);
            return t > 0.0 ? t * soft_plus(-z) + entropy_term(t) : 0.0;
        default:
            *slope = a * (y - t);
            return y - t * z;  // Poisson
    }
}

}  // namespace

Layers checked_layers(const Vector<std::int64_t>& sizes, const Vector<std::int32_t>& kinds,
                      const Vector<double>& numbers) {
    if (sizes.size < 2 || sizes.size > most_layers)
        refuse("sizes must have 2 to ", most_layers, " entries, inputs first; it has ", sizes.size, ".");
    if (kinds.size != 3 || numbers.size != 4)
        refuse("kinds must have 3 entries and numbers 4; they have ", kinds.size, " and ", numbers.size, ".");
    Layers layers{{}, {}, {}, {}, {}, 0, 0};
    layers.hidden = units_of(kinds.data[0], numbers.data[0], numbers.data[1], "hidden");
    layers.output = units_of(kinds.data[1], numbers.data[2], numbers.data[3], "output");
    if (kinds.data[2] < 0 || kinds.data[2] > static_cast<std::int32_t>(Cost::poisson))
        refuse("kinds must name the cost by 0 to 5; got ", kinds.data[2], ".");
    layers.cost = static_cast<Cost>(kinds.data[2]);
    check_cost(layers);
    for (std::int64_t l = 0; l < sizes.size; ++l) {
        const std::int64_t size = sizes.data[l];
        if (size < 1 || size > widest_layer)
            refuse("sizes must be 1 to ", widest_layer, "; layer ", l, " has ", size, ".");
        if (l > 0) {
            layers.start.push_back(layers.parameters);
            layers.parameters += (sizes.data[l - 1] + 1) * size;
            if (layers.parameters > most_parameters) refuse("sizes must not make over 2^33 weights.");
        }
        layers.sizes.push_back(size);
        layers.widest = std::max(layers.widest, size);
    }
    return layers;
}

void check_rows(const Layers& layers, const Matrix<double>& x, const Matrix<double>* targets,
                const Vector<double>* w, const Vector<double>& theta) {
    if (x.cols != layers.inputs())
        refuse("X must have a column for each input; it has ", x.cols, " for ", layers.inputs(), ".");
    if (targets != nullptr && (targets->rows != x.rows || targets->cols != layers.outputs()))
        refuse("targets must have a row for each row of X and a column for each output; they have ",
               targets->rows, " x ", targets->cols, " for ", x.rows, " x ", layers.outputs(), ".");
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    if (theta.size != layers.parameters)
        refuse("theta must have an entry for each weight; it has ", theta.size, " for ", layers.parameters,
               ".");
}

namespace {

enum class Curve { logistic, tangent };

// Replaces v by c f(a v), four at a time; what is left over at the end is filled up to four.
template <Curve curve>
__attribute__((always_inline)) inline void apply_by_four(double a, double c, double* v, std::int64_t n) {
    const auto take = [a, c](Numbers& z) __attribute__((always_inline)) {
        z = a * z;
        if constexpr (curve == Curve::logistic)
            take_logistic(z);
        else
            take_tangent(z);
        z = c * z;
    };
    std::int64_t j = 0;
    Numbers z{};
    for (; j + half_lanes <= n; j += half_lanes) {
        std::memcpy(&z, v + j, sizeof z);
        take(z);
        std::memcpy(v + j, &z, sizeof z);
    }
    if (j == n) return;
    z = Numbers{};
    for (std::int64_t i = 0; i < n - j; ++i) z[i] = v[j + i];
    take(z);
    for (std::int64_t i = 0; i < n - j; ++i) v[j + i] = z[i];
}

HORNBOOK_WIDE void apply_logistic(double a, double* v, std::int64_t n) {
    apply_by_four<Curve::logistic>(a, 1.0, v, n);
}

HORNBOOK_WIDE void apply_tangent(double a, double c, double* v, std::int64_t n) {
    apply_by_four<Curve::tangent>(a, c, v, n);
}

void apply_logistic(float a, float* v, std::int64_t n) {
    for (std::int64_t j = 0; j < n; ++j) v[j] = 1.0f / (1.0f + std::exp(-(a * v[j])));
}

void apply_tangent(float a, float c, float* v, std::int64_t n) {
    for (std::int64_t j = 0; j < n; ++j) v[j] = c * std::tanh(a * v[j]);
}

}  // namespace

template <class T>
void apply_units(const Units& units, T* v, std::int64_t n) {
    const T a = static_cast<T>(units.slope), c = static_cast<T>(units.amplitude);
    switch (units.kind) {
        case Unit::logistic:
            apply_logistic(a, v, n);
            break;
        case Unit::tanh:
            apply_tangent(a, c, v, n);
            break;
        case Unit::relu:
            for (std::int64_t j = 0; j < n; ++j) v[j] = v[j] < T{0} ? T{0} : a * v[j];  // NaN stays NaN
            break;
        case Unit::exponential:
            for (std::int64_t j = 0; j < n; ++j) v[j] = std::exp(a * v[j]);
            break;
        default:
            for (std::int64_t j = 0; j < n; ++j) v[j] = a * v[j];
    }
}

template <class T>
void scale_by_slopes(const Units& units, const T* outputs, T* errors, std::int64_t n) {
    const T a = static_cast<T>(units.slope), c = static_cast<T>(units.amplitude);
    switch (units.kind) {
        case Unit::logistic:
            for (std::int64_t j = 0; j < n; ++j) errors[j] *= a * outputs[j] * (T{1} - outputs[j]);
            break;
        case Unit::tanh:
            for (std::int64_t j = 0; j < n; ++j) errors[j] *= a * (c - outputs[j] * outputs[j] / c);
            break;
        case Unit::relu:
            for (std::int64_t j = 0; j < n; ++j) errors[j] = outputs[j] > T{0} ? a * errors[j] : T{0};
            break;
        case Unit::exponential:
            for (std::int64_t j = 0; j < n; ++j) errors[j] *= a * outputs[j];
            break;
        default:
            for (std::int64_t j = 0; j < n; ++j) errors[j] *= a;
    }
}

template <class T>
double output_cost(const Layers& layers, const double* target, double weight, T* v, T* delta) {
    const std::int64_t n = layers.outputs();
    if (layers.output.kind == Unit::softmax) return softmax_cost(layers, target, weight, v, delta);
    double cost = 0.0;
    if (layers.cost == Cost::squared_error) {
        apply_units(layers.output, v, n);
        for (std::int64_t j = 0; j < n; ++j) {
            const double error = static_cast<double>(v[j]) - target[j];
            cost += 0.5 * error * error;
            delta[j] = static_cast<T>(weight * error);
        }
        scale_by_slopes(layers.output, v, delta, n);
        return weight * cost;
    }
    for (std::int64_t j = 0; j < n; ++j) {
        const double net = static_cast<double>(v[j]);
        apply_units(layers.output, v + j, 1);
        double slope = 0.0;
        cost += unit_cost(layers, target[j], net, static_cast<double>(v[j]), &slope);
        delta[j] = static_cast<T>(weight * slope);
    }
    return weight * cost;
}

template void apply_units<double>(const Units&, double*, std::int64_t);
template void apply_units<float>(const Units&, float*, std::int64_t);
template void scale_by_slopes<double>(const Units&, const double*, double*, std::int64_t);
template void scale_by_slopes<float>(const Units&, const float*, float*, std::int64_t);
template double output_cost<double>(const Layers&, const double*, double, double*, double*);
template double output_cost<float>(const Layers&, const double*, double, float*, float*);

}  // namespace hornbook
