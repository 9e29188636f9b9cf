#include "core/tree/pairs/pair_splits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/refuse.hpp"
#include "core/tree/columns/threshold.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t most_bins = 255;
constexpr std::int64_t histogram_memory = std::int64_t{1} << 28;  // bytes of all histograms that are kept

}  // namespace

std::int64_t leaf_run(std::int64_t nodes) {
    constexpr std::int64_t many = 4096;
    return std::int64_t{1} << (nodes <= many ? 15 : 16);
}

void add_leaves(const std::int32_t* leaf, const PairTarget& target, std::int64_t first, std::int64_t last,
                LeafSums* out) {
    for (std::int64_t i = first; i < last; ++i) {
        if (leaf[i] < 0) continue;
        out[leaf[i]].sum += target.sum[i];
        out[leaf[i]].weight += target.weight[i];
    }
}

void add_runs(std::span<const LeafSums> runs, std::vector<LeafSums>& sums) {
    for (std::size_t at = 0; at < runs.size(); ++at) {
        LeafSums& own = sums[at % sums.size()];
        own.sum += runs[at].sum;
        own.weight += runs[at].weight;
    }
}

bool PairSplits::suits(const std::vector<CodedColumn>& columns, const TreeOptions& options) {
    return options.criterion == Criterion::squared_error && options.pick == Pick::best && !options.multiway &&
           !options.fractional && !options.random_thresholds && !options.draw_order &&
           options.subset_size == 0 && options.leaf_size < 0.0 && options.min_gain >= 0.0 &&
           !columns.empty() &&
           std::all_of(
               columns.begin(), columns.end(),
               [](const CodedColumn& column) { return column.bins <= most_bins; });
}

PairSplits::PairSplits(const CodedTable& table) : table_(table), columns_(table) {}

void PairSplits::check(const TreeOptions& options) const {
    if (options.max_features < 1 || options.columns_per_tree < 1 || options.columns_per_level < 1 ||
        options.min_samples_leaf < 1)
        refuse("max_features, columns_per_tree, columns_per_level and min_samples_leaf must be at least 1.");
    if (!options.monotone.empty() && std::ssize(options.monotone) != columns_.columns)
        refuse("monotone must have one entry for each column, or none.");
    for (std::size_t j = 0; j < options.monotone.size(); ++j)
        if (std::abs(static_cast<double>(options.monotone[j])) > 1.0 ||
            (options.monotone[j] != 0 && table_.columns[j].nominal))
            refuse("monotone[", j, "] must be -1, 0 or 1, and 0 for a column without order.");
    for (const std::vector<std::int32_t>& set : options.interactions)
        for (const std::int32_t j : set)
            if (j < 0 || j >= columns_.columns)
                refuse("interactions name column ", j, ", which does not exist.");
}

void PairSplits::begin_tree(const TreeOptions& options, const TreeKey& key, const PairUnits& units,
                            double total_weight) {
    options_ = &options;
    key_ = key;
    search_ = std::make_unique<PairSearch>(table_, columns_, options, units, total_weight);
    allowed_ = columns_of_tree(columns_.columns, options.columns_per_tree, key);
}

OpenPairs PairSplits::root_of(std::int64_t size) const {
    OpenPairs root;
    root.size = size;
    root.sets.resize(options_->interactions.size());
    std::iota(root.sets.begin(), root.sets.end(), 0);
    return root;
}

bool PairSplits::can_split(const OpenPairs& open) const {
    return open.depth < options_->max_depth && open.size >= options_->min_samples_split &&
           open.size - options_->min_samples_leaf >= options_->min_samples_leaf;
}

// On a monotone column, the values of both sides are kept apart by the mean of those of the children.
void PairSplits::divide(const OpenPairs& parent, const Split& split, OpenPairs& left,
                        OpenPairs& right) const {
    left.size = search_->rows_of(parent.left);
    right.size = parent.size - left.size;
    left.total = parent.left;
    right.total = {parent.total.sum - parent.left.sum, parent.total.mass - parent.left.mass};
    left.depth = right.depth = parent.depth + 1;
    left.path = child_path(parent.path, 0);
    right.path = child_path(parent.path, 1);
    left.bounds = right.bounds = parent.bounds;
    const auto column = static_cast<std::size_t>(split.column);
    if (!options_->monotone.empty() && options_->monotone[column] != 0) {
        const double middle = 0.5 * search_->value_of(left.total, parent.bounds) +
                              0.5 * search_->value_of(right.total, parent.bounds);
        const bool rises = options_->monotone[column] > 0;
        (rises ? left : right).bounds.high = middle;
        (rises ? right : left).bounds.low = middle;
    }
    for (const std::int32_t set : parent.sets) {
        const std::vector<std::int32_t>& members = options_->interactions[static_cast<std::size_t>(set)];
        if (std::find(members.begin(), members.end(), split.column) != members.end())
            left.sets.push_back(set);
    }
    right.sets = left.sets;
}

