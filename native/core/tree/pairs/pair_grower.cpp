#include "core/tree/pairs/pair_grower.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/refuse.hpp"
#include "core/tree/columns/threshold.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t cells_worth_threads = std::int64_t{1} << 19;
constexpr std::int64_t rows_worth_rounding = std::int64_t{1} << 16;
constexpr std::int64_t most_rows_rounded = std::int64_t{1} << 26;
constexpr std::int64_t most_bins = 255;

// Numbers that float32 holds without loss of range.
bool is_ordinary(double number) { return number > 1e-30 && number < 1e30; }

}  // namespace

PairGrower::PairGrower(const CodedTable& table) : table_(table), columns_(table) {
    cuts_.resize(2 * table.columns.size());
    splits_.resize(2 * table.columns.size());
}

bool PairGrower::takes(const CodedTable& table, const TreeOptions& options) {
    return options.criterion == Criterion::squared_error && options.pick == Pick::best && !options.multiway &&
           !options.fractional && !options.random_thresholds && !options.draw_order &&
           options.subset_size == 0 && options.leaf_size < 0.0 && options.min_gain >= 0.0 &&
           !table.columns.empty() && table.n_rows > 0 &&
           std::all_of(table.columns.begin(), table.columns.end(),
                       [](const CodedColumn& column) { return column.bins <= most_bins; });
}

Tree PairGrower::grow(const PairTarget& target, const TreeOptions& options, const TreeKey& key, int threads,
                      bool all_coded, std::int32_t* leaf) {
    if (threads < 1) refuse("threads must be at least 1; got ", threads, ".");
    if (!takes(table_, options)) refuse("these options need another grower.");
    check(options);
    if (target.size != table_.n_rows) refuse("sum and weight must have one entry for each row.");
    const std::lock_guard one_at_a_time(mutex_);
    Crew crew(target.size * columns_.columns >= cells_worth_threads ? threads : 1);
    options_ = &options;
    key_ = key;
    crew_ = &crew;
    begin(target);
    Open root = make_root();
    if (root.decrease > 0.0) {
        if (options.max_leaf_nodes == unlimited)
            grow_in_order(std::move(root));
        else
            grow_best_first(std::move(root));
    }
    return finish(target, all_coded, leaf);
}

