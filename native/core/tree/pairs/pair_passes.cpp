#include "core/tree/pairs/pair_passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

PassParts parts_of(const std::vector<ColumnCodes>& columns, const TreeOptions& options) {
    return {options, table_of({nullptr, 1, 0, std::ssize(columns)}, columns, 1)};
}

}  // namespace

PairPassGrower::PairPassGrower(const std::vector<ColumnCodes>& columns, const TreeOptions& given,
                               const TreeKey& key, const PairBounds& bounds, std::int64_t size,
                               std::int64_t rows, std::int64_t memory)
    : PassParts(parts_of(columns, given)),
      PairSplits(PassParts::table),
      scale_(scale_of(bounds, size, given.quantize, key)),
      memory_(memory),
      cuts_(columns.size()) {
    if (!suits(table_.columns, options)) refuse("these options need another grower.");
    PairSplits::check(options);
    begin_tree(options, key, scale_.units, bounds.weights);
    known_.emplace_back();
    known_[0].open = root_of(rows);
    part_.nodes.resize(1);
    part_known_.assign(1, 0);
    part_.nodes[0].n_rows = static_cast<std::int32_t>(rows);
    bounds_.resize(1);
    slots_ = can_split(known_[0].open) && options.max_leaf_nodes >= 2 ? 1 : 0;
    slot_.assign(1, slots_ > 0 ? 0 : -1);
}

Routes PairPassGrower::routes() const {
    Routes routes;
    if (slots_ > 0) {
        for (std::size_t i = 0; i < known_.size(); ++i)
            routes.add(known_[i].split, known_[i].first_child, slot_[i]);
        return routes;
    }
    const std::vector<std::int32_t> number = numbers_of(part_);
    for (std::size_t i = 0; i < part_.nodes.size(); ++i)
        routes.add(part_.nodes[i].split, part_.nodes[i].first_child, number[i]);
    return routes;
}

Routes PairPassGrower::grown() const {
    if (slots_ > 0) refuse("some nodes of the tree are still open.");
    const std::vector<std::int32_t> number = numbers_of(part_);
    std::vector<std::int32_t> own(known_.size(), -1);
    std::vector<bool> divided(known_.size(), false);
    for (std::size_t i = 0; i < part_.nodes.size(); ++i) {
        own[part_known_[i]] = number[i];
        divided[part_known_[i]] = part_.nodes[i].children > 0;
    }
    Routes routes;
    for (std::size_t i = 0; i < known_.size(); ++i) {  // children come after their parents
        const std::int32_t first = known_[i].first_child;
        for (std::int32_t c = 0; first >= 0 && c < 2; ++c) {
            const auto child = static_cast<std::size_t>(first + c);
            if (own[child] < 0) own[child] = own[i];  // of a split that the tree does not make
        }
        routes.add(known_[i].split, divided[i] ? first : -1, own[i]);
    }
    return routes;
}

void PairPassGrower::take(const CodeSums* histograms) {
    if (slots_ == 0) refuse("the tree is grown: there is nothing to sum.");
    if (asked_.empty()) {  // the first pass
        Known& root = known_[0];
        root.open.total = search_->total(histograms);
        check(histograms, root.open.total, root.open.size);
        search(root, copied(histograms));
    }
    for (const Asked& asked : asked_) search_children(asked, histograms);
    plan();
}

// Repeats the growth of PairGrower with what is known, until the children of a node are needed that are not.
void PairPassGrower::plan() {
    part_.nodes.resize(1);
    part_.nodes[0].split = Split{};
    part_.nodes[0].children = 0;
    part_known_.assign(1, 0);
    bounds_.resize(1);
    slot_.assign(known_.size(), -1);
    asked_.clear();
    slots_ = 0;
    std::vector<Candidate> heap;
    if (known_[0].open.decrease > 0.0) heap.push_back({known_[0].open.decrease, 0, 0});
    for (std::int64_t leaves = 2; !heap.empty(); ++leaves) {
        const Candidate parent = heap.front();
        add_children(parent.known);
        const bool goes_on = leaves < options_->max_leaf_nodes;
        if (goes_on && !known_[parent.known].searched)
            return ask(heap,
                       options_->max_leaf_nodes == unlimited ? unlimited : options_->max_leaf_nodes - leaves);
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
        const auto first = static_cast<std::int32_t>(part_.nodes.size());
        part_.nodes.resize(part_.nodes.size() + 2);
        GrowingNode& node = part_.nodes[static_cast<std::size_t>(parent.node)];
        node.split = known_[parent.known].split;
        node.first_child = first;
        node.children = 2;
        for (std::int32_t c = 0; c < 2; ++c) {
            const auto at = static_cast<std::size_t>(known_[parent.known].first_child + c);
            const OpenPairs& child = known_[at].open;
            part_.nodes[static_cast<std::size_t>(first + c)].n_rows = static_cast<std::int32_t>(child.size);
            bounds_.push_back(child.bounds);
            part_known_.push_back(at);
            if (!goes_on || child.decrease <= 0.0) continue;
            heap.push_back({child.decrease, first + c, at});
            std::push_heap(heap.begin(), heap.end());
        }
        if (!goes_on) return;
    }
}

