// Rows less their center, for single precision: rounding errors grow with the size of the numbers.
#pragma once

#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// The mean of a sample of the rows, as any center is right.
std::vector<double> rough_center(const Matrix<double>& rows);

// The largest distance of a number from the center of its column; infinite if a number is missing.
double largest_gap(const Matrix<double>& table, const std::vector<double>& center);

}  // namespace hornbook
