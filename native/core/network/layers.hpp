// The structure of a feed-forward network: sizes of layers, units and cost, and where its weights are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

enum class Unit : std::int32_t { identity, logistic, tanh, relu, exponential, softmax };
enum class Cost : std::int32_t { squared_error, cross_entropy, relative, divergence, log_loss, poisson };

// A unit's output is amplitude f(slope v); the amplitude is that of tanh alone.
struct Units {
    Unit kind;
    double slope;
    double amplitude;
};

// All weights are in one vector, layer after layer: the matrix of its inputs x units row by row, then the
// constants of its units.
struct Layers {
    std::vector<std::int64_t> sizes;  // inputs first, outputs last
    std::vector<std::int64_t> start;  // of the weights of each layer
    Units hidden;
    Units output;
    Cost cost;
    std::int64_t parameters;
    std::int64_t widest;

    std::int64_t depth() const { return static_cast<std::int64_t>(sizes.size()) - 1; }
    std::int64_t inputs() const { return sizes.front(); }
    std::int64_t outputs() const { return sizes.back(); }
    std::int64_t constants(std::int64_t layer) const {
        return start[static_cast<std::size_t>(layer)] + at(layer) * at(layer + 1);
    }
    std::int64_t at(std::int64_t layer) const { return sizes[static_cast<std::size_t>(layer)]; }
    std::int64_t first(std::int64_t layer) const { return start[static_cast<std::size_t>(layer)]; }
    const Units& units(std::int64_t layer) const { return layer + 1 == depth() ? output : hidden; }
};

// `kinds` are hidden unit, output unit and cost; `numbers` slope and amplitude of hidden, then of output
// units. Throws on what is no network, or on an output unit that does not go with the cost.
Layers checked_layers(const Vector<std::int64_t>& sizes, const Vector<std::int32_t>& kinds,
                      const Vector<double>& numbers);

// Throws unless the arrays have the sizes of the network; w is null for weights of 1.
void check_rows(const Layers& layers, const Matrix<double>& x, const Matrix<double>* targets,
                const Vector<double>* w, const Vector<double>& theta);

// Replaces n net inputs by the outputs of the units; not for softmax.
template <class T>
void apply_units(const Units& units, T* v, std::int64_t n);

// Multiplies n errors by the derivatives of units with these outputs; not for softmax.
template <class T>
void scale_by_slopes(const Units& units, const T* outputs, T* errors, std::int64_t n);

// For one row with net inputs v of the output units: replaces them by outputs, sets `delta` to weight times
// the derivative of the cost by the net inputs, and returns weight times the cost.
template <class T>
double output_cost(const Layers& layers, const double* target, double weight, T* v, T* delta);

}  // namespace hornbook
