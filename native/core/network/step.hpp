// How a gradient changes weights: one step of an update rule.
#pragma once

#include <cstdint>

namespace hornbook {

enum class Rule : std::int32_t { gradient, momentum, nesterov, adam };
enum class Penalty : std::int32_t { none, squares, elimination, tradeoff };

// What a step needs beside the gradient. With `scale` s and `decay` d, the gradient of the objective is
// s g + d P', where g is the sum over rows and P' the derivative of the penalty of a weight w: w for squares;
// 2 w w0^2 / (w0^2 + w^2)^2 for weight elimination, of w^2 / (w0^2 + w^2); 2 w for the trade-off.
struct StepOptions {
    Rule rule;
    Penalty penalty;
    double rate;      // for Adam, corrected for the start of its means
    double momentum;  // or the first decay rate of Adam
    double second;    // the second decay rate of Adam
    double epsilon;
    double scale;
    double decay;
    double width;  // w0
};

// Updates n weights and their state, both of which are left at 0 where the mask is 0; returns the sum of the
// penalties before the step. `penalized` says whether these weights are.
template <class T>
double take_step(const StepOptions& options, bool penalized, const T* gradient, const std::uint8_t* mask,
                 T* theta, T* first, T* second, std::int64_t n);

}  // namespace hornbook
