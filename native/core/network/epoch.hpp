// One pass over rows in mini-batches, each of which changes the weights (stochastic gradient descent).
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
};

struct EpochState {
    double* theta;
    double* first;             // velocity, or the mean of gradients
    double* second;            // mean of their squares; null if the rule has none
    const std::uint8_t* mask;  // null, or 0 for weights that stay 0
};

// The rows are taken in the order given, `batch` at a time; the last batch may be smaller. Batches without
// weight change nothing. Sums go on from those before. `single` computes in single precision. The result does
// not depend on `threads`.
EpochSum network_epoch(const Layers& layers, const Matrix<double>& x, const Matrix<double>& targets,
                       const Vector<double>* w, const Vector<std::int64_t>& order,
                       const EpochOptions& options, const EpochState& state, bool single, int threads);

}  // namespace hornbook
