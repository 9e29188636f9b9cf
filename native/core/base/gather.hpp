// Columns into one row-major matrix, in one pass.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

enum class Element { boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

struct Column {
    const void* data;
    std::int64_t size;
    std::int64_t stride;  // counts elements
    Element element;
};

// One byte of a NumPy array of booleans.
struct Boolean {
    std::uint8_t byte;
    explicit operator double() const { return byte != 0 ? 1.0 : 0.0; }
};

// Calls fn with the elements of a column as a pointer to their own type.
template <class Fn>
void with_elements(const Column& column, Fn&& fn) {
    switch (column.element) {
        case Element::boolean:
            return fn(static_cast<const Boolean*>(column.data));
        case Element::int8:
            return fn(static_cast<const std::int8_t*>(column.data));
        case Element::int16:
            return fn(static_cast<const std::int16_t*>(column.data));
        case Element::int32:
            return fn(static_cast<const std::int32_t*>(column.data));
        case Element::int64:
            return fn(static_cast<const std::int64_t*>(column.data));
        case Element::uint8:
            return fn(static_cast<const std::uint8_t*>(column.data));
        case Element::uint16:
            return fn(static_cast<const std::uint16_t*>(column.data));
        case Element::uint32:
            return fn(static_cast<const std::uint32_t*>(column.data));
        case Element::uint64:
            return fn(static_cast<const std::uint64_t*>(column.data));
        case Element::float32:
            return fn(static_cast<const float*>(column.data));
        case Element::float64:
            return fn(static_cast<const double*>(column.data));
    }
}

// All columns have the same length; other numeric types are rounded to the nearest double, true becomes 1.
Buffer<double> gather(const std::vector<Column>& columns, int threads);

// All columns hold int32.
Buffer<std::int32_t> gather_codes(const std::vector<Column>& columns, int threads);

}  // namespace hornbook
