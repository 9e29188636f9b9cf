// Threads for one kernel call: a team is started, works through numbered items and is gone when the call
// ends.
#pragma once

#include <cstdint>
#include <functional>

namespace hornbook {

// Calls fn(item) for every item in [0, n_items), on at most `threads` threads, the caller's among them.
// Items are handed out in ascending order. After an exception no further item is started, and the exception
// of the lowest item is thrown to the caller: what comes out never depends on the number of threads. The work
// may stop between two items.
void parallel_for(std::int64_t n_items, int threads, const std::function<void(std::int64_t)>& fn);

// The same for rows cut into runs of `step`: calls fn(first, last).
void parallel_rows(std::int64_t n_rows, std::int64_t step, int threads,
                   const std::function<void(std::int64_t, std::int64_t)>& fn);

}  // namespace hornbook
