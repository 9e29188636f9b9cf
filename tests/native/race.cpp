// The kernels on many threads at once, to be built and run under the thread sanitizer.

#include "tests/native/race.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/column_scan.hpp"
#include "core/base/gather.hpp"
#include "core/base/parallel.hpp"
#include "core/evaluation/permute.hpp"
#include "core/evaluation/ranking.hpp"
#include "core/kmeans/center_bounds.hpp"
#include "core/kmeans/lloyd.hpp"
#include "core/kmeans/plus_plus.hpp"
#include "core/stats/aode.hpp"
#include "core/stats/class_likelihood.hpp"
#include "core/stats/kernel_density.hpp"
#include "core/stats/multinormal.hpp"
#include "core/stats/pairs.hpp"
#include "core/stop.hpp"
#include "core/tree/contributions/contributions.hpp"
#include "core/tree/grow/grow_trees.hpp"
#include "core/tree/level/level_grower.hpp"
#include "core/tree/level/node_histograms.hpp"
#include "core/tree/pairs/pair_grower.hpp"

namespace {

using hornbook::Buffer;
using hornbook::Matrix;
using hornbook::Vector;
using race::require;
using race::same;
using race::uniform;

constexpr std::int64_t rows = 20'000;
constexpr std::int64_t cols = 7;
constexpr std::int64_t classes = 3;

void every_item_once(int threads) {
    std::vector<int> visits(1000, 0);
    std::atomic<std::int64_t> total{0};
    hornbook::parallel_for(1000, threads, [&](std::int64_t item) {
        visits[static_cast<std::size_t>(item)] += 1;
        total += item;
    });
    require(total == 999 * 500, "an item was left out or done twice");
    for (const int count : visits) require(count == 1, "an item was not done once");
}

// What parallel_for throws when both of two items fail and `late` of them fails last.
std::string thrown(int threads, std::int64_t late) {
    std::atomic<int> started{0};
    try {
        hornbook::parallel_for(2, threads, [&](std::int64_t item) {
            ++started;
            while (started < 2) std::this_thread::yield();
            if (item == late) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            throw std::runtime_error(std::to_string(item));
        });
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "nothing";
}

void lowest_failure_wins(int threads) {
    if (threads < 2) return;
    require(thrown(threads, 0) == "0", "the first failure won over the lowest");
    require(thrown(threads, 1) == "0", "the last failure won over the lowest");
}

// Wants to stop when it is asked for the second time.
class Impatient final : public hornbook::Watch {
    bool wants_stop() override { return ++asked_ > 1; }

    int asked_ = 0;
};

// A watch stops a team between two items, inside an item, and while its caller waits for the others.
void watches_stop(int threads) {
    using hornbook::parallel_for;
    const auto stops = [&](const auto& work) {
        Impatient watch;
        const hornbook::WatchScope watched({&watch, true});
        try {
            work();
        } catch (const hornbook::Stopped&) {
            return true;
        }
        return false;
    };
    const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    require(stops([&] { parallel_for(1'000'000'000, threads, [&](std::int64_t) { nap(); }); }),
            "nothing stops between items");
    const auto for_ever = [&](std::int64_t) {
        for (hornbook::Pace pace;; nap()) pace.spend(1'000'000);
    };
    require(stops([&] { parallel_for(threads, threads, for_ever); }), "nothing stops inside an item");
    const auto caller = std::this_thread::get_id();
    if (threads == 1) return;
    std::atomic<int> started{0};  // the others have an item each before the caller ends its own
    require(stops([&] {
                parallel_for(threads, threads, [&](std::int64_t item) {
                    ++started;
                    while (started < threads) nap();
                    if (std::this_thread::get_id() != caller) for_ever(item);
                });
            }),
            "nothing stops while the caller waits");
    require(hornbook::current_watch().watch == nullptr, "a watch outlives its call");
}

void kernels_agree(int threads) {
    const std::vector<double> values = uniform(rows * cols, 0);
    const std::vector<double> mean = uniform(classes * cols, 1);
    const std::vector<double> var(classes * cols, 0.5);
    const Matrix<double> x{values.data(), rows, cols};
    const Matrix<double> means{mean.data(), classes, cols};
    const Matrix<double> variances{var.data(), classes, cols};
    require(same(hornbook::gaussian_joint(x, means, variances, threads),
                 hornbook::gaussian_joint(x, means, variances, 1)),
            "gaussian_joint depends on the threads");
    std::vector<double> cov(classes * cols * cols, 0.1);
    for (std::size_t i = 0; i < cov.size(); ++i)
        if (i / cols % cols == i % cols) cov[i] = 1.0;
    const Matrix<double> covariances{cov.data(), classes * cols, cols};
    require(same(hornbook::multinormal_joint(x, means, covariances, threads),
                 hornbook::multinormal_joint(x, means, covariances, 1)),
            "multinormal_joint depends on the threads");

    const hornbook::StridedMatrix strided{values.data(), rows, cols, cols, 1};
    const hornbook::Scan mine = hornbook::scan(strided, threads);
    const hornbook::Scan single = hornbook::scan(strided, 1);
    require(same(mine.low, single.low) && same(mine.high, single.high), "scan depends on the threads");

    std::vector<hornbook::Column> columns;
    for (std::int64_t j = 0; j < cols; ++j)
        columns.push_back({values.data() + j, rows, cols, hornbook::Element::float64});
    const Buffer<double> gathered = hornbook::gather(columns, threads);
    for (std::int64_t i = 0; i < gathered.size(); ++i)
        require(gathered[i] == values[static_cast<std::size_t>(i)], "gather lost a number");
}

void passes_agree(int threads) {
    const std::vector<double> values = uniform(rows * cols, 6);
    const std::vector<double> zeros(cols, 0.0);
    const Matrix<double> x{values.data(), rows, cols};
    const Matrix<double> centers{values.data(), classes, cols};
    const std::vector<double> still(3 * classes, 0.0);
    const Matrix<double> moves{still.data(), 3, classes};
    const Vector<double> origin{zeros.data(), cols};
    const Buffer<float> tiles = hornbook::float_tiles(x, origin, threads);
    require(same(tiles, hornbook::float_tiles(x, origin, 1)), "float_tiles depends on the threads");
    const auto pass = [&](int team) {
        const std::vector<std::int32_t> labels(rows, 0);
        const std::vector<float> lower(rows, 0.0F);
        const std::vector<float> upper(rows, 1e30F);
        std::vector<std::int32_t> new_labels(rows);
        std::vector<float> new_lower(rows);
        std::vector<float> new_upper(rows);
        return hornbook::lloyd_pass({x, nullptr, tiles.data(), false}, centers, origin, moves,
                                    {labels.data(), lower.data(), upper.data(), new_labels.data(),
                                     new_lower.data(), new_upper.data()},
                                    hornbook::Sum::changes, team);
    };
    const std::vector<double> ones(rows, 1.0);
    const auto start = [&](int team) {
        std::vector<double> closest(rows, 1.0);
        const Vector<float> numbers{tiles.data(), tiles.size()};
        hornbook::closest_candidate({x, {ones.data(), rows}, numbers, origin}, closest.data(), centers, team);
        return closest;
    };
    require(start(threads) == start(1), "closest_candidate depends on the threads");
    require(same(pass(threads), pass(1)), "lloyd_pass depends on the threads");
}

void models_agree(int threads) {
    std::vector<std::int32_t> codes;
    for (const double u : uniform(rows * cols, 2)) codes.push_back(static_cast<std::int32_t>(u * 5) - 1);
    const std::vector<std::int32_t> levels(cols, 4);
    const std::vector<double> table(classes * cols * 4, -1.0);
    const Matrix<std::int32_t> rows_of_codes{codes.data(), rows, cols};
    const Matrix<double> tables{table.data(), classes, cols * 4};
    require(same(hornbook::table_joint(rows_of_codes, tables, {levels.data(), cols}, threads),
                 hornbook::table_joint(rows_of_codes, tables, {levels.data(), cols}, 1)),
            "table_joint depends on the threads");
    const std::vector<std::int32_t> classes_of(rows, 1);
    const std::vector<std::int32_t> parents{0, 3, 5};
    const hornbook::Vector<std::int32_t> y{classes_of.data(), rows};
    require(same(hornbook::pair_counts(rows_of_codes, y, nullptr, {levels.data(), cols}, {parents.data(), 3},
                                       classes, threads),
                 hornbook::pair_counts(rows_of_codes, y, nullptr, {levels.data(), cols}, {parents.data(), 3},
                                       classes, 1)),
            "pair_counts depends on the threads");
    constexpr std::int64_t slots = cols * 4;
    const std::vector<double> pair(slots * slots * classes, -1.0);
    const std::vector<std::uint8_t> usable(slots, 1);
    const hornbook::AodeTables aode{{table.data(), slots, classes},
                                    {pair.data(), slots * slots, classes},
                                    {usable.data(), slots},
                                    nullptr};
    require(same(hornbook::aode_joint(rows_of_codes, {levels.data(), cols}, aode, threads).joint,
                 hornbook::aode_joint(rows_of_codes, {levels.data(), cols}, aode, 1).joint),
            "aode_joint depends on the threads");

    const std::vector<double> points{0.0, 0.25, 0.5, 0.75, 1.0};
    const std::vector<double> weights(points.size(), 2.0);
    const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(points.size())};
    const double bandwidth = 0.1;
    const std::vector<double> values = uniform(rows, 3);
    const Matrix<double> x{values.data(), rows, 1};
    const hornbook::KernelDensities densities{
        {points.data(), offsets[1]}, {weights.data(), offsets[1]}, {offsets.data(), 2}, {&bandwidth, 1, 1}};
    require(same(hornbook::kernel_joint(x, densities, threads), hornbook::kernel_joint(x, densities, 1)),
            "kernel_joint depends on the threads");
}

void replicates_agree(int threads) {
    const std::vector<double> scores = uniform(500, 4);
    const std::vector<double> coins = uniform(500, 5);
    const std::unique_ptr<bool[]> positive = std::make_unique<bool[]>(500);
    for (std::size_t i = 0; i < 500; ++i) positive[i] = coins[i] < scores[i];
    const hornbook::ScoredRows rows_with_scores{{scores.data(), 500}, positive.get(), nullptr};
    require(same(hornbook::auc_bootstrap(rows_with_scores, 100, 1, 0, threads),
                 hornbook::auc_bootstrap(rows_with_scores, 100, 1, 0, 1)),
            "auc_bootstrap depends on the threads");
    const hornbook::Vector<double> sample{scores.data(), 500};
    for (const std::int64_t n_first : {50, 250})
        require(same(hornbook::permute_two_sample_mean(sample, n_first, 300, 1, threads),
                     hornbook::permute_two_sample_mean(sample, n_first, 300, 1, 1)),
                "permute_two_sample_mean depends on the threads");
    require(same(hornbook::permute_dot(sample, {coins.data(), 500}, 300, 1, threads),
                 hornbook::permute_dot(sample, {coins.data(), 500}, 300, 1, 1)),
            "permute_dot depends on the threads");
}

// What the columns contribute to a tree, of rows on many threads.
void contributions_agree(const hornbook::Tree& tree, const std::vector<double>& x, int threads) {
    const auto all = [](const auto& array) {
        return hornbook::Vector{array.data(), static_cast<std::int64_t>(array.size())};
    };
    const std::vector<std::int32_t> zero(1, 0), place{0, 1, 2, 3, 4, 5, 6};
    const std::vector<double> one(1, 1.0);
    const hornbook::WeightedTrees model{
        {all(zero), all(tree.kind), all(tree.feature), all(tree.threshold), all(tree.first_child),
         all(tree.missing_child), all(tree.level_offset), all(tree.levels), all(tree.share)},
        {tree.value.data(), tree.size(), tree.value_size},
        all(tree.weight),
        all(one),
        all(zero),
        tree.value_size};
    const hornbook::TreeRows rows_of{{x.data(), 300, cols}, {nullptr, 300, 0}, all(place)};
    require(same(hornbook::tree_contributions(model, rows_of, true, threads).values,
                 hornbook::tree_contributions(model, rows_of, true, 1).values),
            "contributions depend on the threads");
}

// One tree on many threads, exact and in bins, and a forest with a thread for each tree.
void trees_agree(int threads, int n_classes) {
    const std::vector<double> x = uniform(rows * cols, 20), draw = uniform(rows, 21);
    std::vector<std::int32_t> label, levels(cols, -1);
    for (std::int64_t i = 0; i < rows; ++i)
        label.push_back(static_cast<std::int32_t>(
            0.5 * n_classes * (x[static_cast<std::size_t>(i * cols)] + draw[static_cast<std::size_t>(i)])));
    std::vector<hornbook::Column> columns;
    for (std::int64_t j = 0; j < cols; ++j)
        columns.push_back({x.data() + j, rows, cols, hornbook::Element::float64});
    const std::unique_ptr<bool[]> nominal(new bool[cols]());
    const hornbook::ColumnPlan plan{columns, {levels.data(), cols}, {nominal.get(), cols}};
    hornbook::TreeTarget target;
    target.label = label.data();
    target.n_classes = n_classes;
    for (const std::int32_t bins : {0, 64}) {
        const hornbook::CodedTable table = hornbook::code_table(plan, nullptr, bins, threads);
        hornbook::TreeOptions options;
        const hornbook::Tree one = hornbook::grow_tree(table, target, nullptr, options, {1, 0}, 1);
        const hornbook::Tree many = hornbook::grow_tree(table, target, nullptr, options, {1, 0}, threads);
        require(same(one.value, many.value), "a tree differs");
        contributions_agree(one, x, threads);
        options.max_features = 2;
        options.max_depth = 6;
        const auto forest = [&](int at_once) {
            std::vector<hornbook::Tree> trees(4);
            hornbook::parallel_for(4, at_once, [&](std::int64_t t) {
                const hornbook::TreeKey key{7, static_cast<std::uint64_t>(t)};
                std::vector<std::uint32_t> counts(static_cast<std::size_t>(rows));
                hornbook::draw_counts(key, rows, rows, nullptr, counts.data());
                trees[static_cast<std::size_t>(t)] =
                    hornbook::grow_tree(table, target, counts.data(), options, key, 1);
            });
            return trees;
        };
        const auto alone = forest(1), together = forest(threads);
        for (std::size_t t = 0; t < alone.size(); ++t)
            require(same(alone[t].value, together[t].value), "a tree of a forest differs");
    }
}

// Gradient pairs in fixed point and rounded, on a table large enough for a crew.
void pair_trees_agree(int threads) {
    constexpr std::int64_t many = 70'000, wide = 9;
    const std::vector<double> x = uniform(many * wide, 24), draw = uniform(many, 25);
    std::vector<double> sum, weight;
    for (std::size_t i = 0; i < many; ++i) {
        sum.push_back(x[i] - draw[i]);
        weight.push_back(0.1 + draw[i]);
    }
    std::vector<hornbook::Column> columns;
    for (std::int64_t j = 0; j < wide; ++j)
        columns.push_back({x.data() + j * many, many, 1, hornbook::Element::float64});
    const std::vector<std::int32_t> levels(wide, -1);
    const std::unique_ptr<bool[]> nominal = std::make_unique<bool[]>(wide);
    const hornbook::CodedTable table =
        hornbook::code_table({columns, {levels.data(), wide}, {nominal.get(), wide}}, nullptr, 255, threads);
    hornbook::TreeOptions options;
    options.criterion = hornbook::Criterion::squared_error;
    options.min_gain = 0.0;
    options.max_leaf_nodes = 15;
    hornbook::PairGrower grower(table);
    std::vector<std::int32_t> leaf(many);
    const auto grow = [&](int at_once) {
        return grower.grow({sum.data(), weight.data(), many}, options, {1, 0}, at_once, true, leaf.data());
    };
    for (const bool rounded : {false, true}) {
        options.quantize = rounded;
        require(same(grow(1).value, grow(threads).value), "a tree of gradient pairs differs");
    }
}

// Rows coded piece by piece, nodes split from their histograms, and what hangs below small nodes grown by
// many threads: the tree is that of the table.
void levels_agree(int threads) {
    const std::vector<double> x = uniform(rows * cols, 22), draw = uniform(rows, 23);
    std::vector<std::int32_t> label, levels(cols, -1);
    for (std::int64_t i = 0; i < rows; ++i)
        label.push_back(x[static_cast<std::size_t>(i)] + 0.3 * draw[static_cast<std::size_t>(i)] > 0.6 ? 1
                                                                                                       : 0);
    std::vector<hornbook::Column> columns;
    for (std::int64_t j = 0; j < cols; ++j)
        columns.push_back({x.data() + j * rows, rows, 1, hornbook::Element::float64});
    const std::unique_ptr<bool[]> nominal = std::make_unique<bool[]>(cols);
    const hornbook::ColumnPlan plan{columns, {levels.data(), cols}, {nominal.get(), cols}};
    const std::vector<double> cuts{0.1, 0.2, 0.3, 0.5, 0.6, 0.9};
    const std::vector<hornbook::ColumnCuts> by_column(cols, {7, {cuts.data(), 6}});
    const hornbook::CodedRows coded = hornbook::code_rows(plan, by_column, nullptr, threads);
    std::vector<hornbook::ColumnCodes> meanings;
    for (const hornbook::CodeRange& range : coded.ranges) meanings.push_back({7, false, range});
    const hornbook::RowCodes codes{coded.bytes.data(), coded.width, rows, cols};
    const hornbook::TreeTarget target{label.data(), 2};
    const hornbook::CodedTable table = hornbook::table_of(codes, meanings, threads);
    const hornbook::Tree whole = hornbook::grow_tree(table, target, nullptr, {}, {1, 0}, threads);

    hornbook::TargetInfo info;
    info.classes = 2;
    info.largest = static_cast<double>(info.rows = rows);
    hornbook::LevelGrower grower(meanings, {}, {1, 0}, info, rows / 8, threads);
    const std::vector<std::int32_t> bins(cols, 7);
    std::vector<std::int32_t> nodes(rows);
    const auto find = [&] {
        const hornbook::Routes at = grower.routes();
        const auto n = std::ssize(at.kind);
        hornbook::find_nodes(codes, bins,
                             {{at.kind.data(), n},
                              {at.column.data(), n},
                              {at.below.data(), n},
                              {at.first_child.data(), n},
                              {at.missing_child.data(), n},
                              {at.level_offset.data(), n + 1},
                              {at.levels.data(), std::ssize(at.levels)}},
                             nodes.data());
        return at.slot;
    };
    for (hornbook::PassLayout pass = grower.pass(); pass.slots > 0; pass = grower.pass()) {
        const std::vector<std::int32_t> slot_of = find();
        std::vector<std::int32_t> slot;
        for (const std::int32_t node : nodes) slot.push_back(slot_of[static_cast<std::size_t>(node)]);
        std::vector<std::uint8_t> histograms(static_cast<std::size_t>(pass.histograms * pass.offsets.back()));
        std::vector<hornbook::Spread> spreads(static_cast<std::size_t>(pass.slots));
        hornbook::add_rows({codes, slot.data(), label.data(), nullptr, nullptr}, pass, 2, 0.0,
                           histograms.data(), spreads.data());
        grower.take(histograms.data(), spreads.data());
    }
    find();
    const std::vector<hornbook::SmallNode> small = grower.small_nodes();
    require(!small.empty(), "no node waits for its rows");
    hornbook::parallel_for(std::ssize(small), threads, [&](std::int64_t k) {
        const std::int32_t node = small[static_cast<std::size_t>(k)].node;
        std::vector<std::uint8_t> own;
        std::vector<std::int32_t> own_label;
        for (std::int64_t i = 0; i < rows; ++i) {
            if (nodes[static_cast<std::size_t>(i)] != node) continue;
            own.insert(own.end(), codes.bytes + i * cols, codes.bytes + (i + 1) * cols);
            own_label.push_back(label[static_cast<std::size_t>(i)]);
        }
        grower.finish(node, {own.data(), 1, std::ssize(own_label), cols}, {own_label.data(), 2});
    });
    const hornbook::Tree tree = grower.tree();
    require(same(tree.feature, whole.feature) && same(tree.value, whole.value) && same(tree.gain, whole.gain),
            "a tree grown level by level differs");
}

}  // namespace

int main() {
    for (const int threads : {1, 2, 3, 8}) {
        every_item_once(threads);
        levels_agree(threads);
        pair_trees_agree(threads);
        lowest_failure_wins(threads);
        watches_stop(threads);
        passes_agree(threads);
        race::clusterings_agree(threads);
        race::networks_agree(threads);
        kernels_agree(threads);
        models_agree(threads);
        replicates_agree(threads);
        trees_agree(threads, 2);
        trees_agree(threads, classes);
    }
    std::puts("race: no thread met another");
}
