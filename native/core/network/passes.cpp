#include "core/network/passes.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/network/products.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run_rows = 256;
constexpr std::int64_t most_derivatives = std::int64_t{1} << 31;

std::uint64_t mixed(std::uint64_t bits) {  // the finalizer of SplitMix64 (Steele, Lea and Flood 2014)
    bits += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

// Drops outputs of a hidden layer, or errors of the same units, and scales the others.
template <class T>
void drop(const Dropout& dropout, std::int64_t layer, std::int64_t row, T* values, std::int64_t n) {
    const T scale = static_cast<T>(1.0 / (1.0 - dropout.rate));
    for (std::int64_t j = 0; j < n; ++j) values[j] = dropout.drops(layer, row, j) ? T{0} : scale * values[j];
}

void copy_rows(const Matrix<double>& x, std::int64_t first, std::int64_t count, double* to) {
    std::copy_n(x.row(first), count * x.cols, to);
}

}  // namespace

template <class T>
Activity<T>::Activity(const Layers& layers, std::int64_t rows, bool with_deltas) {
    for (std::int64_t l = 0; l <= layers.depth(); ++l) {
        outputs.emplace_back(rows, layers.at(l));
        if (with_deltas && l > 0) deltas.emplace_back(rows, layers.at(l));
    }
}

bool Dropout::drops(std::int64_t layer, std::int64_t row, std::int64_t unit) const {
    const std::uint64_t place = mixed(mixed(seed ^ mixed(step)) + static_cast<std::uint64_t>(layer));
    const std::uint64_t bits =
        mixed(mixed(place + static_cast<std::uint64_t>(row)) ^ static_cast<std::uint64_t>(unit));
    return static_cast<double>(bits >> 11) * 0x1p-53 < rate;
}

template <class T>
void forward(const Layers& layers, const T* theta, std::int64_t first, std::int64_t last,
             const Dropout& dropout, Activity<T>& activity) {
    for (std::int64_t l = 0; l < layers.depth(); ++l) {
        const std::int64_t in = layers.at(l), out = layers.at(l + 1);
        const T* weights = theta + layers.first(l);
        const T* constants = theta + layers.constants(l);
        T* values = activity.values(l + 1) + first * out;
        multiply(false, false, last - first, out, in, activity.values(l) + first * in, in, weights, out,
                 values, out);
        for (std::int64_t i = first; i < last; ++i, values += out) {
            for (std::int64_t j = 0; j < out; ++j) values[j] += constants[j];
            if (l + 1 == layers.depth()) continue;
            apply_units(layers.hidden, values, out);
            if (dropout.rate > 0.0) drop(dropout, l, i, values, out);
        }
    }
}

template <class T>
void backward(const Layers& layers, const T* theta, std::int64_t first, std::int64_t last,
              const Dropout& dropout, Activity<T>& activity) {
    for (std::int64_t l = layers.depth() - 1; l > 0; --l) {
        const std::int64_t in = layers.at(l), out = layers.at(l + 1), n = last - first;
        T* errors = activity.delta(l) + first * in;
        T* values = activity.values(l) + first * in;
        multiply(false, true, n, in, out, activity.delta(l + 1) + first * out, out, theta + layers.first(l),
                 out, errors, in);
        if (dropout.rate == 0.0) {
            scale_by_slopes(layers.hidden, values, errors, n * in);
            continue;
        }
        const T kept = static_cast<T>(1.0 - dropout.rate);
        std::vector<T> whole(static_cast<std::size_t>(in));
        for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = 0; j < in; ++j)
                whole[static_cast<std::size_t>(j)] = values[i * in + j] * kept;
            scale_by_slopes(layers.hidden, whole.data(), errors + i * in, in);
            drop(dropout, l - 1, first + i, errors + i * in, in);
        }
    }
}

Buffer<double> network_outputs(const Layers& layers, const Matrix<double>& x, const Vector<double>& theta,
                               bool net, int threads) {
    check_rows(layers, x, nullptr, nullptr, theta);
    const std::int64_t k = layers.outputs();
    Buffer<double> out(x.rows, k);
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t begin, std::int64_t end) {
        Activity<double> activity(layers, end - begin, false);
        copy_rows(x, begin, end - begin, activity.values(0));
        forward(layers, theta.data, 0, end - begin, Dropout{}, activity);
        double* values = activity.values(layers.depth());
        std::vector<double> none(static_cast<std::size_t>(k));
        const std::vector<double> target(static_cast<std::size_t>(k));
        for (std::int64_t i = 0; !net && i < end - begin; ++i)
            output_cost(layers, target.data(), 0.0, values + i * k, none.data());
        std::copy_n(values, (end - begin) * k, out.data() + begin * k);
    });
    return out;
}

