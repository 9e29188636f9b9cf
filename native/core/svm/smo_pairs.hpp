// Many classification problems on one table, solved side by side.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/svm/smo.hpp"

namespace hornbook {

struct PairProblems {
    Vector<std::int64_t> starts;  // problem p has entries starts[p] to starts[p + 1] of the others
    Vector<std::int64_t> rows;    // of the table
    Vector<double> signs;         // +1 or -1
    Vector<double> costs;         // of slack, above 0
    Vector<double> values;        // to begin with, or none
    bool squared;                 // the loss
};

struct PairSolutions {
    static constexpr std::int64_t n_facts = 7;
    Buffer<double> values;  // multiplier times sign of each entry
    Buffer<double> sums;    // kernel sums of each entry
    Buffer<double> facts;   // of each problem: bias, steps, violation, dual, gap, status, whether indefinite
};

// Every problem is solved on one thread, with this much memory for its kernel values.
PairSolutions solve_pairs(const TableRows& table, const KernelSpec& spec, const PairProblems& problems,
                          const SmoOptions& options, int threads);

}  // namespace hornbook
