// Weighted sums of rows of a kernel matrix.
#pragma once

#include <cstdint>

namespace hornbook {

// sums += steps[0] rows[0] + steps[1] rows[1] + ..., for places in [first, last), whole groups of eight.
void add_rows(double* sums, const double* const* rows, const double* steps, std::int64_t n_rows,
              std::int64_t first, std::int64_t last);

}  // namespace hornbook
