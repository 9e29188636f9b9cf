#include "core/tree/few/few_rows_search.hpp"

#include <algorithm>

#include "core/tree/few/drawn_split.hpp"
#include "core/tree/few/few_levels.hpp"
#include "core/tree/search/single_cut.hpp"
#include "core/tree/simd/single_cuts.hpp"

namespace hornbook {

namespace {

void keep_better(const FewRowsSplit& split, double tolerance, FewRowsSplit& best) {
    if (split.score == no_gain) return;
    const bool later = split.place > best.place;
    if (best.score == no_gain ||
        (later ? split.score > best.score + tolerance : !(best.score > split.score + tolerance)))
        best = split;
}

constexpr std::size_t several = 4;  // of fewer columns, each is drawn faster by itself than in lanes

}  // namespace

bool FewRowsSearch::takes(const CodedTable& table, const TreeOptions& options, int classes) {
    const bool scored = classes == 0 ? options.criterion == Criterion::squared_error && !(options.l2 > 0.0)
                                     : options.criterion == Criterion::gini;
    if (static_cast<std::size_t>(classes) > most_lane_classes) return false;
    if (!options.monotone.empty()) return false;
    if (!scored || options.pick != Pick::best || options.fractional || options.max_leaf_nodes != unlimited)
        return false;
    const bool has_levels = !options.multiway && options.subset_size == 0 && options.min_samples_leaf <= 1 &&
                            !(options.min_weight_leaf > 0.0);
    return std::all_of(table.columns.begin(), table.columns.end(), [&](const CodedColumn& column) {
        if (column.missing) return false;
        return column.nominal ? has_levels && column.bins < most_level_bits
                              : fits_lanes(column, static_cast<std::size_t>(classes));
    });
}

bool FewRowsSearch::takes(const Rows& rows, bool sorts) { return !sorts || fits_lanes(rows); }

bool FewRowsSearch::sorts(const CodedTable& table, const TreeOptions& options) {
    return !options.random_thresholds &&
           std::any_of(table.columns.begin(), table.columns.end(),
                       [](const CodedColumn& column) { return !column.nominal && column.bins > 2; });
}

void FewRowsSearch::search(std::span<const std::int32_t> columns, std::size_t place, const Rows& rows,
                           const LaneNode& node, const NodeKey& key, Workspace& work,
                           FewRowsSplit& best) const {
    if (options_.random_thresholds && columns.size() < several) {
        for (const std::int32_t j : columns)
            draw_split(table_.columns[static_cast<std::size_t>(j)], j, place++, rows, node, key, best);
        return;
    }
    Group many, two, levels;
    for (const std::int32_t j : columns) {
        const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
        if (column.nominal && !options_.random_thresholds) {
            const FewLevelsCut cut = cut_few_levels(column, rows, node, work);
            keep_better({cut.score, place, -1, SplitKind::subset, 0, 0.0, cut.listed, cut.others},
                        node.tolerance, best);
            ++place;
            continue;
        }
        Group& group = column.nominal ? levels : column.bins == 2 ? two : many;
        group.columns[group.size] = j;
        group.places[group.size++] = place++;
        if (group.size < lanes) continue;
        if (&group == &levels)
            draw_levels(group, rows, node, key, best);
        else
            cut(group, rows, node, key, best);
    }
    if (many.size) cut(many, rows, node, key, best);
    if (two.size) cut(two, rows, node, key, best);
    if (levels.size) draw_levels(levels, rows, node, key, best);
}

void FewRowsSearch::cut(Group& group, const Rows& rows, const LaneNode& node, const NodeKey& key,
                        FewRowsSplit& best) const {
    FewRowsSplit split;
    split.kind = SplitKind::threshold;
    const bool two_values = table_.columns[static_cast<std::size_t>(group.columns[0])].bins == 2;
    if (options_.random_thresholds || two_values) {
        const SingleCut cut =
            best_single_cut(table_, group.list(), rows, node, options_.random_thresholds ? &key : nullptr);
        split.score = cut.score;
        split.place = group.places[cut.column];
        split.below = cut.cut.below;
        if (options_.random_thresholds) split.cut = cut.cut.at;
    } else {
        const LaneCut cut = cut_lanes(table_, group.list(), rows, node);
        split.score = cut.score;
        split.place = group.places[cut.column];
        split.below = cut.edge - 1;
    }
    group.size = 0;
    keep_better(split, node.tolerance, best);
}

void FewRowsSearch::draw_levels(Group& group, const Rows& rows, const LaneNode& node, const NodeKey& key,
                                FewRowsSplit& best) const {
    const LevelCut cut = best_level_cut(table_, group.list(), rows, node, key);
    group.size = 0;
    keep_better({cut.score, group.places[cut.column], -1, SplitKind::subset, 0, 0.0, cut.listed, cut.others},
                node.tolerance, best);
}

}  // namespace hornbook
