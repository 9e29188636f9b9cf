// Kernels run without the interpreter's lock, and stop when Python wants them to.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>

#include "core/stop.hpp"

namespace hornbook {

// Set by one thread, stops the kernels of other threads that run inside its with statement.
class StopFlag {
  public:
    void set() { set_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return set_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> set_{false};
};

// The watch over one call. On the main thread it runs Python's signal handlers, so that Ctrl-C stops the
// kernel. Python never runs them on other threads; there only the thread's active flag can stop a kernel.
class CallWatch final : public Watch {
  public:
    CallWatch();

    ThreadWatch thread_watch() { return {handles_signals_ || flag_ != nullptr ? this : nullptr, true}; }
    // Throws Stopped if the flag is already set: many short calls would otherwise never reach a poll.
    void begin() const {
        if (flag_ != nullptr && flag_->is_set()) throw Stopped();
    }
    // Raises what the handler of the signal raised, or KeyboardInterrupt.
    [[noreturn]] static void raise();

  private:
    bool wants_stop() override;

    bool handles_signals_;
    const StopFlag* flag_;
};

// The result of fn, called without the interpreter's lock.
template <class Fn>
auto unlocked(const Fn& fn) {
    CallWatch watch;
    const WatchScope watched(watch.thread_watch());
    try {
        watch.begin();
        const nanobind::gil_scoped_release released;
        return fn();
    } catch (const Stopped&) {
        CallWatch::raise();
    }
}

}  // namespace hornbook
