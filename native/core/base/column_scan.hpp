// One pass over a matrix: missing values and range of each column, first infinity.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Any layout; strides count numbers, not bytes, and may be zero or negative.
struct StridedMatrix {
    const double* data;
    std::int64_t rows;
    std::int64_t cols;
    std::int64_t row_stride;
    std::int64_t col_stride;
};

struct Scan {
    Buffer<std::int64_t> missing;  // NaN cells of each column
    Buffer<double> low;            // smallest finite value, NaN if there is none
    Buffer<double> high;           // largest finite value, NaN if there is none
    std::int64_t infinite;         // row * cols + column of the first infinity in reading order, or -1
};

Scan scan(const StridedMatrix& x, int threads);

// Whether no cell is NaN or infinite: at the speed of memory, where scan() takes twice as long.
bool all_finite(const StridedMatrix& x, int threads);

}  // namespace hornbook
