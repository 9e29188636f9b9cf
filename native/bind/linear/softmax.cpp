#include "core/linear/softmax.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

std::tuple<Result2<double>, Result1<double>> call(const Array2<double>& scores, int threads) {
    const Matrix<double> rows = view(scores, "scores");
    LogSoftmax out = unlocked([&] { return log_softmax(rows, threads); });
    return {give_matrix(std::move(out.log_p), rows.rows, rows.cols), give_vector(std::move(out.total))};
}

}  // namespace

void bind_softmax(nb::module_& module) {
    module.def("log_softmax", &call, nb::arg("scores").noconvert(), nb::arg("threads"),
               "Log probabilities log(exp(score) / sum of exp(score)) of each row, and the log of that sum.");
}

}  // namespace hornbook
