#include "core/network/epoch.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/base/crew.hpp"
#include "core/base/refuse.hpp"
#include "core/network/products.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// How work is cut, whatever the number of threads: rows of a batch, and inputs of a layer.
constexpr std::int64_t part_rows = 64;
constexpr std::int64_t part_numbers = 32768;
constexpr std::int64_t enough_work = 1 << 18;  // multiplications in a batch that are worth a second thread

struct WeightPart {  // some inputs of one layer
    std::int64_t layer, begin, end;
};

template <class T>
class Epoch {
  public:
    Epoch(const Layers& layers, const Matrix<double>& x, const Matrix<double>& targets,
          const Vector<double>* w, const EpochOptions& options, const EpochState& state, int threads)
        : layers_(layers),
          x_(x),
          targets_(targets),
          w_(w),
          options_(options),
          state_(state),
          batch_(options.batch),
          activity_(layers, batch_, true),
          gradient_(layers.parameters),
          theta_(copied(state.theta)),
          first_(copied(state.first)),
          second_(copied(state.second)) {
        for (std::int64_t l = 0; l < layers.depth(); ++l) {
            const std::int64_t step = std::max<std::int64_t>(1, part_numbers / layers.at(l + 1));
            for (std::int64_t begin = 0; begin < layers.at(l); begin += step)
                parts_.push_back({l, begin, std::min(begin + step, layers.at(l))});
        }
        row_costs_.resize(static_cast<std::size_t>((batch_ + part_rows - 1) / part_rows));
        penalties_.resize(parts_.size());
        const bool small = batch_ * layers.parameters < enough_work;
        crew_ = std::make_unique<Crew>(small ? 1 : std::min(threads, 64));
    }

    EpochSum run(const Vector<std::int64_t>& order) {
        EpochSum sum = options_.before;
        Pace pace;
        for (std::int64_t begin = 0; begin < order.size; begin += batch_) {
            const std::int64_t n = std::min(batch_, order.size - begin);
            pace.spend(n * layers_.parameters);
            const double mass = mass_of(order.data + begin, n);
            if (!(mass > 0.0)) continue;
            ++sum.steps;
            const double value = step(order.data + begin, n, mass, sum.steps);
            const bool per_row = options_.mean || options_.step.penalty == Penalty::tradeoff;
            sum.objective += per_row ? mass * value : value;
            sum.mass += mass;
            if (!std::isfinite(value)) break;  // diverged: what follows would all be NaN
        }
        give_back(theta_, state_.theta);
        give_back(first_, state_.first);
        give_back(second_, state_.second);
        return sum;
    }

