#include "core/evaluation/permute.hpp"

#include "bind/convert.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

Result1<double> call_mean(const Array1<double>& values, std::int64_t n_first, std::int64_t n_permutations,
                          std::uint64_t seed, int threads) {
    const Vector<double> sample = view(values, "values");
    Buffer<double> out =
        unlocked([&] { return permute_two_sample_mean(sample, n_first, n_permutations, seed, threads); });
    return give_vector(std::move(out));
}

Result1<double> call_dot(const Array1<double>& x, const Array1<double>& y, std::int64_t n_permutations,
                         std::uint64_t seed, int threads) {
    const Vector<double> one = view(x, "x");
    const Vector<double> two = view(y, "y");
    Buffer<double> out = unlocked([&] { return permute_dot(one, two, n_permutations, seed, threads); });
    return give_vector(std::move(out));
}

}  // namespace

void bind_permute(nb::module_& module) {
    module.def("permute_two_sample_mean", &call_mean, nb::arg("values").noconvert(), nb::arg("n_first"),
               nb::arg("n_permutations"), nb::arg("seed"), nb::arg("threads"),
               "Mean of n_first values drawn at random minus the mean of the rest, once per permutation.");
    module.def("permute_dot", &call_dot, nb::arg("x").noconvert(), nb::arg("y").noconvert(),
               nb::arg("n_permutations"), nb::arg("seed"), nb::arg("threads"),
               "Sum of products of x and a random permutation of y, once per permutation.");
}

}  // namespace hornbook
