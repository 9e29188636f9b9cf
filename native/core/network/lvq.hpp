// One pass of learning vector quantization over the rows, in a given order: LVQ1, LVQ2.1 and LVQ3 (Kohonen
// 1990), and the generalized LVQ of Sato and Yamada (1995).
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

enum class LvqRule : std::int32_t { lvq1 = 0, lvq21 = 1, lvq3 = 2, glvq = 3 };

struct LvqSettings {
    LvqRule rule;
    double eta;      // learning rate; of GLVQ times the square of the unit of distance
    double window;   // LVQ2.1 and LVQ3: width of the window around the border, in [0, 1)
    double epsilon;  // LVQ3: factor of the rate when both winners have the row's class
    double beta;     // GLVQ: slope of the logistic function
};

// Returns the prototypes after the pass. A row of weight w is presented w times, the last time with the
// remaining fraction of the rate, but at most 1024 times; w is null for weights of 1. Of equally near
// prototypes the first is the nearest.
Buffer<double> lvq_pass(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                        const Vector<std::int64_t>& order, const Matrix<double>& prototypes,
                        const Vector<std::int32_t>& classes, const LvqSettings& settings);

}  // namespace hornbook
