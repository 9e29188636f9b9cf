#include "core/base/crew.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace hornbook {

namespace {

constexpr std::uint64_t left_mask = 0xFFFFFFFFu;
constexpr int spins = 2000;  // about the time that a sleeping thread needs to wake up

void rest() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

Crew::Crew(int threads) {
    constexpr int most = 256;
    const int more = std::min(threads, most) - 1;
    for (int i = 0; i < more; ++i) {
        try {
            threads_.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {
            return;  // as many as the system can start
        }
    }
}

Crew::~Crew() {
    over_.store(true);
    ticket_.fetch_add(left_mask + 1);  // a new step without items
    ticket_.notify_all();
}

void Crew::run(std::int64_t n_items, const Step& step) {
    if (threads_.empty() || n_items <= 1) {
        for (std::int64_t item = 0; item < n_items; ++item) step(item);
        return;
    }
    done_.store(0, std::memory_order_relaxed);
    step_.store(&step, std::memory_order_relaxed);
    const std::uint64_t number = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
    ticket_.store(number << 32 | static_cast<std::uint64_t>(n_items), std::memory_order_release);
    ticket_.notify_all();
    while (work_once()) {
    }
    for (int spin = 0; done_.load(std::memory_order_acquire) < n_items; ++spin)
        if (spin < spins)
            rest();
        else
            std::this_thread::yield();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

// Takes one item of the current step; false if none is left.
bool Crew::work_once() {
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    do {
        if ((ticket & left_mask) == 0) return false;
    } while (!ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel));
    const auto item = static_cast<std::int64_t>(ticket & left_mask) - 1;
    try {
        (*step_.load(std::memory_order_relaxed))(item);
    } catch (...) {
        record(item);
    }
    done_.fetch_add(1, std::memory_order_release);
    return true;
}

void Crew::serve() {
    while (!over_.load(std::memory_order_relaxed)) {
        if (work_once()) continue;
        const std::uint64_t seen = ticket_.load(std::memory_order_acquire);
        if ((seen & left_mask) != 0 || over_.load(std::memory_order_relaxed)) continue;
        int spin = 0;
        while (spin < spins && ticket_.load(std::memory_order_relaxed) == seen) {
            rest();
            ++spin;
        }
        if (spin == spins) ticket_.wait(seen, std::memory_order_acquire);
    }
}

void Crew::record(std::int64_t item) {
    const std::lock_guard lock(mutex_);
    if (error_ && error_item_ < item) return;
    error_item_ = item;
    error_ = std::current_exception();
}

}  // namespace hornbook