void PairPassGrower::add_children(std::size_t parent) {
    if (known_[parent].first_child >= 0) return;
    Known left, right;
    divide(known_[parent].open, known_[parent].split, left.open, right.open);
    known_[parent].first_child = static_cast<std::int32_t>(known_.size());
    known_[parent].searched = !can_split(left.open) && !can_split(right.open);
    known_.push_back(std::move(left));
    known_.push_back(std::move(right));
    slot_.resize(known_.size(), -1);
}

// The next pass is for all nodes that may be split before the tree is full: each of the `most` best, as their
// children may gain less than the others.
void PairPassGrower::ask(std::vector<Candidate>& frontier, std::int64_t most) {
    std::sort_heap(frontier.begin(), frontier.end());
    for (auto next = frontier.rbegin(); next != frontier.rend() && most > 0; ++next, --most) {
        add_children(next->known);
        if (!known_[next->known].searched && !ask_for(next->known)) return;
    }
}

// False if there is no memory for the histograms of the children.
bool PairPassGrower::ask_for(std::size_t parent) {
    const std::int64_t bytes = entries() * static_cast<std::int64_t>(sizeof(CodeSums));
    const auto first = static_cast<std::size_t>(known_[parent].first_child);
    const bool left_small = known_[first].open.size <= known_[first + 1].open.size;
    const std::size_t small = left_small ? first : first + 1, large = left_small ? first + 1 : first;
    const bool subtracts = known_[parent].histogram != nullptr;
    const bool sums_small = subtracts || can_split(known_[small].open);
    const bool sums_large = !subtracts && can_split(known_[large].open);
    const std::int64_t wanted = (sums_small ? 1 : 0) + (sums_large ? 1 : 0);
    if (slots_ > 0 && (slots_ + wanted) * bytes > memory_) return false;
    if (sums_small) slot_[small] = static_cast<std::int32_t>(slots_++);
    if (sums_large) slot_[large] = static_cast<std::int32_t>(slots_++);
    asked_.push_back({parent, slot_[small], slot_[large]});
    return true;
}

void PairPassGrower::search_children(const Asked& asked, const CodeSums* histograms) {
    const auto first = static_cast<std::size_t>(known_[asked.known].first_child);
    const bool left_small = known_[first].open.size <= known_[first + 1].open.size;
    Known& small = known_[left_small ? first : first + 1];
    Known& large = known_[left_small ? first + 1 : first];
    Memory rest = std::move(known_[asked.known].histogram);
    if (rest) --kept_;
    Memory of_small;
    if (asked.small >= 0) {
        const CodeSums* sums = histograms + asked.small * entries();
        check(sums, small.open.total, small.open.size);
        of_small = copied(sums);
    }
    if (asked.large >= 0) {
        const CodeSums* sums = histograms + asked.large * entries();
        check(sums, large.open.total, large.open.size);
        rest = copied(sums);
    } else if (rest) {
        subtract(of_small->data(), entries(), rest->data());
    }
    if (can_split(small.open)) search(small, std::move(of_small));
    if (can_split(large.open)) search(large, std::move(rest));
    known_[asked.known].searched = true;
}

void PairPassGrower::search(Known& node, Memory histogram) {
    pace_.spend(entries() * lanes);
    const PairNode sums = search_->node_of(node.open.total, node.open.bounds);
    for (std::int64_t g = 0; g < columns_.groups(); ++g)
        search_->search(g, histogram->data(), sums, cuts_.data());
    if (!choose(node.open, histogram->data(), sums, cuts_.data(), node.split)) return;
    if (kept_ >= most_kept()) return;
    ++kept_;
    node.histogram = std::move(histogram);
}

// Rejects histograms that are not those of the node: in each column, the sums of its codes are the node's.
void PairPassGrower::check(const CodeSums* histogram, const FixedPair& total, std::int64_t rows) const {
    constexpr std::int64_t most = std::int64_t{1} << 52;
    if (search_->rows_of(total) != rows) refuse("histograms must count the rows of their nodes.");
    for (std::int64_t j = 0; j < columns_.columns; ++j) {
        const CodeSums* sums = histogram + columns_.first[static_cast<std::size_t>(j / lanes)];
        std::int64_t sum = 0;
        std::uint64_t mass = 0;
        for (std::int32_t c = 0; c <= table_.columns[static_cast<std::size_t>(j)].bins; ++c) {
            const std::int64_t own = sums[c].sum[j % lanes], weight = sums[c].mass[j % lanes];
            if (own > most || own < -most || weight < 0) refuse("histograms must hold sums of pairs.");
            sum += own;
            mass += static_cast<std::uint64_t>(weight);
        }
        if (sum != total.sum || mass != static_cast<std::uint64_t>(total.mass))
            refuse("the histogram of column ", j, " must hold all rows of its node.");
    }
}

PairPassGrower::Memory PairPassGrower::copied(const CodeSums* histogram) const {
    Memory memory = std::make_unique<Buffer<CodeSums>>(entries());
    std::memcpy(static_cast<void*>(memory->data()), histogram,
                sizeof(CodeSums) * static_cast<std::size_t>(entries()));
    return memory;
}

Tree PairPassGrower::tree(std::span<const LeafSums> runs) {
    if (slots_ > 0) refuse("some nodes of the tree are still open.");
    if (runs.empty() || std::ssize(runs) % nodes() != 0)
        refuse("there must be the sums of all ", nodes(), " nodes, for one run of rows after the other.");
    std::vector<LeafSums> sums(part_.nodes.size());
    add_runs(runs, sums);
    return finished(part_, bounds_, numbers_of(part_), sums);
}

}  // namespace hornbook
