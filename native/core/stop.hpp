// Long work can be stopped from outside: whoever calls a kernel may watch it, and the kernel comes to a point
// where it may stop every few milliseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace hornbook {

// Thrown where work stops.
class Stopped : public std::exception {
  public:
    const char* what() const noexcept override { return "the work was stopped."; }
};

// Asks, about ten times a second, whether to go on. One call of a kernel has one watch; the thread that made
// the call asks, the threads of its team are told.
class Watch {
  public:
    static constexpr std::chrono::milliseconds interval{100};

    Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    virtual ~Watch() = default;

    // Throws Stopped when the work is to stop; asks if it may and if it is time to.
    void look(bool asks);

  protected:
    virtual bool wants_stop() = 0;

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point next_ = Clock::now() + interval;
    std::atomic<bool> stopped_{false};
};

// The watch over what this thread does, and whether this thread asks; null when nobody watches.
struct Post {
    Watch* watch = nullptr;
    bool asks = false;
};

Post current_post();

// Puts this thread under a watch for as long as the object lives.
class Watched {
  public:
    explicit Watched(Post post);
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    ~Watched();

  private:
    Post before_;
};

// Throws Stopped when the watch over this thread says so. Takes as long as a look at the clock.
void stop_point();

// The same for loops whose turns are shorter than that: a point is reached when enough has been done.
class Pace {
  public:
    // `work` is how many numbers were looked at, roughly.
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
