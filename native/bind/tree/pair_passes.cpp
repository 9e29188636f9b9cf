#include "core/tree/pairs/pair_passes.hpp"

#include <nanobind/stl/tuple.h>

#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/convert.hpp"
#include "bind/tree/level_arrays.hpp"
#include "bind/tree/pair_arrays.hpp"
#include "bind/unlocked.hpp"
#include "core/tree/pairs/pair_chunks.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t sum_words = sizeof(CodeSums) / sizeof(std::int64_t);
constexpr std::int64_t bound_words = sizeof(PairBounds) / sizeof(double);
constexpr std::int64_t most_entries = std::int64_t{1} << 40;
constexpr std::int64_t most_rows = std::int64_t{1} << 31;

Result2<double> call_bounds(const Array1<double>& sum, const Array1<double>& weight) {
    const PairTarget target = pairs_of(sum, weight);
    const std::vector<PairBounds> runs = unlocked([&] {
        Crew alone(1);
        return bounds_of_runs(target, alone);
    });
    Buffer<double> out(std::ssize(runs), bound_words);
    if (!runs.empty()) std::memcpy(out.data(), runs.data(), runs.size() * sizeof(PairBounds));
    return give_matrix(std::move(out), std::ssize(runs), bound_words);
}

Result2<std::int64_t> call_histograms(const Array2<std::uint8_t>& codes, const Array1<std::int32_t>& bins,
                                      const Array1<double>& sum, const Array1<double>& weight,
                                      const Array1<std::int32_t>& slot, std::int64_t slots,
                                      const ScaleNumbers& scale, std::int64_t first_row) {
    const PairChunk chunk{codes_of(codes, 1), pairs_of(sum, weight), first_row};
    const Vector<std::int32_t> sizes = view(bins, "bins"), places = view(slot, "slot");
    const std::span<const std::int32_t> columns{sizes.data, static_cast<std::size_t>(sizes.size)};
    const PairScale units = scale_from(scale);
    if (chunk.target.size != chunk.codes.rows || places.size != chunk.codes.rows)
        refuse("codes, sum, weight and slot must have one entry for each row.");
    if (sizes.size < 1 || sizes.size != chunk.codes.columns)
        refuse("bins must have one entry for each column, of which there is at least one.");
    for (const std::int32_t size : columns)
        if (size < 0 || size > 255) refuse("a column must have between 0 and 255 codes; got ", size, ".");
    if (first_row < 0 || first_row >= most_rows) refuse("first_row must be the number of a row.");
    const std::int64_t entries = histogram_entries(columns);
    if (slots < 1 || slots > most_entries / entries) refuse("slots must be at least 1; got ", slots, ".");
    Buffer<CodeSums> sums = unlocked([&] {
        check_codes(chunk.codes, columns);
        for (std::int64_t i = 0; i < places.size; ++i)
            if (places.data[i] >= slots) refuse("slot[", i, "] must be below ", slots, ".");
        return slot_histograms(chunk, columns, units, places.data, slots);
    });
    auto* words = reinterpret_cast<std::int64_t*>(sums.release());
    nb::capsule owner(words, [](void* memory) noexcept { release(memory); });
    return {words, {static_cast<std::size_t>(slots), static_cast<std::size_t>(entries * sum_words)}, owner};
}

Result2<double> call_leaf_sums(const Array1<std::int32_t>& leaf, const Array1<double>& sum,
                               const Array1<double>& weight, std::int64_t nodes) {
    const PairTarget target = pairs_of(sum, weight);
    const Vector<std::int32_t> leaves = view(leaf, "leaf");
    if (leaves.size != target.size) refuse("leaf must have one entry for each row.");
    // A run has sums of all nodes, so that a number that no tree has would ask for any amount of memory.
    constexpr std::int64_t most_nodes = std::int64_t{1} << 26;
    if (nodes < 1 || nodes > most_nodes) refuse("nodes must be from 1 to ", most_nodes, "; got ", nodes, ".");
    const std::vector<LeafSums> sums = unlocked([&] {
        for (std::int64_t i = 0; i < leaves.size; ++i)
            if (leaves.data[i] >= nodes) refuse("leaf[", i, "] must be below ", nodes, ".");
        return leaf_sums_of_runs(leaves.data, target, nodes);
    });
    const std::int64_t runs = std::ssize(sums) / nodes;
    Buffer<double> out(runs, 2 * nodes);
    if (!sums.empty()) std::memcpy(out.data(), sums.data(), sums.size() * sizeof(LeafSums));
    return give_matrix(std::move(out), runs, 2 * nodes);
}

