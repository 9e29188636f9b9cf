// Threads for one kernel call that has many short steps: they start once, and wait between two steps.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hornbook {

class Crew {
  public:
    using Step = std::function<void(std::int64_t)>;

    // The caller is one of the threads.
    explicit Crew(int threads);
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew();

    int size() const { return static_cast<int>(threads_.size()) + 1; }

    // Calls step(item) for every item in [0, n_items), below 2^32, and returns when all are done. The
    // exception of the lowest item is rethrown.
    void run(std::int64_t n_items, const Step& step);

  private:
    void serve();
    bool work_once();
    void record(std::int64_t item);

    // The number of the step in the upper half, and the items that nobody has taken yet in the lower: a
    // thread that is late for a step finds none left.
    std::atomic<std::uint64_t> ticket_{0};
    std::atomic<std::int64_t> done_{0};
    std::atomic<const Step*> step_{nullptr};
    std::atomic<bool> over_{false};
    std::mutex mutex_;
    std::exception_ptr error_;
    std::int64_t error_item_ = 0;
    std::vector<std::jthread> threads_;  // last member: joined before anything they use is destroyed
};

}  // namespace hornbook
