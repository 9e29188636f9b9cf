#include "core/tree/pairs/pair_grower.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t cells_worth_threads = std::int64_t{1} << 19;

}  // namespace

PairGrower::PairGrower(const CodedTable& table) : PairSplits(table) {
    cuts_.resize(2 * table.columns.size());
}

bool PairGrower::takes(const CodedTable& table, const TreeOptions& options) {
    return table.n_rows > 0 && suits(table.columns, options);
}

Tree PairGrower::grow(const PairTarget& target, const TreeOptions& options, const TreeKey& key, int threads,
                      bool all_coded, std::int32_t* leaf) {
    if (threads < 1) refuse("threads must be at least 1; got ", threads, ".");
    if (!takes(table_, options)) refuse("these options need another grower.");
    check(options);
    if (target.size != table_.n_rows) refuse("sum and weight must have one entry for each row.");
    const std::lock_guard one_at_a_time(mutex_);
    Crew crew(target.size * columns_.columns >= cells_worth_threads ? threads : 1);
    crew_ = &crew;
    begin(target, options, key);
    Open root = make_root();
    if (root.decrease > 0.0) {
        if (options.max_leaf_nodes == unlimited)
            grow_in_order(std::move(root));
        else
            grow_best_first(std::move(root));
    }
    return finish(target, all_coded, leaf);
}

void PairGrower::begin(const PairTarget& target, const TreeOptions& options, const TreeKey& key) {
    kept_ = 0;
    const PairBounds bounds = bounds_of(target, *crew_);
    pairs_.encode(target, scale_of(bounds, target.size, options.quantize, key), 0, *crew_);
    begin_tree(options, key, pairs_.units, bounds.weights);
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
    Open root{root_of(n_rows_), 0, nullptr};
    if (!can_split(root) || options_->max_leaf_nodes < 2) return root;
    root.histogram = take_memory();
    CodeSums* histogram = root.histogram->data();
    fill(root, histogram);
    root.total = search_->total(histogram);
    const PairNode node = search_->node_of(root.total, root.bounds);
    for_groups([&](std::int64_t g) { search_->search(g, histogram, node, cuts_.data()); });
    if (!choose_for(root, node, cuts_.data())) give_back(root.histogram);
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
    divide(parent, node.split, left, right);
    left.first = parent.first;
    right.first = parent.first + size;
    std::int32_t number = first;
    for (Open* child : {&left, &right}) {
        child->node = number++;
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
    for_groups([&](std::int64_t g) {
        const std::int64_t at = columns_.first[static_cast<std::size_t>(g)];
        if (subtracts)
            subtract(small.histogram->data() + at, columns_.codes[static_cast<std::size_t>(g)],
                     large.histogram->data() + at);
        if (splits_small) search_->search(g, small.histogram->data(), of_small, cuts);
        if (splits_large) search_->search(g, large.histogram->data(), of_large, cuts + columns_.columns);
    });
    if (!splits_small || !choose_for(small, of_small, cuts)) give_back(small.histogram);
    if (!splits_large || !choose_for(large, of_large, cuts + columns_.columns)) give_back(large.histogram);
}

bool PairGrower::choose_for(Open& open, const PairNode& node, const PairCut* cuts) {
    Split& best = part_.nodes[static_cast<std::size_t>(open.node)].split;
    if (!choose(open, open.histogram->data(), node, cuts, best)) return false;
    if (kept_ > most_kept()) give_back(open.histogram);
    return true;
}

}  // namespace hornbook
