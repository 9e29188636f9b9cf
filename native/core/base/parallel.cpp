#include "core/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

class Team {
  public:
    Team(std::int64_t n_items, const std::function<void(std::int64_t)>& fn) : n_items_(n_items), fn_(fn) {}

    // Takes items until none is left or somebody failed.
    void work() noexcept {
        while (!failed_.load(std::memory_order_relaxed)) {
            const std::int64_t item = next_.fetch_add(1, std::memory_order_relaxed);
            if (item >= n_items_) return;
            try {
                fn_(item);
            } catch (...) {
                note(item, std::current_exception());
            }
        }
    }

    void rethrow() {
        const std::lock_guard lock(mutex_);
        if (error_) std::rethrow_exception(std::move(error_));
    }

  private:
    // Every item below a failed one has been handed out, so the lowest failure is known once all have ended.
    void note(std::int64_t item, std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        if (item < error_item_) {
            error_item_ = item;
            error_ = std::move(error);
        }
        failed_.store(true, std::memory_order_relaxed);
    }

    const std::int64_t n_items_;
    const std::function<void(std::int64_t)>& fn_;
    std::atomic<std::int64_t> next_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::exception_ptr error_;
    std::int64_t error_item_ = std::numeric_limits<std::int64_t>::max();
};

// A request for a million threads is honored as far as it can do any good.
std::int64_t team_size(std::int64_t n_items, int threads) {
    constexpr std::int64_t usual_limit = 256;
    const std::int64_t size = std::min(n_items, static_cast<std::int64_t>(threads));
    if (size <= usual_limit) return size;
    // Not before: the system reads a file to answer, which takes longer than many a call does.
    return std::min(size, std::max<std::int64_t>(usual_limit, std::thread::hardware_concurrency()));
}

}  // namespace

void parallel_for(std::int64_t n_items, int threads, const std::function<void(std::int64_t)>& fn) {
    if (threads < 1) refuse("threads must be at least 1; got ", threads, ".");
    const std::int64_t size = team_size(n_items, threads);
    if (size <= 1) {
        for (std::int64_t item = 0; item < n_items; ++item) fn(item);
        return;
    }
    Team team(n_items, fn);
    {
        std::vector<std::jthread> others;
        others.reserve(static_cast<std::size_t>(size - 1));
        try {
            for (std::int64_t i = 1; i < size; ++i) others.emplace_back([&team] { team.work(); });
        } catch (const std::system_error&) {
            // The machine has no more threads to give: those that started, and this one, do all the work.
        }
        team.work();
    }
    team.rethrow();
}

void parallel_rows(std::int64_t n_rows, std::int64_t step, int threads,
                   const std::function<void(std::int64_t, std::int64_t)>& fn) {
    const std::int64_t n_items = (n_rows + step - 1) / step;
    parallel_for(n_items, threads, [&](std::int64_t item) {
        const std::int64_t first = item * step;
        fn(first, std::min(first + step, n_rows));
    });
}

}  // namespace hornbook
