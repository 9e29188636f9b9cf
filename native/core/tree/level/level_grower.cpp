#include "core/tree/level/level_grower.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/base/refuse.hpp"
#include "core/tree/search/scan_candidates.hpp"

namespace hornbook {

namespace {

LevelParts parts_of(std::vector<ColumnCodes> columns, const TreeOptions& options, const TargetInfo& target) {
    if (options.criterion == Criterion::absolute_error || options.criterion == Criterion::poisson ||
        options.fractional || !options.monotone.empty() || options.max_leaf_nodes != unlimited ||
        options.max_random_splits != unlimited)
        refuse(
            "histograms alone cannot give medians, deviances, fractional rows, monotone values, or the best "
            "node of a whole tree.");
    LevelParts parts{options, std::move(columns), target, {}, nullptr};
    parts.table = table_of({nullptr, 1, 0, std::ssize(parts.columns)}, parts.columns, 1);
    return parts;
}

}  // namespace

LevelGrower::LevelGrower(std::vector<ColumnCodes> columns, const TreeOptions& options, const TreeKey& key,
                         const TargetInfo& target, std::int64_t small, int threads)
    : LevelParts(parts_of(std::move(columns), options, target)),
      Grower(LevelParts::table, LevelParts::options, key,
             *(LevelParts::search = make_histogram_search(LevelParts::table, LevelParts::options, target)),
             target.largest, threads),
      scratch_(make_scratch(threads)),
      small_(small) {
    trunk_.nodes.resize(1);
    Open root;
    root.pending.rows.share = 1.0;
    open_.push_back(std::move(root));
}

Routes LevelGrower::routes() const {
    Routes routes;
    for (const GrowingNode& node : trunk_.nodes) routes.add(node.split, node.first_child, -1);
    for (std::size_t slot = 0; slot < open_.size(); ++slot)
        routes.slot[static_cast<std::size_t>(open_[slot].pending.node)] = static_cast<std::int32_t>(slot);
    return routes;
}

PassLayout LevelGrower::pass() const {
    PassLayout pass{allowed_,
                    histogram_at_,
                    0,
                    std::ssize(open_),
                    counts_whole(target, options),
                    search->layout().classes > 0 && search->layout().count >= 0};
    pass.histograms =
        std::count_if(open_.begin(), open_.end(), [](const Open& open) { return open.histogram; });
    return pass;
}

void LevelGrower::take(const std::uint8_t* histograms, const Spread* spreads) {
    std::vector<Open> open = std::move(open_);
    open_.clear();
    for (std::size_t slot = 0; slot < open.size(); ++slot)
        split(open[slot],
              open[slot].histogram ? histograms + static_cast<std::int64_t>(slot) * histogram_at_.back()
                                   : nullptr,
              spreads[slot]);
    // Those that need histograms come first, in the order of the tree.
    std::stable_partition(open_.begin(), open_.end(), [](const Open& next) { return next.histogram; });
}

void LevelGrower::split(Open& open, const std::uint8_t* histogram, const Spread& spread) {
    const Layout& layout = search->layout();
    Pending& pending = open.pending;
    if (open.sums.empty()) {
        open.sums.assign(static_cast<std::size_t>(layout.stride), 0.0);
        search->sum_codes(histogram, 0, table_.columns[static_cast<std::size_t>(allowed_[0])].bins + 1,
                          open.sums.data());
        pending.rows.rows.size = rows_of(open.sums);
    }
    if (pending.rows.rows.size < 1) refuse("a tree needs at least one row of positive weight.");
    search->totals(open.sums, spread, scratch_.totals);
    if (!histogram) {
        write_totals(trunk_, pending.node, pending.rows.rows.size, scratch_.totals);
        return;
    }
    pending.histograms_only = true;
    pending.histograms = std::make_unique<Buffer<std::uint8_t>>(histogram_at_.back());
    std::memcpy(pending.histograms->data(), histogram, static_cast<std::size_t>(histogram_at_.back()));
    histogram = pending.histograms->data();  // aligned, unlike the argument
    if (!split_with_totals(trunk_, pending, scratch_)) return;
    Split& best = trunk_.nodes[static_cast<std::size_t>(pending.node)].split;
    tighten_threshold(best, histogram);
    std::vector<std::vector<double>> sums = child_sums(best, histogram);
    std::vector<ChildRows> parts(sums.size());
    double total = 0.0;
    for (std::size_t c = 0; c < sums.size(); ++c) {
        parts[c].rows.size = rows_of(sums[c]);
        total += parts[c].share = weight_of(sums[c].data(), layout);
    }
    for (ChildRows& child : parts) child.share /= total;
    std::vector<Pending> children;
    add_children(trunk_, pending, parts, children);
    for (std::size_t c = 0; c < children.size(); ++c) add_child(std::move(children[c]), std::move(sums[c]));
}

// A leaf, a node that waits for its rows, or an open node of the next pass.
void LevelGrower::add_child(Pending child, std::vector<double> sums) {
    NodeTotals& totals = scratch_.totals;
    const bool numbers = search->layout().classes == 0;
    if (numbers) {
        totals = NodeTotals{};
        totals.weight = sums[1];
    } else {
        search->totals(sums, Spread{}, totals);
    }
    const bool leaf = is_leaf(totals, child.rows.rows.size, child.depth);
    if (leaf && !numbers) {
        write_totals(trunk_, child.node, child.rows.rows.size, totals);
    } else if (!leaf && child.rows.rows.size <= small_) {
        waiting_[child.node] = {child.path, child.depth, child.rows.rows.size,
                                static_cast<std::int32_t>(grafts_.size())};
        grafts_.emplace_back();
    } else {
        open_.push_back({std::move(child), std::move(sums), !leaf});
    }
}

const std::uint8_t* LevelGrower::column_of(const std::uint8_t* histogram, std::int32_t j) const {
    const auto place = std::find(allowed_.begin(), allowed_.end(), j) - allowed_.begin();
    return histogram + histogram_at_[static_cast<std::size_t>(place)];
}

std::int64_t LevelGrower::rows_of(const std::vector<double>& sums) const {
    const Layout& layout = search->layout();
    const double rows =
        layout.count < 0 ? weight_of(sums.data(), layout) : sums[static_cast<std::size_t>(layout.count)];
    return static_cast<std::int64_t>(std::clamp(rows, 0.0, static_cast<double>(target.rows)));
}

// Sets the codes next to the cut to those that occur in the node.
void LevelGrower::tighten_threshold(Split& split, const std::uint8_t* histogram) const {
    if (split.kind != SplitKind::threshold) return;
    const std::int32_t bins = table_.columns[static_cast<std::size_t>(split.column)].bins;
    const std::uint8_t* codes = column_of(histogram, split.column);
    const auto occurs = [&](std::int32_t code) {
        std::vector<double> sums(static_cast<std::size_t>(search->layout().stride), 0.0);
        search->sum_codes(codes, code, code + 1, sums.data());
        return !is_empty(sums.data(), search->layout());
    };
    std::int32_t below = split.below, above = split.below + 1;
    while (below > 0 && !occurs(below)) --below;
    while (above < bins && !occurs(above)) ++above;
    split.below = below;
    split.above = above;
}

std::vector<std::vector<double>> LevelGrower::child_sums(const Split& split,
                                                         const std::uint8_t* histogram) const {
    const std::int32_t bins = table_.columns[static_cast<std::size_t>(split.column)].bins;
    const std::uint8_t* codes = column_of(histogram, split.column);
    std::vector<std::vector<double>> sums(static_cast<std::size_t>(child_count(split)));
    for (auto& child : sums) child.assign(static_cast<std::size_t>(search->layout().stride), 0.0);
    const auto add = [&](std::int32_t first, std::int32_t last, std::size_t child) {
        search->sum_codes(codes, first, last, sums[child].data());
    };
    if (split.kind == SplitKind::threshold) {
        add(0, split.below + 1, 0);
        add(split.below + 1, bins, 1);
    } else {
        const std::vector<std::int32_t>& levels = split.levels;
        for (std::int32_t code = 0; code < bins; ++code) {
            const auto place = std::lower_bound(levels.begin(), levels.end(), code);
            const bool listed = place != levels.end() && *place == code;
            if (split.kind == SplitKind::subset)
                add(code, code + 1, listed ? 0 : 1);
            else if (listed)
                add(code, code + 1, static_cast<std::size_t>(place - levels.begin()));
        }
    }
    if (split.missing_child >= 0) add(bins, bins + 1, static_cast<std::size_t>(split.missing_child));
    return sums;
}

std::vector<SmallNode> LevelGrower::small_nodes() const {
    std::vector<SmallNode> nodes;
    for (const auto& [node, waiting] : waiting_) nodes.push_back({node, waiting.rows});
    return nodes;
}

void LevelGrower::finish(std::int32_t node, const RowCodes& codes, const TreeTarget& rows) {
    Waiting waiting;
    {
        const std::lock_guard lock(finishing_);
        const auto place = waiting_.find(node);
        if (place == waiting_.end()) refuse("node ", node, " does not wait for its rows.");
        waiting = place->second;
        if (waiting.rows != codes.rows)
            refuse("node ", node, " has ", waiting.rows, " rows; got ", codes.rows, ".");
        waiting_.erase(place);
    }
    const CodedTable own = table_of(codes, columns, 1);
    check_target(own, rows, options);
    TargetInfo info = target;
    info.counted = false;
    const std::unique_ptr<Search> searching = make_search(own, options, info);
    const auto store = std::make_shared<RowStore>();
    store->row.resize(static_cast<std::size_t>(own.n_rows));
    std::iota(store->row.begin(), store->row.end(), 0);
    fill_rows(rows, nullptr, info, options, *store);
    TreePart part = Grower(own, options, key_, *searching, total_weight_, 1)
                        .grow_subtree(store, waiting.path, waiting.depth);
    const std::lock_guard lock(finishing_);
    trunk_.nodes[static_cast<std::size_t>(node)].graft = waiting.graft;
    grafts_[static_cast<std::size_t>(waiting.graft)] = std::move(part);
}

Tree LevelGrower::tree() {
    if (!open_.empty() || !waiting_.empty()) refuse("some nodes of the tree are still open.");
    set_thresholds(trunk_);
    check_size(count_nodes(trunk_, grafts_));
    return finished(trunk_, std::move(grafts_));
}

}  // namespace hornbook
