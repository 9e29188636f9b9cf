// Passes over rows in mini-batches, each of which changes the weights (stochastic gradient descent).
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/network/layers.hpp"
#include "core/network/passes.hpp"
#include "core/network/step.hpp"

namespace hornbook {

struct EpochSum {
    double objective;  // sum over batches of the objective before its step, times its mass if it is a mean
    double mass;       // sum of weights
    std::int64_t steps;
};

struct EpochOptions {
    StepOptions step;
    double alpha;  // weight of the penalty
    bool mean;     // whether the objective of a batch is a mean over its rows, or a sum
    Dropout dropout;
    std::int64_t batch;
    EpochSum
        before;  // what earlier calls of the same pass have come to; Adam corrects its means by the steps

    // Whether the objective of a batch is divided by its mass.
    bool per_row() const { return mean || step.penalty == Penalty::tradeoff; }
    // The step of a batch of this mass.
    StepOptions step_of(double batch_mass, std::int64_t steps) const;
};

struct EpochState {
    double* theta;
    double* first;             // velocity, or the mean of gradients
    double* second;            // mean of their squares; null if the rule has none
    const std::uint8_t* mask;  // null, or 0 for weights that stay 0
};

// The rows to learn from.
struct EpochRows {
    const Matrix<double>& x;
    const Matrix<double>& targets;
    const Vector<double>* w;  // null for weights of 1

    double mass(const std::int64_t* rows, std::int64_t n) const;
};

// What several passes have come to, each with its own sums; the steps are those of all.
struct Epochs {
    Buffer<double> objective;
    Buffer<double> mass;
    Buffer<double> theta;  // passes x weights: the weights after each
    std::int64_t steps;
};

// Each row of `orders` is a pass over the rows in that order, `batch` at a time; the last batch of a pass may
// be smaller. Batches without weight change nothing. The sums of the first pass go on from those before. Once
// an objective is not finite, those of all later passes are NaN, and the weights stay. `single` computes in
// single precision. The result depends neither on `threads` nor on how passes are cut into calls.
Epochs network_epochs(const Layers& layers, const EpochRows& rows, const Matrix<std::int64_t>& orders,
                      const EpochOptions& options, const EpochState& state, bool single, int threads);

}  // namespace hornbook
