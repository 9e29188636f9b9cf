// Codes of many columns, one in each SIMD lane.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/simd.hpp"
#include "core/tree/columns/bin_mapper.hpp"

namespace hornbook {

// A code of each of several columns.
typedef std::int32_t LaneCodes __attribute__((vector_size(32), may_alias));

// Reads the codes of at most `lanes` columns of some rows, row by row. Lanes without a column hold codes of
// others.
void read_lanes(const CodedTable& table, std::span<const std::int32_t> columns, const std::int32_t* rows,
                std::int64_t size, LaneCodes* codes);

}  // namespace hornbook
