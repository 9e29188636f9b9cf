// Tables with one slot per level of every coded column, and the check that codes stay inside them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// Where each column's slots begin, and after the last column how many there are in all.
// `spare` slots are added in front of every column's own.
std::vector<std::int64_t> level_offsets(const Vector<std::int32_t>& n_levels, std::int64_t spare = 0);

// Rejects negative and huge numbers of levels, and codes that do not have one column per entry of n_levels.
void check_levels(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels);

// Rejects fewer than one class, and huge numbers of classes.
void check_class_count(std::int64_t n_classes);

// Rejects a code in rows [first, last) that is neither -1 (missing) nor a level of its column.
void check_codes(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels, std::int64_t first,
                 std::int64_t last);

}  // namespace hornbook
