// Forward and backward passes over some rows, and the sums over rows that need nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/network/layers.hpp"

namespace hornbook {

// Outputs of all units and their deltas for some rows, one matrix rows x size for each layer.
template <class T>
struct Activity {
    Activity(const Layers& layers, std::int64_t rows, bool with_deltas);

    std::vector<Buffer<T>> outputs;  // of layer 0, the rows themselves, to the last
    std::vector<Buffer<T>> deltas;   // of layers 1 to last; without them, empty
    T* values(std::int64_t layer) { return outputs[static_cast<std::size_t>(layer)].data(); }
    T* delta(std::int64_t layer) { return deltas[static_cast<std::size_t>(layer - 1)].data(); }
};

// Units that are left out at random: each output of a hidden layer is 0 with this probability, and the others
// are scaled so that their expectation stays. What is drawn depends on seed, step, layer, row and unit alone.
struct Dropout {
    double rate = 0.0;
    std::uint64_t seed = 0;
    std::uint64_t step = 0;

    bool drops(std::int64_t layer, std::int64_t row, std::int64_t unit) const;
};

// Net inputs of the output units of rows [first, last), whose inputs are in `activity`; the outputs of hidden
// units on the way.
template <class T>
void forward(const Layers& layers, const T* theta, std::int64_t first, std::int64_t last,
             const Dropout& dropout, Activity<T>& activity);

// Deltas of hidden units from those of the outputs.
template <class T>
void backward(const Layers& layers, const T* theta, std::int64_t first, std::int64_t last,
              const Dropout& dropout, Activity<T>& activity);

// Outputs of the network, or the net inputs of its output units.
Buffer<double> network_outputs(const Layers& layers, const Matrix<double>& x, const Vector<double>& theta,
                               bool net, int threads);

struct NetworkGradient {
    double cost;  // sum over rows of weight times cost
    Buffer<double> gradient;
};

// Cost and its gradient, summed over the rows.
NetworkGradient network_gradient(const Layers& layers, const Matrix<double>& x, const Matrix<double>& targets,
                                 const Vector<double>* w, const Vector<double>& theta);

struct NetworkJacobian {
    Buffer<double> net;       // rows x outputs: net inputs of the output units
    Buffer<double> jacobian;  // rows x outputs x weights: their derivatives
};

NetworkJacobian network_jacobian(const Layers& layers, const Matrix<double>& x, const Vector<double>& theta);

}  // namespace hornbook
