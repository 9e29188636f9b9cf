#include "core/tree/pairs/pair_shard.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <utility>
#include <vector>

#include "bind/convert.hpp"
#include "bind/tree/level_arrays.hpp"
#include "bind/tree/pair_arrays.hpp"
#include "bind/unlocked.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t sum_words = sizeof(CodeSums) / sizeof(std::int64_t);
constexpr std::int64_t most_entries = std::int64_t{1} << 40;
constexpr std::int64_t most_rows = std::int64_t{1} << 31;
constexpr std::int64_t most_trees = std::int64_t{1} << 20;

void make_shard(PairShard* place, const Array2<std::uint8_t>& codes, const Array1<std::int32_t>& bins,
                std::int64_t first_row, std::int64_t trees) {
    const RowCodes rows = codes_of(codes, 1);
    const Vector<std::int32_t> sizes = view(bins, "bins");
    const std::span<const std::int32_t> columns{sizes.data, static_cast<std::size_t>(sizes.size)};
    if (sizes.size < 1 || sizes.size != rows.columns)
        refuse("bins must have one entry for each column, of which there is at least one.");
    for (const std::int32_t size : columns)
        if (size < 0 || size > 255) refuse("a column must have between 0 and 255 codes; got ", size, ".");
    if (first_row < 0 || first_row >= most_rows || rows.rows >= most_rows)
        refuse("first_row must be the number of a row.");
    if (trees < 1 || trees > most_trees) refuse("trees must be from 1 to ", most_trees, "; got ", trees, ".");
    new (place) PairShard(rows, columns, first_row, trees);
}

void call_begin(PairShard& shard, std::int64_t tree, const Array1<double>& sum, const Array1<double>& weight,
                const ScaleNumbers& scale) {
    const PairTarget target = pairs_of(sum, weight);
    const PairScale units = scale_from(scale);
    unlocked([&] { shard.begin(tree, target, units); });
}

void call_follow(PairShard& shard, std::int64_t tree, const Array1<std::uint8_t>& kind,
                 const Array1<std::int32_t>& column, const Array1<std::int32_t>& below,
                 const Array1<std::int32_t>& first_child, const Array1<std::int32_t>& missing_child,
                 const Array1<std::int32_t>& level_offset, const Array1<std::int32_t>& levels) {
    const RouteView routes = routes_of(kind, column, below, first_child, missing_child, level_offset, levels);
    unlocked([&] { shard.follow(tree, routes); });
}

Result1<std::int32_t> call_leaves(PairShard& shard, std::int64_t tree, const Array1<std::int32_t>& number) {
    const Vector<std::int32_t> numbers = view(number, "number");
    Buffer<std::int32_t> leaf(shard.rows());
    unlocked(
        [&] { shard.leaves(tree, {numbers.data, static_cast<std::size_t>(numbers.size)}, leaf.data()); });
    return give_vector(std::move(leaf));
}

Result2<std::int64_t> call_histograms(const std::vector<PairShard*>& shards, std::int64_t tree,
                                      const Array1<std::int32_t>& node) {
    const Vector<std::int32_t> nodes = view(node, "node");
    if (shards.empty() || nodes.size < 1) refuse("histograms need rows and a node.");
    for (const PairShard* shard : shards)
        if (shard == nullptr) refuse("shards must hold no None.");
    const std::int64_t entries = shards.front()->entries();
    for (const PairShard* shard : shards)
        if (shard->entries() != entries) refuse("all rows must have the same codes.");
    if (nodes.size > most_entries / entries) refuse("there is no memory for ", nodes.size, " histograms.");
    Buffer<CodeSums> sums(nodes.size, entries);
    unlocked([&] {
        std::memset(static_cast<void*>(sums.data()), 0,
                    sizeof(CodeSums) * static_cast<std::size_t>(sums.size()));
        for (PairShard* shard : shards)
            for (std::int64_t s = 0; s < nodes.size; ++s)
                shard->add_histogram(tree, nodes.data[s], sums.data() + s * entries);
    });
    auto* words = reinterpret_cast<std::int64_t*>(sums.release());
    nb::capsule owner(words, [](void* memory) noexcept { release(memory); });
    return {
        words, {static_cast<std::size_t>(nodes.size), static_cast<std::size_t>(entries * sum_words)}, owner};
}

}  // namespace

void bind_pair_shard(nb::module_& module) {
    nb::class_<PairShard>(module, "PairShard",
                          "Rows that trees for gradient pairs are grown on elsewhere, with the node of each.")
        .def("__init__", &make_shard, nb::arg("codes").noconvert(), nb::arg("bins").noconvert(),
             nb::arg("first_row"), nb::arg("trees"), nb::keep_alive<1, 2>())
        .def("begin", &call_begin, nb::arg("tree"), nb::arg("sum").noconvert(), nb::arg("weight").noconvert(),
             nb::arg("scale"), "A new tree, in whose root are all rows of positive weight.")
        .def("follow", &call_follow, nb::arg("tree"), nb::arg("kind").noconvert(),
             nb::arg("column").noconvert(), nb::arg("below").noconvert(), nb::arg("first_child").noconvert(),
             nb::arg("missing_child").noconvert(), nb::arg("level_offset").noconvert(),
             nb::arg("levels").noconvert(), "Send rows to the children of nodes that were split since.")
        .def("leaves", &call_leaves, nb::arg("tree"), nb::arg("number").noconvert(),
             "For each row the entry of its node in `number`; -1 for rows of weight 0.");
    module.def("shard_histograms", &call_histograms, nb::arg("shards"), nb::arg("tree"),
               nb::arg("node").noconvert(),
               "Histograms of gradient pairs of some nodes, over the rows of all shards, as integers.");
}

}  // namespace hornbook
