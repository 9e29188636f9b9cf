// Cooperative cancellation: the caller of a kernel may install a watch, and the kernel reaches a stop point
// every few milliseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace hornbook {

// Thrown at a stop point.
class Stopped : public std::exception {
  public:
    const char* what() const noexcept override { return "the work was stopped."; }
};

// Decides, about ten times a second, whether to go on. Each kernel call has one watch; the thread that made
// the call polls it, the threads of its team only read the result.
class Watch {
  public:
    static constexpr std::chrono::milliseconds interval{100};

    Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    virtual ~Watch() = default;

    // Throws Stopped if a stop was requested; polls only if `polls` is set and the interval has passed.
    void check(bool polls);

  protected:
    virtual bool wants_stop() = 0;

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point next_ = Clock::now() + interval;
    std::atomic<bool> stopped_{false};
};

// The watch that applies to this thread, null if none, and whether this thread polls it.
struct ThreadWatch {
    Watch* watch = nullptr;
    bool polls = false;
};

ThreadWatch current_watch();

// Installs a watch on this thread for the lifetime of the object.
class WatchScope {
  public:
    explicit WatchScope(ThreadWatch watch);
    WatchScope(const WatchScope&) = delete;
    WatchScope& operator=(const WatchScope&) = delete;
    ~WatchScope();

  private:
    ThreadWatch previous_;
};

// Throws Stopped if this thread's watch says so. Costs about one reading of the clock.
void stop_point();

// The same for loops whose iterations are shorter than that: reaches a stop point once enough work was done.
class Pace {
  public:
    // `work` is roughly how many numbers were read.
    void spend(std::int64_t work) {
        left_ -= work;
        if (left_ < 0) [[unlikely]]
            pause();
    }

  private:
    static constexpr std::int64_t enough = std::int64_t{1} << 16;

    void pause();

    std::int64_t left_ = enough;
};

}  // namespace hornbook
