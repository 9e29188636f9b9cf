#include "core/stop.hpp"

namespace hornbook {

namespace {

constinit thread_local ThreadWatch current;

}  // namespace

void Watch::check(bool polls) {
    if (stopped_.load(std::memory_order_relaxed)) throw Stopped();
    if (!polls || Clock::now() < next_) return;
    if (wants_stop()) {
        stopped_.store(true, std::memory_order_relaxed);
        throw Stopped();
    }
    next_ = Clock::now() + interval;  // wants_stop() may have taken a while
}

ThreadWatch current_watch() { return current; }

WatchScope::WatchScope(ThreadWatch watch) : previous_(current) { current = watch; }

WatchScope::~WatchScope() { current = previous_; }

void stop_point() {
    if (current.watch != nullptr) current.watch->check(current.polls);
}

void Pace::pause() {
    left_ = enough;
    stop_point();
}

}  // namespace hornbook
