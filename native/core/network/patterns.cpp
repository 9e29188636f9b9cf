#include "core/network/patterns.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t most_parameters = 4096;  // beyond, products of matrices take most of the time anyway

// Groups of four begin at multiples of 32 bytes.
__attribute__((always_inline)) inline const Numbers* groups(const double* from) {
    return reinterpret_cast<const Numbers*>(from);
}

__attribute__((always_inline)) inline Numbers* groups(double* from) {
    return reinterpret_cast<Numbers*>(from);
}

HORNBOOK_WIDE void net_inputs(const double* x, std::int64_t inputs, const double* weights,
                              const double* constants, std::int64_t width, double* out) {
    for (std::int64_t j = 0; j < width; j += half_lanes) {
        Numbers sum = *groups(constants + j);
        for (std::int64_t i = 0; i < inputs; ++i) sum += x[i] * *groups(weights + i * width + j);
        *groups(out + j) = sum;
    }
}

HORNBOOK_WIDE void errors_below(const double* weights, std::int64_t inputs, const double* deltas,
                                std::int64_t width, double* out) {
    for (std::int64_t i = 0; i < inputs; ++i) {
        Numbers sum{};
        for (std::int64_t j = 0; j < width; j += half_lanes)
            sum += *groups(weights + i * width + j) * *groups(deltas + j);
        out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

HORNBOOK_WIDE void gradients(const double* x, std::int64_t inputs, const double* deltas, std::int64_t width,
                             double* out) {
    for (std::int64_t i = 0; i < inputs; ++i)
        for (std::int64_t j = 0; j < width; j += half_lanes)
            *groups(out + i * width + j) = x[i] * *groups(deltas + j);
}

// The step of gradient descent without a penalty, which needs the gradient nowhere else.
HORNBOOK_WIDE void descend(double rate, double scale, const double* x, std::int64_t inputs,
                           const double* deltas, std::int64_t width, double* weights, double* constants) {
    for (std::int64_t i = 0; i < inputs; ++i)
        for (std::int64_t j = 0; j < width; j += half_lanes) {
            Numbers* to = groups(weights + i * width + j);
            *to = *to - rate * (scale * (x[i] * *groups(deltas + j)));
        }
    for (std::int64_t j = 0; j < width; j += half_lanes) {
        Numbers* to = groups(constants + j);
        *to = *to - rate * (scale * *groups(deltas + j));
    }
}

}  // namespace

bool one_by_one(const Layers& layers, const EpochOptions& options) {
    return options.batch == 1 && options.dropout.rate == 0.0 && layers.parameters <= most_parameters;
}

PatternPasses::PatternPasses(const Layers& layers, const EpochRows& rows, const EpochOptions& options,
                             const EpochState& state)
    : layers_(layers),
      rows_(rows),
      options_(options),
      state_(state),
      parts_(parts_of(layers)),
      theta_(1, total(), 0.0),
      first_(1, total(), 0.0),
      second_(1, total(), 0.0),
      gradient_(1, total(), 0.0),
      mask_(1, state.mask == nullptr ? 0 : total(), 0),
      values_(1, parts_.back().place + parts_.back().width, 0.0),
      deltas_(1, values_.size(), 0.0) {
    take(state.theta, theta_);
    take(state.first, first_);
    take(state.second, second_);
    if (state.mask != nullptr) take(state.mask, mask_);
}

std::vector<PatternPasses::Layer> PatternPasses::parts_of(const Layers& layers) {
    std::vector<Layer> parts;
    std::int64_t start = 0, place = 0;
    for (std::int64_t l = 0; l < layers.depth(); ++l) {
        const std::int64_t in = layers.at(l), units = layers.at(l + 1);
        const std::int64_t width = (units + half_lanes - 1) / half_lanes * half_lanes;
        parts.push_back({in, units, width, start, start + in * width, place});
        start += (in + 1) * width;
        place += width;
    }
    return parts;
}

// From the order of weights that callers know, and back to it.
template <class T>
void PatternPasses::take(const T* from, Buffer<T>& to) const {
    for (const Layer& part : parts_)
        for (std::int64_t i = 0; i <= part.inputs; ++i, from += part.units)
            std::copy_n(from, part.units, to.data() + part.start + i * part.width);
}

void PatternPasses::give(const Buffer<double>& from, double* to) const {
    for (const Layer& part : parts_)
        for (std::int64_t i = 0; i <= part.inputs; ++i, to += part.units)
            std::copy_n(from.data() + part.start + i * part.width, part.units, to);
}

void PatternPasses::give_state() const {
    give(theta_, state_.theta);
    give(first_, state_.first);
    give(second_, state_.second);
}

EpochSum PatternPasses::run(const std::int64_t* order, std::int64_t size, EpochSum sum, Pace& pace) {
    for (std::int64_t i = 0; i < size; ++i) {
        pace.spend(layers_.parameters);
        const double mass = rows_.mass(order + i, 1);
        if (!(mass > 0.0)) continue;
        ++sum.steps;
        const double value = step(order[i], mass, sum.steps);
        sum.objective += options_.per_row() ? mass * value : value;
        sum.mass += mass;
        if (!std::isfinite(value)) break;
    }
    return sum;
}

// Forward, back, and the step of one row; returns the objective before it.
double PatternPasses::step(std::int64_t row, double mass, std::int64_t steps) {
    const std::size_t depth = parts_.size();
    const auto input = [&](std::size_t l) {
        return l == 0 ? rows_.x.row(row) : values_.data() + parts_[l - 1].place;
    };
    for (std::size_t l = 0; l < depth; ++l) {
        const Layer& part = parts_[l];
        double* values = values_.data() + part.place;
        net_inputs(input(l), part.inputs, theta_.data() + part.start, theta_.data() + part.constants,
                   part.width, values);
        if (l + 1 < depth) apply_units(layers_.hidden, values, part.width);
    }
    const std::int64_t last = parts_.back().place;
    const double cost =
        output_cost(layers_, rows_.targets.row(row), mass, values_.data() + last, deltas_.data() + last);
    for (std::size_t l = depth - 1; l > 0; --l) {
        const Layer& part = parts_[l];
        double* errors = deltas_.data() + parts_[l - 1].place;
        errors_below(theta_.data() + part.start, part.inputs, deltas_.data() + part.place, part.width,
                     errors);
        scale_by_slopes(layers_.hidden, values_.data() + parts_[l - 1].place, errors, part.inputs);
    }
    const StepOptions o = options_.step_of(mass, steps);
    const bool plain = o.rule == Rule::gradient && o.penalty == Penalty::none && mask_.size() == 0;
    double penalty = 0.0;
    for (std::size_t l = 0; l < depth; ++l) {
        const Layer& part = parts_[l];
        const double* deltas = deltas_.data() + part.place;
        double *weights = theta_.data() + part.start, *constants = theta_.data() + part.constants;
        if (plain) {
            descend(o.rate, o.scale, input(l), part.inputs, deltas, part.width, weights, constants);
            continue;
        }
        gradients(input(l), part.inputs, deltas, part.width, gradient_.data() + part.start);
        std::copy_n(deltas, part.width, gradient_.data() + part.constants);
        const auto apply = [&](bool penalized, std::int64_t from, std::int64_t n) {
            penalty += take_step(o, penalized, gradient_.data() + from,
                                 mask_.size() == 0 ? nullptr : mask_.data() + from, theta_.data() + from,
                                 first_.data() + from, second_.data() + from, n);
        };
        apply(true, part.start, part.inputs * part.width);
        apply(o.penalty == Penalty::tradeoff, part.constants, part.width);
    }
    return o.penalty == Penalty::none ? o.scale * cost : o.scale * cost + o.decay * penalty;
}

}  // namespace hornbook