  private:
    Buffer<T> copied(const double* from) const {
        Buffer<T> to(from == nullptr ? 0 : layers_.parameters);
        for (std::int64_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(from[i]);
        return to;
    }

    static void give_back(const Buffer<T>& from, double* to) {
        for (std::int64_t i = 0; i < from.size(); ++i) to[i] = static_cast<double>(from[i]);
    }

    double mass_of(const std::int64_t* rows, std::int64_t n) const {
        if (w_ == nullptr) return static_cast<double>(n);
        double mass = 0.0;
        for (std::int64_t i = 0; i < n; ++i) mass += w_->data[rows[i]];
        return mass;
    }

    // The value of the objective before the step.
    double step(const std::int64_t* rows, std::int64_t n, double mass, std::int64_t steps) {
        StepOptions o = options_.step;
        const bool tradeoff = o.penalty == Penalty::tradeoff;
        const double share = options_.mean || tradeoff ? 1.0 / mass : 1.0;
        o.scale = tradeoff ? (1.0 - options_.alpha) * share : share;
        o.decay = tradeoff ? options_.alpha : options_.alpha * share;
        if (o.rule == Rule::adam) {
            const double t = static_cast<double>(steps);
            o.rate *= std::sqrt(1.0 - std::pow(o.second, t)) / (1.0 - std::pow(o.momentum, t));
        }
        Dropout dropout = options_.dropout;
        dropout.step = static_cast<std::uint64_t>(steps);
        const std::int64_t items = (n + part_rows - 1) / part_rows;
        crew_->run(items, [&](std::int64_t item) {
            const std::int64_t begin = item * part_rows, end = std::min(begin + part_rows, n);
            row_costs_[static_cast<std::size_t>(item)] = differentiate(rows, begin, end, dropout);
        });
        crew_->run(static_cast<std::int64_t>(parts_.size()), [&](std::int64_t item) {
            const auto place = static_cast<std::size_t>(item);
            penalties_[place] = update(parts_[place], n, o);
        });
        double cost = 0.0, penalty = 0.0;
        for (std::int64_t i = 0; i < items; ++i) cost += row_costs_[static_cast<std::size_t>(i)];
        for (const double part : penalties_) penalty += part;
        return o.penalty == Penalty::none ? o.scale * cost : o.scale * cost + o.decay * penalty;
    }

    // Outputs and deltas of some rows of the batch; returns their cost.
    double differentiate(const std::int64_t* rows, std::int64_t begin, std::int64_t end,
                         const Dropout& dropout) {
        const std::int64_t cols = x_.cols, depth = layers_.depth(), k = layers_.outputs();
        for (std::int64_t i = begin; i < end; ++i) {
            const double* from = x_.row(rows[i]);
            T* to = activity_.values(0) + i * cols;
            for (std::int64_t j = 0; j < cols; ++j) to[j] = static_cast<T>(from[j]);
        }
        forward(layers_, theta_.data(), begin, end, dropout, activity_);
        double cost = 0.0;
        for (std::int64_t i = begin; i < end; ++i)
            cost += output_cost(layers_, targets_.row(rows[i]), w_ == nullptr ? 1.0 : w_->data[rows[i]],
                                activity_.values(depth) + i * k, activity_.delta(depth) + i * k);
        backward(layers_, theta_.data(), begin, end, dropout, activity_);
        return cost;
    }

    // Gradient and step of the weights from some inputs, and with the first of them, of the constants.
    double update(const WeightPart& part, std::int64_t n, const StepOptions& o) {
        const std::int64_t in = layers_.at(part.layer), out = layers_.at(part.layer + 1);
        const std::int64_t from = layers_.first(part.layer) + part.begin * out;
        const T* deltas = activity_.delta(part.layer + 1);
        multiply(true, false, part.end - part.begin, out, n, activity_.values(part.layer) + part.begin, in,
                 deltas, out, gradient_.data() + from, out);
        double penalty = apply(o, true, from, (part.end - part.begin) * out);
        if (part.begin == 0) {
            const std::int64_t constants = layers_.constants(part.layer);
            T* sums = gradient_.data() + constants;
            std::fill_n(sums, out, T{0});
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < out; ++j) sums[j] += deltas[i * out + j];
            penalty += apply(o, o.penalty == Penalty::tradeoff, constants, out);
        }
        return penalty;
    }

    double apply(const StepOptions& o, bool penalized, std::int64_t from, std::int64_t n) {
        const std::uint8_t* mask = state_.mask == nullptr ? nullptr : state_.mask + from;
        T* second = second_.size() == 0 ? nullptr : second_.data() + from;
        return take_step(o, penalized, gradient_.data() + from, mask, theta_.data() + from,
                         first_.data() + from, second, n);
    }

    const Layers& layers_;
    const Matrix<double>& x_;
    const Matrix<double>& targets_;
    const Vector<double>* w_;
    const EpochOptions& options_;
    const EpochState& state_;
    std::int64_t batch_;
    Activity<T> activity_;
    Buffer<T> gradient_;
    Buffer<T> theta_;
    Buffer<T> first_;
    Buffer<T> second_;
    std::vector<WeightPart> parts_;
    std::vector<double> row_costs_;
    std::vector<double> penalties_;
    std::unique_ptr<Crew> crew_;
};

void check(const Layers& layers, const Matrix<double>& x, const Vector<std::int64_t>& order,
           const EpochOptions& options) {
    if (options.batch < 1) refuse("batch must be 1 or more; got ", options.batch, ".");
    if (options.before.steps < 0) refuse("steps must be 0 or more; got ", options.before.steps, ".");
    if (!(options.dropout.rate >= 0.0 && options.dropout.rate < 1.0))
        refuse("the rate of dropout must be in [0, 1); got ", options.dropout.rate, ".");
    for (std::int64_t i = 0; i < order.size; ++i)
        if (order.data[i] < 0 || order.data[i] >= x.rows)
            refuse("order must name rows of X by 0 to ", x.rows - 1, "; entry ", i, " is ", order.data[i],
                   ".");
    checked_product(layers.widest, options.batch);
}

}  // namespace

EpochSum network_epoch(const Layers& layers, const Matrix<double>& x, const Matrix<double>& targets,
                       const Vector<double>* w, const Vector<std::int64_t>& order,
                       const EpochOptions& options, const EpochState& state, bool single, int threads) {
    check_rows(layers, x, &targets, w, {state.theta, layers.parameters});
    check(layers, x, order, options);
    EpochOptions fitting = options;  // no larger than there are rows
    fitting.batch = std::clamp<std::int64_t>(order.size, 1, options.batch);
    if (single) return Epoch<float>(layers, x, targets, w, fitting, state, threads).run(order);
    return Epoch<double>(layers, x, targets, w, fitting, state, threads).run(order);
}

}  // namespace hornbook
