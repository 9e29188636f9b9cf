// Kernels run without the interpreter's lock, and stop when Python wants them to.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>

#include "core/stop.hpp"

namespace hornbook {

// Stops the kernels that other threads run under it.
class StopFlag {
  public:
    void set() { set_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return set_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> set_{false};
};

// Over one call. On the main thread signals are handled as they come: where Ctrl-C raises, the kernel stops.
// Other threads never handle them; there only the flag that the thread heeds can stop it.
class CallWatch final : public Watch {
  public:
    CallWatch();

    Post post() { return {handles_signals_ || flag_ != nullptr ? this : nullptr, true}; }
    // Throws Stopped when the flag was set before: the thread may make many short calls.
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
    const Watched watched(watch.post());
    try {
        watch.begin();
        const nanobind::gil_scoped_release released;
        return fn();
    } catch (const Stopped&) {
        CallWatch::raise();
    }
}

}  // namespace hornbook
