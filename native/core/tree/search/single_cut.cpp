#include "core/tree/search/single_cut.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "core/tree/grow/options.hpp"
#include "core/tree/simd/single_cuts.hpp"

namespace hornbook {

namespace {

// Calls fn with the codes of the rows, block after block.
template <class Fn>
void for_blocks(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                CodeBlock& block, Fn&& fn) {
    for (std::int64_t first = 0; first < rows.size; first += CodeBlock::most_rows) {
        const Rows part = rows.part(first, std::min(CodeBlock::most_rows, rows.size - first));
        block.read(table, columns, part.row, part.size, rows.size);
        fn(block, part);
    }
}

// Cuts of a node, one in each lane.
class LaneCuts {
  public:
    LaneCuts(const CodedTable& table, std::span<const std::int32_t> columns, const NodeKey* key)
        : table_(table), columns_(columns), key_(key) {}

    // One pass over the rows: code 0 is left of the only cut.
    void sum_two_values(const Rows& rows, LaneSums& sums) {
        cuts_.fill({0, 1, 0});
        late_.fill(true);
        CodeBlock block;
        for_blocks(table_, columns_, rows, block,
                   [&](const CodeBlock& codes, const Rows& part) { sums.add(codes, part, LaneCodes{}); });
    }

    // Where only two values occur, every threshold between them is the same cut, and its draw can wait.
    void sum_drawn(const Rows& rows, LaneSums& sums) {
        CodeBlock block;
        LaneRanges ranges;
        const bool is_one_block = rows.size <= CodeBlock::most_rows;
        if (is_one_block) {
            block.read(table_, columns_, rows.row, rows.size, rows.size);
            find_ranges(block, ranges);
        } else {
            find_ranges_of_blocks(rows, block, ranges);
        }
        LaneCodes below;
        draw_cuts(block, rows.size <= few, ranges, below);
        if (is_one_block)
            sums.add(block, rows, below);
        else
            for_blocks(table_, columns_, rows, block,
                       [&](const CodeBlock& codes, const Rows& part) { sums.add(codes, part, below); });
    }

    DrawnCut drawn(std::size_t c) {
        DrawnCut cut = cuts_[c];
        if (!late_[c] || !key_) return cut;
        cut.draw(column(c), key_->split_of(columns_[c]));
        cut.narrow(column(c));
        cut.settle(column(c));
        return cut;
    }

  private:
    static constexpr std::int64_t few = 12;  // rows whose values are compared one by one

    void find_ranges_of_blocks(const Rows& rows, CodeBlock& block, LaneRanges& ranges) const {
        ranges = {LaneCodes{} + std::numeric_limits<std::int32_t>::max(), LaneCodes{} - 1, LaneCodes{}};
        for_blocks(table_, columns_, rows, block, [&](const CodeBlock& codes, const Rows&) {
            LaneRanges more;
            find_ranges(codes, more);
            ranges.first = more.first < ranges.first ? more.first : ranges.first;
            ranges.last = more.last > ranges.last ? more.last : ranges.last;
        });
    }

    // The codes below which the cuts lie. Values are scattered in memory: all columns go through a step
    // before the next, so that their cache misses overlap.
    void draw_cuts(const CodeBlock& block, bool are_few, const LaneRanges& ranges, LaneCodes& below) {
        below = ranges.first;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const std::int32_t first = ranges.first[c], last = ranges.last[c];
            late_[c] = ranges.only_two[c] != 0 || first == last;
            cuts_[c] = late_[c] ? DrawnCut{first, last, first} : DrawnCut::between(column(c), first, last);
            for (std::int64_t i = 0; are_few && !late_[c] && i < block.size(); ++i)
                __builtin_prefetch(column(c).low.data() + block.begin()[i][c]);
        }
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (late_[c]) continue;
            cuts_[c].draw(column(c), key_->split_of(columns_[c]));
            if (!are_few) cuts_[c].narrow(column(c));
        }
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (late_[c]) continue;
            if (!are_few || !compare_values(block, c)) cuts_[c].settle(column(c));
            below[c] = cuts_[c].below;
        }
    }

    // Finds the largest code left of a cut by comparing the values of few rows; false where the cut has to be
    // searched among all values of the column.
    bool compare_values(const CodeBlock& block, std::size_t c) {
        DrawnCut& cut = cuts_[c];
        const CodedColumn& values = column(c);
        const double* low = values.low.data();
        if (!cut.is_inside(values)) return false;
        cut.below = cut.first;
        for (std::int64_t i = 0; i < block.size(); ++i) {
            const std::int32_t code = block.begin()[i][c];
            if (low[code] <= cut.at) cut.below = std::max(cut.below, code);
        }
        return true;
    }

    const CodedColumn& column(std::size_t c) const {
        return table_.columns[static_cast<std::size_t>(columns_[c])];
    }

    const CodedTable& table_;
    std::span<const std::int32_t> columns_;
    const NodeKey* key_;
    std::array<DrawnCut, lanes> cuts_;
    std::array<bool, lanes> late_;  // not yet drawn
};