void PairGrower::check(const TreeOptions& options) const {
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

void PairGrower::begin(const PairTarget& target) {
    kept_ = 0;
    const PairBounds bounds = bounds_of(target, *crew_);
    const bool rounded = options_->quantize && target.size >= rows_worth_rounding &&
                         target.size <= most_rows_rounded && is_ordinary(bounds.largest_sum) &&
                         is_ordinary(bounds.largest_weight);
    if (rounded)
        pairs_.quantize(target, bounds, key_, *crew_);
    else
        pairs_.fix(target, bounds, *crew_);
    search_ = std::make_unique<PairSearch>(table_, columns_, *options_, pairs_.units, bounds.weights);
    allowed_ = columns_of_tree(columns_.columns, options_->columns_per_tree, key_);
    std::int32_t* rows = resized(rows_, target.size + rows_ahead);
    n_rows_ = target.size;
    if (bounds.smallest_weight > 0.0) {
        std::iota(rows, rows + target.size, 0);
    } else {
        n_rows_ = 0;
        for (std::int32_t i = 0; i < target.size; ++i) {  // branchless: which rows are kept is unpredictable
            rows[n_rows_] = i;
            n_rows_ += target.weight[i] != 0.0;
        }
    }
    part_.nodes.assign(1, GrowingNode{});
    part_.values.clear();
    first_row_.assign(1, 0);
    bounds_.assign(1, {});
    part_.nodes[0].n_rows = static_cast<std::int32_t>(n_rows_);
}

// The root, without a histogram if it is a leaf.
PairGrower::Open PairGrower::make_root() {
    Open root;
    root.size = n_rows_;
    root.sets.resize(options_->interactions.size());
    std::iota(root.sets.begin(), root.sets.end(), 0);
    if (!can_split(root) || options_->max_leaf_nodes < 2) return root;
    root.histogram = take_memory();
    CodeSums* histogram = root.histogram->data();
    fill(root, histogram);
    root.total = search_->total(histogram);
    const PairNode node = search_->node_of(root.total, root.bounds);
    for_groups([&](std::int64_t g) { search_->search(g, histogram, node, cuts_.data(), splits_.data()); });
    if (!choose(root, node, cuts_.data(), splits_.data())) give_back(root.histogram);
    return root;
}

// The split that lowers the loss most comes next.
void PairGrower::grow_best_first(Open root) {
    const auto before = [](const Open& a, const Open& b) {
        return a.decrease != b.decrease ? a.decrease < b.decrease : a.node > b.node;
    };
    std::vector<Open> heap;
    heap.push_back(std::move(root));
    for (std::int64_t leaves = 2; !heap.empty(); ++leaves) {
        std::pop_heap(heap.begin(), heap.end(), before);
        Open parent = std::move(heap.back());
        heap.pop_back();
        auto [left, right] = expand(parent, leaves < options_->max_leaf_nodes);
        for (Open* child : {&left, &right}) {
            if (child->decrease <= 0.0) continue;
            heap.push_back(std::move(*child));
            std::push_heap(heap.begin(), heap.end(), before);
        }
        if (leaves < options_->max_leaf_nodes) continue;
        for (Open& rest : heap) {
            part_.nodes[static_cast<std::size_t>(rest.node)].split = Split{};
            give_back(rest.histogram);
        }
        return;
    }
}

// Depth first: few histograms are kept.
void PairGrower::grow_in_order(Open root) {
    std::vector<Open> open;
    open.push_back(std::move(root));
    while (!open.empty()) {
        Open parent = std::move(open.back());
        open.pop_back();
        auto [left, right] = expand(parent, true);
        for (Open* child : {&right, &left})
            if (child->decrease > 0.0) open.push_back(std::move(*child));
    }
}

bool PairGrower::can_split(const Open& open) const {
    return open.depth < options_->max_depth && open.size >= options_->min_samples_split &&
           open.size - options_->min_samples_leaf >= options_->min_samples_leaf;
}

// Makes the split of a node. The children have a decrease above 0 if they can be split further.
std::pair<PairGrower::Open, PairGrower::Open> PairGrower::expand(Open& parent, bool goes_on) {
    pace_.spend(parent.size + columns_.entries());
    const Split& split = part_.nodes[static_cast<std::size_t>(parent.node)].split;
    const std::int64_t size = partition(parent, split);
    const auto first = static_cast<std::int32_t>(part_.nodes.size());
    part_.nodes.resize(part_.nodes.size() + 2);
    GrowingNode& node = part_.nodes[static_cast<std::size_t>(parent.node)];
    node.first_child = first;
    node.children = 2;
    Open left, right;
    left.first = parent.first;
    left.size = size;
    left.total = parent.left;
    right.first = parent.first + size;
    right.size = parent.size - size;
    right.total = {parent.total.sum - parent.left.sum, parent.total.mass - parent.left.mass};
    pass_on(parent, left, right);
    std::uint64_t number = 0;
    for (Open* child : {&left, &right}) {
        child->node = first + static_cast<std::int32_t>(number);
        child->depth = parent.depth + 1;
        child->path = child_path(parent.path, number++);
        first_row_.push_back(child->first);
        bounds_.push_back(child->bounds);
        part_.nodes[static_cast<std::size_t>(child->node)].n_rows = static_cast<std::int32_t>(child->size);
    }
    if (goes_on) search_children(parent, left, right);
    give_back(parent.histogram);
    return {std::move(left), std::move(right)};
}

// The histogram of the smaller child is summed up, that of the larger one is what remains of the parent's
// (the subtraction of LightGBM, Ke et al. 2017).
void PairGrower::search_children(Open& parent, Open& left, Open& right) {
    constexpr std::int64_t few = 256;  // rows that are taken out one by one
    Open& small = left.size <= right.size ? left : right;
    Open& large = left.size <= right.size ? right : left;
    const bool splits_small = can_split(small), splits_large = can_split(large);
    if (!splits_small && !splits_large) return;
    bool subtracts = false;
    if (parent.histogram && !splits_small && small.size <= few) {
        take_rows(columns_, pairs_, rows_.data() + small.first, small.size, parent.histogram->data());
        large.histogram = std::move(parent.histogram);
    } else if (parent.histogram || splits_small) {
        small.histogram = take_memory();
        fill(small, small.histogram->data());
        if (splits_large && parent.histogram) {
            subtracts = true;
            large.histogram = std::move(parent.histogram);
        }
    }
    if (splits_large && !large.histogram) {
        large.histogram = take_memory();
        fill(large, large.histogram->data());
    }
    const PairNode of_small = search_->node_of(small.total, small.bounds),
                   of_large = search_->node_of(large.total, large.bounds);
    PairCut* cuts = cuts_.data();
    Split* splits = splits_.data();
    for_groups([&](std::int64_t g) {
        const std::int64_t at = columns_.first[static_cast<std::size_t>(g)];
        if (subtracts)
            subtract(small.histogram->data() + at, columns_.codes[static_cast<std::size_t>(g)],
                     large.histogram->data() + at);
        if (splits_small) search_->search(g, small.histogram->data(), of_small, cuts, splits);
        if (splits_large)
            search_->search(g, large.histogram->data(), of_large, cuts + columns_.columns,
                            splits + columns_.columns);
    });
    if (!splits_small || !choose(small, of_small, cuts, splits)) give_back(small.histogram);
    if (!splits_large || !choose(large, of_large, cuts + columns_.columns, splits + columns_.columns))
        give_back(large.histogram);
}

// What a split means for all nodes below it. On a monotone column, the values of both sides are kept apart by
// the mean of those of the children.
void PairGrower::pass_on(const Open& parent, Open& left, Open& right) const {
    left.bounds = right.bounds = parent.bounds;
    const std::int32_t column = part_.nodes[static_cast<std::size_t>(parent.node)].split.column;
    if (!options_->monotone.empty() && options_->monotone[static_cast<std::size_t>(column)] != 0) {
        const double middle = 0.5 * search_->value_of(left.total, parent.bounds) +
                              0.5 * search_->value_of(right.total, parent.bounds);
        const bool rises = options_->monotone[static_cast<std::size_t>(column)] > 0;
        (rises ? left : right).bounds.high = middle;
        (rises ? right : left).bounds.low = middle;
    }
    for (const std::int32_t set : parent.sets) {
        const std::vector<std::int32_t>& members = options_->interactions[static_cast<std::size_t>(set)];
        if (std::find(members.begin(), members.end(), column) != members.end()) left.sets.push_back(set);
    }
    right.sets = left.sets;
}

// The columns that may be split on: those of the tree, of the level, and of the sets that hold the path.
void PairGrower::list_columns(const Open& open) {
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

// Takes the best of the columns that compete; false if none lowers the loss.
bool PairGrower::choose(Open& open, const PairNode& node, const PairCut* cuts, Split* splits) {
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
    open.decrease = search_->decrease(node, cuts[best].score);
    if (!(open.decrease > 0.0)) return false;  // the options make no sense
    Split& split = part_.nodes[static_cast<std::size_t>(open.node)].split;
    const bool nominal = table_.columns[static_cast<std::size_t>(best)].nominal;
    split = nominal ? std::move(splits[best]) : search_->split_of(best, open.histogram->data(), cuts[best]);
    split.column = best;
    open.left = search_->left_of(split, open.histogram->data());
    if (kept_ > most_kept()) give_back(open.histogram);
    return true;
}

}  // namespace hornbook
