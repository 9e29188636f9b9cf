// Sequential minimal optimization of a few variables, all of whose kernel values are at hand.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Minimizes ½ b'Kb + ½ Σ ridge b² + linear'b in the variables b of a working set, from low to high, while
// their sum stays what it is. Arrays have room for whole groups of eight.
struct WorkingSet {
    explicit WorkingSet(std::int64_t capacity);

    void resize(std::int64_t size);
    double* row(std::int64_t i) { return kernel.data() + i * stride; }
    const double* previous_row(std::int64_t i) const { return previous.data() + i * previous_stride; }

    std::int64_t room;  // numbers of a kernel matrix
    std::int64_t size = 0;
    std::int64_t stride = 0;
    std::int64_t previous_stride = 0;
    Buffer<double> kernel{0};    // size rows of stride numbers; no memory until the first resize
    Buffer<double> previous{0};  // the same before the last resize; no memory until the second
    Buffer<double> own;          // diagonal of K, ridge included
    Buffer<double> ridge;        // added to the diagonal
    Buffer<double> value;        // the variables
    Buffer<double> low;
    Buffer<double> high;
    Buffer<double> gradient;
    // What keeps a variable at its bound out of the choice: 0, or an infinite number.
    Buffer<double> no_rise;
    Buffer<double> no_fall;
};

struct PairSteps {
    std::int64_t count = 0;
    bool unbounded = false;   // the objective falls forever
    bool indefinite = false;  // K is not positive semidefinite
};

// Pairs by second-order information (Fan, Chen and Lin, JMLR 2005), until no pair violates the optimality
// conditions by more than tol, or for max_steps.
PairSteps optimize_pairs(WorkingSet& set, double tol, std::int64_t max_steps);

}  // namespace hornbook
