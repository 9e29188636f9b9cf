#include "core/network/epoch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/crew.hpp"
#include "core/base/refuse.hpp"
#include "core/network/patterns.hpp"
#include "core/network/products.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// How work is cut, whatever the number of threads: rows of a batch, and inputs of a layer.
constexpr std::int64_t part_rows = 64;
constexpr std::int64_t part_inputs = 56, part_numbers = 128 * part_inputs;
constexpr std::int64_t enough_work = 1 << 18;  // multiplications in a batch that are worth a second thread

constexpr std::int64_t line = 8;  // doubles in a line of the cache

struct WeightPart {  // some inputs of one layer
    std::int64_t layer, begin, end;
};

// Passes in batches of any size.
template <class T>
class BatchPasses {
  public:
    BatchPasses(const Layers& layers, const EpochRows& rows, const EpochOptions& options,
                const EpochState& state, int threads)
        : layers_(layers),
          rows_(rows),
          options_(options),
          state_(state),
          batch_(options.batch),
          activity_(layers, batch_, true),
          gradient_(layers.parameters),
          theta_(copied(state.theta)),
          first_(copied(state.first)),
          second_(copied(state.second)) {
        for (std::int64_t l = 0; l < layers.depth(); ++l) {
            // Parts of equal size, so that no thread waits long for the other.
            const std::int64_t in = layers.at(l);
            const std::int64_t most = std::max(part_inputs, part_numbers / layers.at(l + 1));
            const std::int64_t count = (in + most - 1) / most, step = (in + count - 1) / count;
            for (std::int64_t begin = 0; begin < in; begin += step)
                parts_.push_back({l, begin, std::min(begin + step, in)});
        }
        row_costs_.resize(static_cast<std::size_t>((batch_ + part_rows - 1) / part_rows));
        penalties_.resize(parts_.size());
        const bool small = batch_ * layers.parameters < enough_work;
        crew_ = std::make_unique<Crew>(small ? 1 : std::min(threads, 64));
    }

    // Sums that go on from those before.
    EpochSum run(const std::int64_t* order, std::int64_t size, EpochSum sum, Pace& pace) {
        for (std::int64_t begin = 0; begin < size; begin += batch_) {
            const std::int64_t n = std::min(batch_, size - begin);
            pace.spend(n * layers_.parameters);
            const double mass = rows_.mass(order + begin, n);
            if (!(mass > 0.0)) continue;
            ++sum.steps;
            const double value = step(order + begin, n, options_.step_of(mass, sum.steps), sum.steps);
            sum.objective += options_.per_row() ? mass * value : value;
            sum.mass += mass;
            if (!std::isfinite(value)) break;  // diverged: what follows would all be NaN
        }
        return sum;
    }

    void give_weights(double* to) const { give(theta_, to); }

    void give_state() const {
        give(theta_, state_.theta);
        give(first_, state_.first);
        give(second_, state_.second);
    }

