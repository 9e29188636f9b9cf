#include "core/base/column_scan.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Strided = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using ScanResult = std::tuple<Result1<std::int64_t>, Result1<double>, Result1<double>, std::int64_t>;

StridedMatrix view(const Strided& X) {
    check_aligned(X.data(), alignof(double), "X");
    return {X.data(), static_cast<std::int64_t>(X.shape(0)), static_cast<std::int64_t>(X.shape(1)),
            X.stride(0), X.stride(1)};
}

bool call_all_finite(const Strided& X, int threads) {
    const StridedMatrix x = view(X);
    return unlocked([&] { return all_finite(x, threads); });
}

ScanResult call(const Strided& X, int threads) {
    const StridedMatrix x = view(X);
    Scan out = unlocked([&] { return scan(x, threads); });
    return {give_vector(std::move(out.missing)), give_vector(std::move(out.low)),
            give_vector(std::move(out.high)), out.infinite};
}

}  // namespace

void bind_scan(nb::module_& module) {
    module.def(
        "scan", &call, nb::arg("X").noconvert(), nb::arg("threads"),
        "NaN count, smallest and largest finite value of each column, and the row-major position of the "
        "first infinity (-1 if there is none).");
    module.def("all_finite", &call_all_finite, nb::arg("X").noconvert(), nb::arg("threads"),
               "Whether no cell is NaN or infinite.");
}

}  // namespace hornbook
