#include "core/stats/aode.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

using Codes = Array2<std::int32_t>;
using Levels = Array1<std::int32_t>;
using Extra = std::optional<Array2<double>>;

// Calls fn with the arguments as the kernels take them, without the interpreter's lock.
template <class Fn>
auto with_tables(const Codes& codes, const Levels& n_levels, const Array2<double>& log_parent,
                 const Array2<double>& log_pair, const Array1<std::uint8_t>& usable, const Extra& extra,
                 Fn fn) {
    const Matrix<std::int32_t> rows = view(codes, "codes");
    const Vector<std::int32_t> levels = view(n_levels, "n_levels");
    const std::optional<Matrix<double>> more = extra ? std::optional(view(*extra, "extra")) : std::nullopt;
    const AodeTables tables{view(log_parent, "log_parent"), view(log_pair, "log_pair"),
                            view(usable, "usable"), more ? &*more : nullptr};
    return unlocked([&] { return fn(rows, levels, tables); });
}

Result2<double> call_terms(const Codes& codes, const Levels& n_levels, const Array2<double>& log_parent,
                           const Array2<double>& log_pair, const Array1<std::uint8_t>& usable,
                           const Extra& extra, int threads) {
    Buffer<double> out = with_tables(codes, n_levels, log_parent, log_pair, usable, extra,
                                     [&](const auto& rows, const auto& levels, const AodeTables& tables) {
                                         return aode_terms(rows, levels, tables, threads);
                                     });
    return give_matrix(std::move(out), codes.shape(0), codes.shape(1) * log_parent.shape(1));
}

std::tuple<Result2<double>, Result1<std::int32_t>> call_joint(const Codes& codes, const Levels& n_levels,
                                                              const Array2<double>& log_parent,
                                                              const Array2<double>& log_pair,
                                                              const Array1<std::uint8_t>& usable,
                                                              const Extra& extra, int threads) {
    AodeJoint out = with_tables(codes, n_levels, log_parent, log_pair, usable, extra,
                                [&](const auto& rows, const auto& levels, const AodeTables& tables) {
                                    return aode_joint(rows, levels, tables, threads);
                                });
    return {give_matrix(std::move(out.joint), codes.shape(0), log_parent.shape(1)),
            give_vector(std::move(out.parents))};
}

}  // namespace

void bind_aode(nb::module_& module) {
    module.def("aode_terms", &call_terms, nb::arg("codes").noconvert(), nb::arg("n_levels").noconvert(),
               nb::arg("log_parent").noconvert(), nb::arg("log_pair").noconvert(),
               nb::arg("usable").noconvert(), nb::arg("extra").noconvert().none(), nb::arg("threads"),
               "Log of P(class, parent) times P(others | class, parent) for every column as parent, "
               "columns * classes numbers a row; -inf where a column cannot be one.");
    module.def("aode_joint", &call_joint, nb::arg("codes").noconvert(), nb::arg("n_levels").noconvert(),
               nb::arg("log_parent").noconvert(), nb::arg("log_pair").noconvert(),
               nb::arg("usable").noconvert(), nb::arg("extra").noconvert().none(), nb::arg("threads"),
               "Log of the sum over usable parents of P(class, parent) times P(others | class, parent), and "
               "the number of usable parents of each row.");
}

}  // namespace hornbook
