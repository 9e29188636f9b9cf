// The order in which dual solvers of linear machines visit the rows.
#pragma once

#include <cstdint>

namespace hornbook {

// Shuffles the first n entries, by the seed and the number of the pass.
void shuffle_rows(std::int64_t* order, std::int64_t n, std::uint64_t seed, std::uint64_t pass);

// Refuses an order whose first n entries are not all rows.
void check_order(const std::int64_t* order, std::int64_t n, std::int64_t n_rows);

}  // namespace hornbook
