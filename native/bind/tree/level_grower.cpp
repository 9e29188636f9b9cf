#include "core/tree/level/level_grower.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "bind/columns.hpp"
#include "bind/convert.hpp"
#include "bind/tree/level_arrays.hpp"
#include "bind/unlocked.hpp"
#include "core/tree/level/node_histograms.hpp"

namespace hornbook {

namespace {

using Numbers = std::vector<Array1<double>>;
using Labels = std::optional<Array1<std::int32_t>>;
using Doubles = std::optional<Array1<double>>;
using Ranges = std::tuple<std::vector<Result1<double>>, std::vector<Result1<double>>, Result1<bool>>;

std::tuple<Result2<std::uint8_t>, int, Ranges> call_code_rows(
    const nb::list& list, const Array1<std::int32_t>& levels, const Array1<bool>& nominal,
    const Array1<std::int32_t>& bins, const Numbers& cuts, const Doubles& w, int threads) {
    const Columns columns(list, false);
    const ColumnPlan plan{columns.views(), view(levels, "levels"), view(nominal, "nominal")};
    const std::optional<Vector<double>> weights = w ? std::optional(view(*w, "w")) : std::nullopt;
    const Vector<std::int32_t> sizes = view(bins, "bins");
    if (sizes.size != static_cast<std::int64_t>(cuts.size()))
        refuse("bins and cuts must have the same length.");
    std::vector<ColumnCuts> by_column;
    for (std::size_t j = 0; j < cuts.size(); ++j) by_column.push_back({sizes.data[j], view(cuts[j], "cuts")});
    CodedRows rows =
        unlocked([&] { return code_rows(plan, by_column, weights ? &*weights : nullptr, threads); });
    std::vector<Result1<double>> low, high;
    Buffer<bool> missing(std::ssize(rows.ranges));
    for (std::size_t j = 0; j < rows.ranges.size(); ++j) {
        low.push_back(copied(rows.ranges[j].low));
        high.push_back(copied(rows.ranges[j].high));
        missing[static_cast<std::int64_t>(j)] = rows.ranges[j].missing;
    }
    const std::int64_t n = columns.views().front().size;
    Result2<std::uint8_t> bytes = give_matrix(std::move(rows.bytes), n, std::ssize(rows.ranges) * rows.width);
    return {std::move(bytes), rows.width,
            Ranges{std::move(low), std::move(high), give_vector(std::move(missing))}};
}

CodedColumns make_columns(const Array1<std::int32_t>& bins, const Array1<bool>& nominal,
                          const Array1<bool>& missing, const Numbers& low, const Numbers& high) {
    const Vector<std::int32_t> sizes = view(bins, "bins");
    const Vector<bool> named = view(nominal, "nominal"), lacking = view(missing, "missing");
    const auto n = static_cast<std::size_t>(sizes.size);
    if (n == 0 || named.size != sizes.size || lacking.size != sizes.size || low.size() != n ||
        high.size() != n)
        refuse("bins, nominal, missing, low and high must have the same length, at least 1.");
    CodedColumns out;
    for (std::size_t j = 0; j < n; ++j) {
        const Vector<double> from = view(low[j], "low"), to = view(high[j], "high");
        const std::int64_t values = named.data[j] ? 0 : sizes.data[j];
        if (sizes.data[j] < 0 || from.size != values || to.size != values)
            refuse("low[", j, "] and high[", j, "] must have a value for each code, none if nominal.");
        for (std::int64_t b = 0; b < values; ++b)
            if (!(from.data[b] <= to.data[b]) || (b > 0 && !(to.data[b - 1] < from.data[b])))
                refuse("low[", j, "] and high[", j, "] must ascend from code to code.");
        out.columns.push_back(
            {sizes.data[j],
             named.data[j],
             {{from.data, from.data + from.size}, {to.data, to.data + to.size}, lacking.data[j]}});
    }
    return out;
}

CodedTable call_table(const Array2<std::uint8_t>& bytes, int width, const CodedColumns& columns,
                      int threads) {
    const RowCodes codes = codes_of(bytes, width);
    return unlocked([&] { return table_of(codes, columns.columns, threads); });
}

using PassArrays =
    std::tuple<Result1<std::int32_t>, Result1<std::int64_t>, std::int64_t, std::int64_t, bool, bool>;

PassArrays call_pass(const LevelGrower& grower) {
    const PassLayout pass = grower.pass();
    return {copied(pass.columns), copied(pass.offsets), pass.histograms,
            pass.slots,           pass.whole,           pass.counted};
}

Result1<std::int32_t> call_find_nodes(const Array2<std::uint8_t>& bytes, int width,
                                      const Array1<std::int32_t>& bins, const Array1<std::uint8_t>& kind,
                                      const Array1<std::int32_t>& column, const Array1<std::int32_t>& below,
                                      const Array1<std::int32_t>& first_child,
                                      const Array1<std::int32_t>& missing_child,
                                      const Array1<std::int32_t>& level_offset,
                                      const Array1<std::int32_t>& levels) {
    const RowCodes codes = codes_of(bytes, width);
    const Vector<std::int32_t> sizes = view(bins, "bins");
    if (sizes.size != codes.columns) refuse("bins must have one entry for each column.");
    const RouteView routes = routes_of(kind, column, below, first_child, missing_child, level_offset, levels);
    Buffer<std::int32_t> nodes(codes.rows);
    unlocked(
        [&] { find_nodes(codes, {sizes.data, static_cast<std::size_t>(sizes.size)}, routes, nodes.data()); });
    return give_vector(std::move(nodes));
}

PassLayout layout_of(const Array1<std::int32_t>& columns, const Array1<std::int64_t>& offsets,
                     std::int64_t histograms, std::int64_t slots, bool whole, bool counted) {
    const Vector<std::int32_t> list = view(columns, "columns");
    const Vector<std::int64_t> at = view(offsets, "offsets");
    if (list.size < 1 || at.size != list.size + 1)
        refuse("offsets must have an entry more than columns, of which there is at least one.");
    if (histograms < 0 || slots < histograms) refuse("there must be at least as many slots as histograms.");
    return {
        {list.data, list.data + list.size}, {at.data, at.data + at.size}, histograms, slots, whole, counted};
}

// Everything that add_rows does not check itself.
void check_chunk(const ChunkRows& rows, const PassLayout& pass, std::span<const std::int32_t> bins,
                 int classes) {
    check_codes(rows.codes, bins);
    const std::int64_t stride = classes ? class_layout(classes, pass.counted).stride : sum_layout().stride;
    const std::int64_t bytes = stride * (pass.whole ? 4 : 8);
    if ((rows.label == nullptr) == (rows.sum == nullptr) || (rows.label == nullptr) != (classes == 0) ||
        classes < 0 || (pass.whole && classes == 0) || (pass.counted && !rows.weight))
        refuse("classes need label alone, numbers sum alone; counted rows need weights.");
    if (pass.offsets.front() != 0) refuse("offsets must begin with 0.");
    for (std::size_t place = 0; place < pass.columns.size(); ++place) {
        const std::int32_t j = pass.columns[place];
        if (j < 0 || j >= std::ssize(bins)) refuse("there is no column ", j, ".");
        const std::int64_t available = pass.offsets[place + 1] - pass.offsets[place];
        if (pass.offsets[place] % 64 != 0 ||
            available < (bins[static_cast<std::size_t>(j)] + std::int64_t{1}) * bytes)
            refuse("offsets must leave room for the codes of column ", j, ", in multiples of 64 bytes.");
    }
    if (pass.offsets.back() % 64 != 0) refuse("offsets must be multiples of 64 bytes.");
    for (std::int64_t i = 0; i < rows.codes.rows; ++i) {
        if (rows.slot[i] >= pass.slots) refuse("slot[", i, "] must be below ", pass.slots, ".");
        if (rows.label && (rows.label[i] < 0 || rows.label[i] >= classes))
            refuse("label[", i, "] must be a class below ", classes, "; got ", rows.label[i], ".");
        if (rows.slot[i] >= 0 && rows.weight && !(rows.weight[i] > 0.0 && std::isfinite(rows.weight[i])))
            refuse("weight[", i, "] must be positive and finite.");
    }
}

std::tuple<Result1<std::uint8_t>, Result2<double>> call_add_rows(
    const Array2<std::uint8_t>& bytes, int width, const Array1<std::int32_t>& bins,
    const Array1<std::int32_t>& slot, const Labels& label, const Doubles& sum, const Doubles& weight,
    int n_classes, double square_unit, const Array1<std::int32_t>& columns,
    const Array1<std::int64_t>& offsets, std::int64_t histograms, std::int64_t slots, bool whole,
    bool counted) {
    const RowCodes codes = codes_of(bytes, width);
    const Vector<std::int32_t> sizes = view(bins, "bins"), places = view(slot, "slot");
    if (places.size != codes.rows) refuse("slot must have one entry for each row.");
    const ChunkRows rows{codes, places.data, row_entries(label, "label", codes.rows),
                         row_entries(sum, "sum", codes.rows), row_entries(weight, "weight", codes.rows)};
    const PassLayout pass = layout_of(columns, offsets, histograms, slots, whole, counted);
    Buffer<std::uint8_t> out(checked_product(histograms, pass.offsets.back()));
    Buffer<double> spreads(slots, 3);
    unlocked([&] {
        check_chunk(rows, pass, {sizes.data, static_cast<std::size_t>(sizes.size)}, n_classes);
        std::fill_n(out.data(), out.size(), std::uint8_t{0});
        std::vector<Spread> spread(static_cast<std::size_t>(slots));
        add_rows(rows, pass, n_classes, square_unit, out.data(), spread.data());
        for (std::size_t s = 0; s < spread.size(); ++s) {
            double* row = spreads.data() + 3 * s;
            row[0] = spread[s].squares;
            row[1] = spread[s].low;
            row[2] = spread[s].high;
        }
    });
    return {give_vector(std::move(out)), give_matrix(std::move(spreads), slots, 3)};
}

void call_take(LevelGrower& grower, const Array1<std::uint8_t>& histograms, const Array2<double>& spreads) {
    const Vector<std::uint8_t> bytes = view(histograms, "histograms");
    const Matrix<double> rows = view(spreads, "spreads");
    const PassLayout pass = grower.pass();
    if (bytes.size != checked_product(pass.histograms, pass.offsets.back()) || rows.rows != pass.slots ||
        rows.cols != 3)
        refuse("histograms and spreads must be those of the open nodes.");
    if (!pass.whole)  // sums of doubles become numbers of rows
        for (std::int64_t i = 0; i < bytes.size; i += 8) {
            double sum;
            std::memcpy(&sum, bytes.data + i, sizeof sum);
            if (!std::isfinite(sum)) refuse("histograms must hold finite numbers.");
        }
    std::vector<Spread> spread;
    for (std::int64_t s = 0; s < rows.rows; ++s)
        spread.push_back({rows.row(s)[0], rows.row(s)[1], rows.row(s)[2]});
    unlocked([&] { grower.take(bytes.data, spread.data()); });
}

void call_finish(LevelGrower& grower, std::int32_t node, const Array2<std::uint8_t>& bytes, int width,
                 const Labels& label, int n_classes, const Doubles& sum, const Doubles& weight,
                 double square_unit) {
    const RowCodes codes = codes_of(bytes, width);
    TreeTarget target;
    target.label = row_entries(label, "label", codes.rows);
    target.n_classes = n_classes;
    target.sum = row_entries(sum, "sum", codes.rows);
    target.weight = row_entries(weight, "weight", codes.rows);
    target.square_unit = square_unit;
    unlocked([&] { grower.finish(node, codes, target); });
}

std::vector<std::tuple<std::int32_t, std::int64_t>> call_small_nodes(const LevelGrower& grower) {
    std::vector<std::tuple<std::int32_t, std::int64_t>> out;
    for (const SmallNode& small : grower.small_nodes()) out.emplace_back(small.node, small.rows);
    return out;
}

void make_grower(LevelGrower* place, const CodedColumns& columns, const TreeOptions& options,
                 std::uint64_t seed, std::uint64_t tree, int n_classes, bool weighted, bool whole_weights,
                 double weight, std::int64_t rows, double square_unit, std::int64_t small, int threads) {
    if (n_classes < 0 || rows < 1 || rows >= std::int64_t{1} << 31 ||
        !(weight > 0.0 && std::isfinite(weight)) || !(square_unit >= 0.0))
        refuse("a tree needs rows of positive weight, and a number of classes that is not negative.");
    TargetInfo target;
    target.classes = n_classes;
    target.weighted = weighted;
    target.whole_weights = whole_weights;
    target.largest = weight;
    target.rows = rows;
    target.counted = true;
    target.square_unit = square_unit;
    if ((options.criterion == Criterion::squared_error) != (n_classes == 0))
        refuse("the criterion does not suit the kind of target.");
    new (place) LevelGrower(columns.columns, options, {seed, tree}, target, small, threads);
}

}  // namespace

void bind_level_grower(nb::module_& module) {
    module.def(
        "code_rows", &call_code_rows, nb::arg("columns"), nb::arg("levels").noconvert(),
        nb::arg("nominal").noconvert(), nb::arg("bins").noconvert(), nb::arg("cuts").noconvert(),
        nb::arg("w").noconvert().none(), nb::arg("threads"),
        nb::sig("def code_rows(columns: list[numpy.typing.NDArray[typing.Any]], "
                "levels: numpy.typing.NDArray[numpy.int32], nominal: numpy.typing.NDArray[numpy.bool_], "
                "bins: numpy.typing.NDArray[numpy.int32], cuts: list[numpy.typing.NDArray[numpy.float64]], "
                "w: numpy.typing.NDArray[numpy.float64] | None, threads: int) -> "
                "tuple[numpy.typing.NDArray[numpy.uint8], int, "
                "tuple[list[numpy.typing.NDArray[numpy.float64]], "
                "list[numpy.typing.NDArray[numpy.float64]], numpy.typing.NDArray[numpy.bool_]]]"),
        "Codes by the cuts of each column, as bytes row by row; bytes per code; smallest and largest value "
        "of each code, and which columns lack values.");
    nb::class_<CodedColumns>(module, "CodedColumns", "What the codes of each column stand for.")
        .def_prop_ro("n_columns", [](const CodedColumns& columns) { return columns.columns.size(); });
    module.def("coded_columns", &make_columns, nb::arg("bins").noconvert(), nb::arg("nominal").noconvert(),
               nb::arg("missing").noconvert(), nb::arg("low").noconvert(), nb::arg("high").noconvert(),
               "Columns by their number of codes and the smallest and largest value of each.");
    module.def("table_of_codes", &call_table, nb::arg("codes").noconvert(), nb::arg("width"),
               nb::arg("columns"), nb::arg("threads"),
               "A coded table from existing codes, as bytes row by row.");
    module.def("find_nodes", &call_find_nodes, nb::arg("codes").noconvert(), nb::arg("width"),
               nb::arg("bins").noconvert(), nb::arg("kind").noconvert(), nb::arg("column").noconvert(),
               nb::arg("below").noconvert(), nb::arg("first_child").noconvert(),
               nb::arg("missing_child").noconvert(), nb::arg("level_offset").noconvert(),
               nb::arg("levels").noconvert(), "The node of a growing tree that each row is in.");
    module.def("node_histograms", &call_add_rows, nb::arg("codes").noconvert(), nb::arg("width"),
               nb::arg("bins").noconvert(), nb::arg("slot").noconvert(), nb::arg("label").noconvert().none(),
               nb::arg("sum").noconvert().none(), nb::arg("weight").noconvert().none(), nb::arg("n_classes"),
               nb::arg("square_unit"), nb::arg("columns").noconvert(), nb::arg("offsets").noconvert(),
               nb::arg("histograms"), nb::arg("slots"), nb::arg("whole"), nb::arg("counted"),
               "Histograms of the nodes in slots, as bytes of counts or doubles, and their spread: sum of "
               "squares, smallest and largest number.");
    nb::class_<LevelGrower>(module, "LevelGrower", "A tree that grows from histograms of its open nodes.")
        .def("__init__", &make_grower, nb::arg("columns"), nb::arg("options"), nb::arg("seed"),
             nb::arg("tree"), nb::arg("n_classes"), nb::arg("weighted"), nb::arg("whole_weights"),
             nb::arg("weight"), nb::arg("rows"), nb::arg("square_unit"), nb::arg("small"), nb::arg("threads"))
        .def(
            "routes", [](const LevelGrower& grower) { return arrays_of(grower.routes()); },
            "The tree as find_nodes takes it, and the slot of each node.")
        .def("next_pass", &call_pass, "What node_histograms has to sum for the open nodes.")
        .def("take", &call_take, nb::arg("histograms").noconvert(), nb::arg("spreads").noconvert(),
             "Split the open nodes.")
        .def("small_nodes", &call_small_nodes, "Nodes that wait for their rows, and their numbers of rows.")
        .def("finish", &call_finish, nb::arg("node"), nb::arg("codes").noconvert(), nb::arg("width"),
             nb::arg("label").noconvert().none(), nb::arg("n_classes"), nb::arg("sum").noconvert().none(),
             nb::arg("weight").noconvert().none(), nb::arg("square_unit"),
             "Grow the subtree of a small node.")
        .def("tree", [](LevelGrower& grower) { return result_of(grower.tree()); }, "The finished tree.");
}

}  // namespace hornbook
