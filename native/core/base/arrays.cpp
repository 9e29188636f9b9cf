#include "core/base/arrays.hpp"

#include <cstdlib>
#include <limits>
#include <new>

#include "core/base/refuse.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace hornbook {

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
    if (a < 0 || b < 0 || (b > 0 && a > std::numeric_limits<std::int64_t>::max() / b))
        refuse("An array of ", a, " x ", b, " entries is not possible.");
    return a * b;
}

void* allocate(std::int64_t count, std::int64_t size) {
    constexpr std::size_t line = 64;
    constexpr std::size_t huge_page = std::size_t{1} << 21;
    const auto bytes = static_cast<std::size_t>(checked_product(count, size));
    // Fresh memory is mapped page by page; huge pages save most of the page faults of a large result.
    const bool large = bytes >= 2 * huge_page;
    const std::size_t step = large ? huge_page : line;
    const std::size_t rounded = (bytes / step + 1) * step;
    void* memory = std::aligned_alloc(step, rounded);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
    if (large) madvise(memory, rounded, MADV_HUGEPAGE);  // a hint; if the kernel declines, only speed suffers
#endif
    return memory;
}

void release(void* memory) noexcept { std::free(memory); }

}  // namespace hornbook
