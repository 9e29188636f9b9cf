#include "core/base/philox.hpp"

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

Result1<std::uint64_t> call(std::uint64_t seed, std::uint64_t stream, std::uint64_t index, std::int64_t n,
                            std::int64_t start) {
    Buffer<std::uint64_t> out = unlocked([&] { return philox(seed, stream, index, n, start); });
    return give_vector(std::move(out));
}

}  // namespace

void bind_philox(nb::module_& module) {
    module.def(
        "philox", &call, nb::arg("seed"), nb::arg("stream"), nb::arg("index"), nb::arg("n"),
        nb::arg("start") = 0,
        "Random words of Philox4x64-10 with key (seed, stream) and counters (0, index), (1, index), ...");
}

}  // namespace hornbook