  private:
    Buffer<T> copied(const double* from) const {
        Buffer<T> to(from == nullptr ? 0 : layers_.parameters);
        for (std::int64_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(from[i]);
        return to;
    }

    static void give(const Buffer<T>& from, double* to) {
        for (std::int64_t i = 0; i < from.size(); ++i) to[i] = static_cast<double>(from[i]);
    }

    // The value of the objective before the step.
    double step(const std::int64_t* rows, std::int64_t n, const StepOptions& o, std::int64_t steps) {
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
        const std::int64_t cols = rows_.x.cols, depth = layers_.depth(), k = layers_.outputs();
        for (std::int64_t i = begin; i < end; ++i) {
            const double* from = rows_.x.row(rows[i]);
            const double* next = rows_.x.row(rows[std::min(i + 1, end - 1)]);
            T* to = activity_.values(0) + i * cols;
            std::int64_t j = 0;
            for (; j + line <= cols; j += line) {
                __builtin_prefetch(next + j);
                for (std::int64_t p = 0; p < line; ++p) to[j + p] = static_cast<T>(from[j + p]);
            }
            for (; j < cols; ++j) to[j] = static_cast<T>(from[j]);
        }
        forward(layers_, theta_.data(), begin, end, dropout, activity_);
        double cost = 0.0;
        for (std::int64_t i = begin; i < end; ++i)
            cost += output_cost(layers_, rows_.targets.row(rows[i]), rows_.mass(rows + i, 1),
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
    const EpochRows& rows_;
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

void check(const Layers& layers, const Matrix<double>& x, const Matrix<std::int64_t>& orders,
           const EpochOptions& options) {
    if (options.batch < 1) refuse("batch must be 1 or more; got ", options.batch, ".");
    if (options.before.steps < 0) refuse("steps must be 0 or more; got ", options.before.steps, ".");
    if (!(options.dropout.rate >= 0.0 && options.dropout.rate < 1.0))
        refuse("the rate of dropout must be in [0, 1); got ", options.dropout.rate, ".");
    const std::int64_t entries = checked_product(orders.rows, orders.cols);
    for (std::int64_t i = 0; i < entries; ++i)
        if (orders.data[i] < 0 || orders.data[i] >= x.rows)
            refuse("orders must name rows of X by 0 to ", x.rows - 1, "; entry ", i, " is ", orders.data[i],
                   ".");
    checked_product(layers.widest, options.batch);
}

template <class Passes>
Epochs run_all(Passes passes, const Layers& layers, const Matrix<std::int64_t>& orders,
               const EpochOptions& options) {
    const std::int64_t count = orders.rows, m = layers.parameters;
    Epochs out{Buffer<double>(count), Buffer<double>(count), Buffer<double>(count, m), options.before.steps};
    EpochSum sum = options.before;
    bool lost = false;
    Pace pace;
    for (std::int64_t pass = 0; pass < count; ++pass) {
        if (!lost) sum = passes.run(orders.row(pass), orders.cols, sum, pace);
        out.objective[pass] = lost ? std::numeric_limits<double>::quiet_NaN() : sum.objective;
        out.mass[pass] = sum.mass;
        passes.give_weights(out.theta.data() + pass * m);
        lost = lost || !std::isfinite(sum.objective);
        out.steps = sum.steps;
        sum = {0.0, 0.0, sum.steps};
    }
    passes.give_state();
    return out;
}

}  // namespace

StepOptions EpochOptions::step_of(double batch_mass, std::int64_t steps) const {
    StepOptions o = step;
    const bool tradeoff = o.penalty == Penalty::tradeoff;
    const double share = per_row() ? 1.0 / batch_mass : 1.0;
    o.scale = tradeoff ? (1.0 - alpha) * share : share;
    o.decay = tradeoff ? alpha : alpha * share;
    if (o.rule == Rule::adam) {
        const double t = static_cast<double>(steps);
        o.rate *= std::sqrt(1.0 - std::pow(o.second, t)) / (1.0 - std::pow(o.momentum, t));
    }
    return o;
}

double EpochRows::mass(const std::int64_t* rows, std::int64_t n) const {
    if (w == nullptr) return static_cast<double>(n);
    double sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i) sum += w->data[rows[i]];
    return sum;
}

Epochs network_epochs(const Layers& layers, const EpochRows& rows, const Matrix<std::int64_t>& orders,
                      const EpochOptions& options, const EpochState& state, bool single, int threads) {
    check_rows(layers, rows.x, &rows.targets, rows.w, {state.theta, layers.parameters});
    check(layers, rows.x, orders, options);
    EpochOptions fitting = options;  // no larger than there are rows
    fitting.batch = std::clamp<std::int64_t>(orders.cols, 1, options.batch);
    if (!single && one_by_one(layers, options))
        return run_all(PatternPasses(layers, rows, fitting, state), layers, orders, fitting);
    if (single)
        return run_all(BatchPasses<float>(layers, rows, fitting, state, threads), layers, orders, fitting);
    return run_all(BatchPasses<double>(layers, rows, fitting, state, threads), layers, orders, fitting);
}

}  // namespace hornbook
