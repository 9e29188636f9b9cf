// The nearest rows by Euclidean distance: products in single precision rule out most rows, and the distances
// of the rest are computed exactly. Neighbors and distances are those of the other searches, to the last bit.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/neighbors/nearest.hpp"

namespace hornbook {

Nearest nearest_products(const Matrix<double>& rows, const Matrix<double>& queries, std::int64_t k,
                         int threads);

}  // namespace hornbook