NetworkGradient network_gradient(const Layers& layers, const Matrix<double>& x, const Matrix<double>& targets,
                                 const Vector<double>* w, const Vector<double>& theta) {
    check_rows(layers, x, &targets, w, theta);
    NetworkGradient sum{0.0, Buffer<double>(1, layers.parameters, 0.0)};
    const std::int64_t most = std::min(run_rows, std::max<std::int64_t>(x.rows, 1)), k = layers.outputs();
    Activity<double> activity(layers, most, true);
    Buffer<double> part(layers.parameters);
    for (std::int64_t begin = 0; begin < x.rows; begin += most) {
        stop_point();
        const std::int64_t n = std::min(most, x.rows - begin);
        copy_rows(x, begin, n, activity.values(0));
        forward(layers, theta.data, 0, n, Dropout{}, activity);
        for (std::int64_t i = 0; i < n; ++i)
            sum.cost +=
                output_cost(layers, targets.row(begin + i), w == nullptr ? 1.0 : w->data[begin + i],
                            activity.values(layers.depth()) + i * k, activity.delta(layers.depth()) + i * k);
        backward(layers, theta.data, 0, n, Dropout{}, activity);
        for (std::int64_t l = 0; l < layers.depth(); ++l) {
            const std::int64_t in = layers.at(l), out = layers.at(l + 1);
            const double* deltas = activity.delta(l + 1);
            multiply(true, false, in, out, n, activity.values(l), in, deltas, out,
                     part.data() + layers.first(l), out);
            double* constants = part.data() + layers.constants(l);
            std::fill_n(constants, out, 0.0);
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < out; ++j) constants[j] += deltas[i * out + j];
        }
        for (std::int64_t p = 0; p < layers.parameters; ++p) sum.gradient[p] += part[p];
    }
    return sum;
}

NetworkJacobian network_jacobian(const Layers& layers, const Matrix<double>& x, const Vector<double>& theta) {
    check_rows(layers, x, nullptr, nullptr, theta);
    const std::int64_t k = layers.outputs(), m = layers.parameters, depth = layers.depth();
    const std::int64_t entries = checked_product(checked_product(x.rows, k), m);
    if (entries > most_derivatives) refuse("X must not have so many rows that there are 2^31 derivatives.");
    NetworkJacobian out{Buffer<double>(x.rows, k), Buffer<double>(entries)};
    Activity<double> activity(layers, 1, true);
    Pace pace;
    for (std::int64_t i = 0; i < x.rows; ++i) {
        copy_rows(x, i, 1, activity.values(0));
        forward(layers, theta.data, 0, 1, Dropout{}, activity);
        std::copy_n(activity.values(depth), k, out.net.data() + i * k);
        for (std::int64_t c = 0; c < k; ++c) {
            pace.spend(m);
            double* row = out.jacobian.data() + (i * k + c) * m;
            for (std::int64_t j = 0; j < k; ++j) activity.delta(depth)[j] = j == c ? 1.0 : 0.0;
            backward(layers, theta.data, 0, 1, Dropout{}, activity);
            for (std::int64_t l = 0; l < depth; ++l) {
                const std::int64_t in = layers.at(l), units = layers.at(l + 1);
                const double* deltas = activity.delta(l + 1);
                double* weights = row + layers.first(l);
                for (std::int64_t a = 0; a < in; ++a)
                    for (std::int64_t j = 0; j < units; ++j)
                        weights[a * units + j] = activity.values(l)[a] * deltas[j];
                std::copy_n(deltas, units, row + layers.constants(l));
            }
        }
    }
    return out;
}

template struct Activity<double>;
template struct Activity<float>;
template void forward<double>(const Layers&, const double*, std::int64_t, std::int64_t, const Dropout&,
                              Activity<double>&);
template void forward<float>(const Layers&, const float*, std::int64_t, std::int64_t, const Dropout&,
                             Activity<float>&);
template void backward<double>(const Layers&, const double*, std::int64_t, std::int64_t, const Dropout&,
                               Activity<double>&);
template void backward<float>(const Layers&, const float*, std::int64_t, std::int64_t, const Dropout&,
                              Activity<float>&);

}  // namespace hornbook