void make_grower(PairPassGrower* place, const CodedColumns& columns, const TreeOptions& options,
                 std::uint64_t seed, std::uint64_t tree, const Array2<double>& bounds, std::int64_t size,
                 std::int64_t rows, std::int64_t memory) {
    const Matrix<double> runs = view(bounds, "bounds");
    if (runs.rows < 1 || runs.cols != bound_words)
        refuse("bounds must have ", bound_words, " numbers for each run of rows.");
    if (rows < 1 || rows > size || size >= most_rows)
        refuse("a tree needs rows of positive weight, below 2^31 in all.");
    std::vector<PairBounds> parts(static_cast<std::size_t>(runs.rows));
    std::memcpy(static_cast<void*>(parts.data()), runs.data, parts.size() * sizeof(PairBounds));
    const PairBounds all = joined(parts);
    if (!std::isfinite(all.sums) || !std::isfinite(all.weights) || !(all.smallest_weight >= 0.0) ||
        !(all.weights > 0.0) || !(all.largest_sum <= all.sums) || !(all.largest_weight <= all.weights))
        refuse("bounds must be those of finite pairs, some of positive weight.");
    new (place) PairPassGrower(columns.columns, options, {seed, tree}, all, size, rows, memory);
}

void call_take(PairPassGrower& grower, const Array2<std::int64_t>& histograms) {
    const Matrix<std::int64_t> sums = view(histograms, "histograms");
    if (sums.rows != grower.slots() || sums.cols != grower.entries() * sum_words)
        refuse("histograms must be those of the ", grower.slots(), " slots of the pass.");
    Buffer<CodeSums> aligned(sums.rows, grower.entries());
    unlocked([&] {
        std::memcpy(static_cast<void*>(aligned.data()), sums.data,
                    static_cast<std::size_t>(aligned.size()) * sizeof(CodeSums));
        grower.take(aligned.data());
    });
}

TreeResult call_tree(PairPassGrower& grower, const Array2<double>& sums) {
    const Matrix<double> runs = view(sums, "sums");
    if (runs.rows < 1 || runs.cols != 2 * grower.nodes())
        refuse("sums must have two numbers for each of the ", grower.nodes(), " nodes.");
    std::vector<LeafSums> leaves(static_cast<std::size_t>(runs.rows * grower.nodes()));
    std::memcpy(static_cast<void*>(leaves.data()), runs.data, leaves.size() * sizeof(LeafSums));
    return result_of(unlocked([&] { return grower.tree(leaves); }));
}

}  // namespace

void bind_pair_passes(nb::module_& module) {
    module.def("pair_bounds", &call_bounds, nb::arg("sum").noconvert(), nb::arg("weight").noconvert(),
               "Bounds of gradient pairs, for each run of 16384 rows.");
    module.def("pair_histograms", &call_histograms, nb::arg("codes").noconvert(), nb::arg("bins").noconvert(),
               nb::arg("sum").noconvert(), nb::arg("weight").noconvert(), nb::arg("slot").noconvert(),
               nb::arg("slots"), nb::arg("scale"), nb::arg("first_row"),
               "Histograms of gradient pairs of the nodes in slots, as integers.");
    module.def(
        "pair_leaf_sums", &call_leaf_sums, nb::arg("leaf").noconvert(), nb::arg("sum").noconvert(),
        nb::arg("weight").noconvert(), nb::arg("nodes"),
        "Sums of gradient pairs of the leaves, for each run of 32768 rows; of 65536 for more than 4096 "
        "nodes.");
    nb::class_<PairPassGrower>(module, "PairPassGrower",
                               "A tree for gradient pairs that grows from histograms of its open nodes.")
        .def("__init__", &make_grower, nb::arg("columns"), nb::arg("options"), nb::arg("seed"),
             nb::arg("tree"), nb::arg("bounds").noconvert(), nb::arg("size"), nb::arg("rows"),
             nb::arg("memory"))
        .def_prop_ro(
            "scale",
            [](const PairPassGrower& grower) {
                const PairScale& scale = grower.scale();
                return ScaleNumbers{scale.units.sum, scale.units.weight, scale.units.count_bits,
                                    scale.is_small,  scale.constant,     scale.key};
            },
            "How pairs become integers, as pair_histograms takes it.")
        .def_prop_ro("slots", &PairPassGrower::slots, "Histograms that the next pass sums; 0 at the end.")
        .def_prop_ro("nodes", &PairPassGrower::nodes, "Nodes of the tree so far.")
        .def(
            "routes", [](const PairPassGrower& grower) { return arrays_of(grower.routes()); },
            "The nodes as find_nodes takes them, and the slot of each, or its number in the grown tree.")
        .def(
            "grown", [](const PairPassGrower& grower) { return arrays_of(grower.grown()); },
            "The grown tree in the numbers of its nodes while it grew, and the number in the tree of the "
            "node that rows of each are in.")
        .def("take", &call_take, nb::arg("histograms").noconvert(), "Search the nodes of a pass.")
        .def("tree", &call_tree, nb::arg("sums").noconvert(), "The finished tree.");
}

}  // namespace hornbook
