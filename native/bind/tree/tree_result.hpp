// Grown trees as arrays of NumPy.
#pragma once

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/convert.hpp"
#include "core/tree/grow/grow_trees.hpp"

namespace hornbook {

template <class T>
Result1<T> copied(const std::vector<T>& from) {
    Buffer<T> out(static_cast<std::int64_t>(from.size()));
    std::copy(from.begin(), from.end(), out.data());
    return give_vector(std::move(out));
}

using TreeResult =
    std::tuple<Result1<std::uint8_t>, Result1<std::int32_t>, Result1<double>, Result1<std::int32_t>,
               Result1<std::int32_t>, Result1<std::int32_t>, Result1<std::int32_t>, Result1<std::int32_t>,
               Result1<double>, Result1<double>, Result1<double>, Result1<double>, Result2<double>>;

inline TreeResult result_of(Tree&& tree) {
    const std::int64_t size = tree.size();
    return {give_vector(std::move(tree.kind)),
            give_vector(std::move(tree.feature)),
            give_vector(std::move(tree.threshold)),
            give_vector(std::move(tree.first_child)),
            give_vector(std::move(tree.missing_child)),
            give_vector(std::move(tree.level_offset)),
            give_vector(std::move(tree.levels)),
            give_vector(std::move(tree.n_rows)),
            give_vector(std::move(tree.weight)),
            give_vector(std::move(tree.impurity)),
            give_vector(std::move(tree.gain)),
            give_vector(std::move(tree.share)),
            give_matrix(std::move(tree.value), size, tree.value_size)};
}

}  // namespace hornbook