bool have_two_values(const CodedTable& table, std::span<const std::int32_t> columns) {
    return std::all_of(columns.begin(), columns.end(),
                       [&](std::int32_t j) { return table.columns[static_cast<std::size_t>(j)].bins == 2; });
}

}  // namespace

// As random_subset draws it.
std::uint32_t draw_levels(std::uint32_t present, Draws draws) {
    for (int toss = 0; toss < most_tosses; ++toss) {
        const std::uint32_t listed = present & static_cast<std::uint32_t>(draws.word());
        if (listed && listed != present) return listed;
    }
    return present & -present;
}

LevelCut best_level_cut(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                        const LaneNode& node, const NodeKey& key) {
    LaneCodes present{}, listed{};
    CodeBlock kept;  // the last block: of few rows the only one
    for_blocks(table, columns, rows, kept,
               [&](const CodeBlock& block, const Rows&) { find_levels(block, present); });
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto levels = static_cast<std::uint32_t>(present[c]);
        if (std::popcount(levels) > 1)
            listed[c] = static_cast<std::int32_t>(draw_levels(levels, key.split_of(columns[c])));
    }
    LaneSums sums(node.classes.size());
    const auto add = [&](CodeBlock& block, const Rows& part) {
        block.mark(listed);
        sums.add(block, part, LaneCodes{});
    };
    if (rows.size <= CodeBlock::most_rows)
        add(kept, rows);
    else
        for_blocks(table, columns, rows, kept, add);
    const LaneScores scores = score_lanes(sums, node, rows.size);
    LevelCut best;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!(scores[c] > best.score + node.tolerance)) continue;
        const auto one = static_cast<std::uint32_t>(listed[c]),
                   two = static_cast<std::uint32_t>(present[c]) & ~one;
        const bool lighter = sums.weight_of(c, node.classes.size()) * 2.0 <= node.weight;
        best = {c, scores[c], lighter ? one : two, lighter ? two : one};
    }
    return best;
}

bool is_cut_once(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                 bool drawn) {
    const bool two_values = have_two_values(table, columns);
    if (!two_values && !drawn) return false;
    // One column after the other is faster for few columns, except where it would be sorted, and as fast for
    // drawn cuts of many pairs.
    constexpr std::size_t several = 4;
    const std::int64_t rows_of_few_columns = !drawn                    ? most_lane_rows
                                             : rows.sum && !two_values ? unlimited
                                                                       : 64;
    if (columns.size() < several && rows.size > rows_of_few_columns) return false;
    return two_values || !rows.pair || rows.size <= CodeBlock::most_rows;
}

SingleCut best_single_cut(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                          const LaneNode& node, const NodeKey* key) {
    LaneCuts cuts(table, columns, key);
    LaneSums sums(node.classes.size());
    if (have_two_values(table, columns))
        cuts.sum_two_values(rows, sums);
    else
        cuts.sum_drawn(rows, sums);
    const LaneScores scores = score_lanes(sums, node, rows.size);
    SingleCut best;
    for (std::size_t c = 0; c < columns.size(); ++c)
        if (scores[c] > best.score + node.tolerance) best = {c, scores[c], {0, 1, 0}};
    if (best.score != no_gain) best.cut = cuts.drawn(best.column);
    return best;
}

}  // namespace hornbook
