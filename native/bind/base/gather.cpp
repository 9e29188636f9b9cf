#include "core/base/gather.hpp"

#include <utility>
#include <vector>

#include "bind/columns.hpp"
#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

template <class T>
Result2<T> call(const nb::list& list, int threads, Buffer<T> (*kernel)(const std::vector<Column>&, int)) {
    const Columns columns(list, std::is_same_v<T, std::int32_t>);
    Buffer<T> out = unlocked([&] { return kernel(columns.views(), threads); });
    return give_matrix(std::move(out), columns.views().front().size,
                       static_cast<std::int64_t>(columns.views().size()));
}

}  // namespace

void bind_gather(nb::module_& module) {
    module.def(
        "gather",
        [](const nb::list& columns, int threads) { return call<double>(columns, threads, &gather); },
        nb::arg("columns"), nb::arg("threads"),
        nb::sig("def gather(columns: list[numpy.typing.NDArray[typing.Any]], threads: int) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        "Row-major float64 matrix of the given columns of numbers.");
    module.def(
        "gather_codes",
        [](const nb::list& columns, int threads) {
            return call<std::int32_t>(columns, threads, &gather_codes);
        },
        nb::arg("columns"), nb::arg("threads"),
        nb::sig("def gather_codes(columns: list[numpy.typing.NDArray[typing.Any]], threads: int) -> "
                "numpy.typing.NDArray[numpy.int32]"),
        "Row-major int32 matrix of the given columns of codes.");
}

}  // namespace hornbook
