// The best split of a node of few rows: many columns at once, without histograms, candidates or memory of the
// heap.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/grow/options.hpp"
#include "core/tree/simd/simd_search.hpp"

namespace hornbook {

// Most rows of a node that is searched here; of one with columns to sort, `most_lane_rows`.
constexpr std::int64_t most_few_rows = 1024;

// A split in two. Levels of categories are bits: listed ones go to child 0.
struct FewRowsSplit {
    double score = no_gain;
    std::size_t place = 0;  // among the columns that were searched
    std::int32_t column = -1;
    SplitKind kind = SplitKind::leaf;
    std::int32_t below = 0;
    double cut = std::numeric_limits<double>::quiet_NaN();
    std::uint32_t listed = 0, others = 0;
};

// The number or 0, a choice without a branch: which side a row is on is unpredictable.
inline double kept(double number, bool keep) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) & -std::uint64_t{keep});
}

class FewRowsSearch {
  public:
    // Whether nodes of this tree can be searched here: one split in two of each column, without missing
    // values, by the Gini index of whole weights or by the squared error.
    static bool takes(const CodedTable& table, const TreeOptions& options, int classes);

    // Whether the rows can: where columns are sorted, with whole weights that fit into the keys of lanes.
    static bool takes(const Rows& rows, bool sorts);

    // Whether some columns of the table are sorted: ordered ones whose best cut is searched among many.
    static bool sorts(const CodedTable& table, const TreeOptions& options);

    FewRowsSearch(const CodedTable& table, const TreeOptions& options) : table_(table), options_(options) {}

    // The better one of `best` and the best split of the columns, of equal ones the first. The first column
    // has the given place.
    void search(std::span<const std::int32_t> columns, std::size_t place, const Rows& rows,
                const LaneNode& node, const NodeKey& key, Workspace& work, FewRowsSplit& best) const;

  private:
    // Columns that are searched together, and their places.
    struct Group {
        std::array<std::int32_t, lanes> columns;
        std::array<std::size_t, lanes> places;
        std::size_t size = 0;

        std::span<const std::int32_t> list() const { return std::span(columns).first(size); }
    };

    void cut(Group& group, const Rows& rows, const LaneNode& node, const NodeKey& key,
             FewRowsSplit& best) const;
    void draw_levels(Group& group, const Rows& rows, const LaneNode& node, const NodeKey& key,
                     FewRowsSplit& best) const;

    const CodedTable& table_;
    const TreeOptions& options_;
};

}  // namespace hornbook
