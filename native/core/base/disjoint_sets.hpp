// Sets that grow together (union-find).
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace hornbook {

// Of the numbers below n, at first one in each. Threads may unite at the same time: a root is only ever
// linked below a lower one, so the sets do not depend on the order in which that happens.
class DisjointSets {
  public:
    explicit DisjointSets(std::int64_t n) : parent_(static_cast<std::size_t>(n)) {
        for (std::int64_t i = 0; i < n; ++i) at(i).store(i, std::memory_order_relaxed);
    }

    std::int64_t find(std::int64_t i) {
        for (;;) {
            std::int64_t parent = at(i).load(std::memory_order_relaxed);
            if (parent == i) return i;
            const std::int64_t above = at(parent).load(std::memory_order_relaxed);
            // Halving the path; another thread may have linked i still lower meanwhile, which is as good.
            if (above != parent) at(i).compare_exchange_weak(parent, above, std::memory_order_relaxed);
            i = above;
        }
    }

    void unite(std::int64_t one, std::int64_t other) {
        for (;;) {
            one = find(one);
            other = find(other);
            if (one == other) return;
            if (one > other) std::swap(one, other);
            std::int64_t expected = other;
            if (at(other).compare_exchange_strong(expected, one, std::memory_order_relaxed)) return;
        }
    }

  private:
    std::atomic<std::int64_t>& at(std::int64_t i) { return parent_[static_cast<std::size_t>(i)]; }

    std::vector<std::atomic<std::int64_t>> parent_;
};

}  // namespace hornbook
