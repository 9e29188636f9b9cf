// Dual descent for all classes at once: the machine of Crammer and Singer ("On the algorithmic implementation
// of multiclass kernel-based vector machines", 2001), one row after the other as in Keerthi et al. ("A
// sequential dual method for large scale multi-class linear SVMs", 2008).
//
// Minimized is ½ Σ |w_m|² + Σ over rows i and classes m other than its own of a_im, with
// w_m = Σ a_im (x_i, constant), Σ over m of a_im = 0, a_im <= 0, and a_iy <= C_i for the row's own class y.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/svm/linear/linear_descent.hpp"

namespace hornbook {

// One pass over the first n_active rows named in `order`, shuffled by the seed and the number of the pass.
// Updates a (`values`, rows by classes) and w (`weights`, columns and the constant by classes); puts rows
// without multipliers whose own class leads by more than `shrink_above` behind the others. The rows are
// sparse; y are classes from 0 to n_classes - 1.
LinearPass joint_descent_pass(const LinearRows& rows, const Vector<std::int64_t>& y,
                              const Vector<double>& costs, std::int64_t n_classes, double* values,
                              double* weights, std::int64_t* order, std::int64_t n_active,
                              double shrink_above, std::uint64_t seed, std::uint64_t pass);

}  // namespace hornbook
