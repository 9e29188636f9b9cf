// Columns into one row-major matrix, in one pass.
#pragma once

#include <cstdint>
#include <vector>

#include "core/arrays.hpp"

namespace hornbook {

enum class Element { boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

struct Column {
    const void* data;
    std::int64_t size;
    std::int64_t stride;  // counts elements
    Element element;
};

// All columns have the same length; numbers of other types become the nearest double, true becomes 1.
Buffer<double> gather(const std::vector<Column>& columns, int threads);

// All columns hold int32.
Buffer<std::int32_t> gather_codes(const std::vector<Column>& columns, int threads);

}  // namespace hornbook
