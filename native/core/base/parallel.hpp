// Threads for one kernel call: a team starts, works through numbered items and ends with the call. A pool
// that outlives the call would hang after fork() and oversubscribe the cores under joblib.
#pragma once

#include <cstdint>
#include <functional>

namespace hornbook {

// Calls fn(item) for every item in [0, n_items), on at most `threads` threads, the caller's among them.
// Items are handed out in ascending order. After an exception no further item is started, and the exception
// of the lowest item is rethrown to the caller, so that the outcome never depends on the number of threads.
// The call may be stopped between two items.
void parallel_for(std::int64_t n_items, int threads, const std::function<void(std::int64_t)>& fn);

// The same for rows cut into runs of `step`: calls fn(first, last).
void parallel_rows(std::int64_t n_rows, std::int64_t step, int threads,
                   const std::function<void(std::int64_t, std::int64_t)>& fn);

}  // namespace hornbook
