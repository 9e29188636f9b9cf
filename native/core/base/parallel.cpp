#include "core/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

class Team {
  public:
    Team(std::int64_t n_items, const std::function<void(std::int64_t)>& fn) : n_items_(n_items), fn_(fn) {}

    // Calls work() on `count` more threads, or on as many as the system can start.
    void start(std::int64_t count) {
        threads_.reserve(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            count_working(1);
            try {
                threads_.emplace_back([this, watch = current_watch().watch] {
                    const WatchScope watched({watch, false});
                    work();
                    count_working(-1);
                });
            } catch (const std::system_error&) {
                count_working(-1);
                return;
            }
        }
    }

    // Takes items until none is left or one has failed.
    void work() noexcept {
        while (!failed_.load(std::memory_order_relaxed)) {
            const std::int64_t item = next_.fetch_add(1, std::memory_order_relaxed);
            if (item >= n_items_) return;
            guard(item, [&] {
                stop_point();
                fn_(item);
            });
        }
    }

    // Waits for the other threads, and keeps polling for a stop request meanwhile.
    void finish() {
        std::unique_lock lock(mutex_);
        while (current_watch().polls && working_ > 0) {
            changed_.wait_for(lock, Watch::interval);
            lock.unlock();
            guard(stopped, stop_point);
            lock.lock();
        }
        lock.unlock();
        threads_.clear();
        if (error_) std::rethrow_exception(std::move(error_));
    }

  private:
    static constexpr std::int64_t stopped = -1;  // sorts before the failure of any item

    void count_working(std::int64_t more) {
        const std::lock_guard lock(mutex_);
        working_ += more;
        if (working_ == 0) changed_.notify_one();
    }

    template <class Fn>
    void guard(std::int64_t item, const Fn& fn) noexcept {
        try {
            fn();
        } catch (const Stopped&) {
            record(stopped, std::current_exception());
        } catch (...) {
            record(item, std::current_exception());
        }
    }

    // Every item below a failed one has been handed out, so the lowest failure is known once all have ended.
    void record(std::int64_t item, std::exception_ptr error) {
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
    std::condition_variable changed_;
    std::int64_t working_ = 0;  // other threads that have not ended
    std::exception_ptr error_;
    std::int64_t error_item_ = std::numeric_limits<std::int64_t>::max();
    std::vector<std::jthread> threads_;  // last member: joined before anything they use is destroyed
};

// Caps absurd requests: more threads than cores do no good.
std::int64_t team_size(std::int64_t n_items, int threads) {
    constexpr std::int64_t usual_limit = 256;
    const std::int64_t size = std::min(n_items, static_cast<std::int64_t>(threads));
    if (size <= usual_limit) return size;
    // Only now: hardware_concurrency() reads a file, which takes longer than many kernel calls.
    return std::min(size, std::max<std::int64_t>(usual_limit, std::thread::hardware_concurrency()));
}

}  // namespace

void parallel_for(std::int64_t n_items, int threads, const std::function<void(std::int64_t)>& fn) {
    if (threads < 1) refuse("threads must be at least 1; got ", threads, ".");
    const std::int64_t size = team_size(n_items, threads);
    if (size <= 1) {
        for (std::int64_t item = 0; item < n_items; ++item) {
            if (item > 0) stop_point();
            fn(item);
        }
        return;
    }
    Team team(n_items, fn);
    team.start(size - 1);
    team.work();
    team.finish();
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