// The columns that may be split on: those of the tree, of the level, and of the sets that hold the path.
void PairSplits::list_columns(const OpenPairs& open) {
    order_ = allowed_;
    if (options_->columns_per_level < std::ssize(order_)) {
        Draws draws = key_.draws(Purpose::columns_of_tree, 1 + static_cast<std::uint64_t>(open.depth));
        shuffle(order_, 0, static_cast<std::size_t>(options_->columns_per_level), draws);
        order_.resize(static_cast<std::size_t>(options_->columns_per_level));
        std::sort(order_.begin(), order_.end());
    }
    if (options_->interactions.empty()) return;
    std::erase_if(order_, [&](std::int32_t j) {
        return std::none_of(open.sets.begin(), open.sets.end(), [&](std::int32_t set) {
            const std::vector<std::int32_t>& members = options_->interactions[static_cast<std::size_t>(set)];
            return std::find(members.begin(), members.end(), j) != members.end();
        });
    });
}

bool PairSplits::choose(OpenPairs& open, const CodeSums* histogram, const PairNode& node, const PairCut* cuts,
                        Split& best_split) {
    constexpr double tie = 1e-12;
    list_columns(open);
    const auto all = std::ssize(order_);
    const std::int64_t wanted = std::min(options_->max_features, all);
    Draws draws = NodeKey{key_, open.path}.columns();
    if (wanted < all) shuffle(order_, 0, static_cast<std::size_t>(wanted), draws);
    std::int32_t best = -1;
    for (std::int64_t i = 0; i < all && (i < wanted || best < 0); ++i) {
        // As long as no column can be split, further columns are tried.
        if (i >= wanted) shuffle(order_, static_cast<std::size_t>(i), static_cast<std::size_t>(i) + 1, draws);
        const std::int32_t j = order_[static_cast<std::size_t>(i)];
        if (cuts[j].score != no_gain &&
            (best < 0 || cuts[j].score > cuts[best].score + tie * std::abs(cuts[best].score)))
            best = j;
    }
    if (best < 0) return false;
    const double decrease = search_->decrease(node, cuts[best].score);
    if (!(decrease > 0.0)) return false;  // the options make no sense
    open.decrease = decrease;
    best_split = search_->split_of(best, histogram, cuts[best]);
    open.left = search_->left_of(best_split, histogram);
    return true;
}

std::int64_t PairSplits::most_kept() const {
    const std::int64_t bytes = columns_.entries() * static_cast<std::int64_t>(sizeof(CodeSums));
    return std::max<std::int64_t>(2, histogram_memory / bytes);
}

// Values come from the pairs themselves, not from rounded ones; those of inner nodes from their children.
Tree PairSplits::finished(TreePart& part, const std::vector<ValueBounds>& bounds,
                          const std::vector<std::int32_t>& number, const std::vector<LeafSums>& sums) const {
    std::vector<GrowingNode>& nodes = part.nodes;
    part.values.resize(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {  // children come after their parent
        GrowingNode& node = nodes[i];
        if (node.children == 0) {
            const LeafSums& own = sums[static_cast<std::size_t>(number[i])];
            node.sum = own.sum;
            node.weight = own.weight;
        } else {
            GrowingNode* child = nodes.data() + node.first_child;
            node.sum = child[0].sum + child[1].sum;
            node.weight = child[0].weight + child[1].weight;
            for (int c = 0; c < 2; ++c) child[c].share = child[c].weight / node.weight;
            if (node.split.missing_child < 0)  // missing values that come later go where most rows went
                node.split.missing_child = child[1].share > child[0].share ? 1 : 0;
            if (node.split.kind == SplitKind::threshold)
                node.threshold =
                    threshold_of(table_.columns[static_cast<std::size_t>(node.split.column)], node.split);
        }
        part.values[i] = std::clamp(shrunk(node.sum, options_->l1) / (node.weight + options_->l2),
                                    bounds[i].low, bounds[i].high);
    }
    std::vector<TreePart> none;
    settle_gains(part, none, *options_);
    return flatten(part, none, 1);
}

}  // namespace hornbook
