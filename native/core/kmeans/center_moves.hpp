// How far centers have moved from one pass to the next.
#pragma once

#include "core/base/arrays.hpp"

namespace hornbook {

// Three rows with an entry for each center: the largest move of another one since an earlier pass; half the
// distance to the nearest other; its own move. Before the first pass there are no moves. They are rounded to
// be safe: moves up, distances down. With gaps nothing is near, as the triangle inequality does not hold
// between rows that lack some of the columns.
Buffer<double> center_moves(const Matrix<double>& centers, const Matrix<double>* before, bool gaps,
                            int threads);

}  // namespace hornbook
