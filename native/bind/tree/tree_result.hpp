// Grown trees as NumPy arrays, and optional arrays of a target.
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

// The entries of an optional array with one for each of n rows; null when it is None.
template <class OptionalArray>
auto* row_entries(const OptionalArray& array, const char* name, std::int64_t n) {
    using T = const std::remove_reference_t<decltype(*array->data())>;
    if (!array) return static_cast<T*>(nullptr);
    const auto entries = view(*array, name);
    if (entries.size != n) refuse(name, " must have one entry for each row.");
    return static_cast<T*>(entries.data);
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
