// Trees on rows that are elsewhere: in a file, or on other machines. A pass over the rows sums up the
// histograms of all open nodes; here they are split, level by level, as the Grower would split them. What
// grows from nodes of few rows is grown by the Grower itself, on copies of those rows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/tree/columns/coded_rows.hpp"
#include "core/tree/grow/grower.hpp"

namespace hornbook {

// The nodes so far, as rows need them to find their own. Column is -1 where rows stay.
struct Routes {
    std::vector<std::uint8_t> kind;
    std::vector<std::int32_t> column, below, first_child, missing_child;
    std::vector<std::int32_t> level_offset{0}, levels;
    std::vector<std::int32_t> slot;  // of the node in the next pass; -1 where nothing is asked
};

// What the next pass is to sum up: slots 0, ..., histograms - 1 need histograms and spread, further ones the
// spread alone.
struct PassLayout {
    std::vector<std::int32_t> columns;  // whose histograms are wanted
    std::vector<std::int64_t> offsets;  // of them in the bytes of a slot; the last is the size of a slot
    std::int64_t histograms = 0;
    std::int64_t slots = 0;
    bool whole = false;    // counts of 32 bits instead of doubles
    bool counted = false;  // rows are counted beside class weights
};

// A node whose rows are few enough to be copied.
struct SmallNode {
    std::int32_t node;
    std::int64_t rows;
};

// Options, columns and target of one tree, which its Grower refers to.
struct LevelParts {
    TreeOptions options;
    std::vector<ColumnCodes> columns;
    TargetInfo target;
    CodedTable table;  // without rows
    std::unique_ptr<HistogramSearch> search;
};

class LevelGrower : private LevelParts, private Grower {
  public:
    // Nodes of at most `small` rows are not split here.
    LevelGrower(std::vector<ColumnCodes> columns, const TreeOptions& options, const TreeKey& key,
                const TargetInfo& target, std::int64_t small, int threads);

    Routes routes() const;
    PassLayout pass() const;

    // Splits the open nodes, given what a pass has summed up: one after the other as their slots say.
    void take(const std::uint8_t* histograms, const Spread* spreads);

    // Nodes that wait for their rows; may be finished on several threads, one node each.
    std::vector<SmallNode> small_nodes() const;
    void finish(std::int32_t node, const RowCodes& codes, const TreeTarget& rows);

    // When no node is open or waits.
    Tree tree();

  private:
    struct Open {
        Pending pending;
        std::vector<double> sums;  // of its rows; empty for the root
        bool histogram = true;
    };
    struct Waiting {
        std::uint64_t path;
        std::int64_t depth;
        std::int64_t rows;
        std::int32_t graft;
    };

    void add_child(Pending child, std::vector<double> sums);
    void split(Open& open, const std::uint8_t* histogram, const Spread& spread);
    std::vector<std::vector<double>> child_sums(const Split& split, const std::uint8_t* histogram) const;
    void settle_threshold(Split& split, const std::uint8_t* histogram) const;
    const std::uint8_t* column_of(const std::uint8_t* histogram, std::int32_t j) const;
    std::int64_t rows_of(const std::vector<double>& sums) const;

    TreePart trunk_;
    std::vector<Open> open_;
    std::map<std::int32_t, Waiting> waiting_;
    std::vector<TreePart> grafts_;
    Bench bench_;
    std::int64_t small_;
    std::mutex finishing_;
};

// Routes that somebody hands back.
struct RouteView {
    Vector<std::uint8_t> kind;
    Vector<std::int32_t> column, below, first_child, missing_child, level_offset, levels;
};

// Refuses routes that lead out of the tree, or in circles.
void check_routes(const RouteView& routes, std::int64_t columns);

// Numbers of the nodes that rows are in.
void find_nodes(const RowCodes& codes, std::span<const std::int32_t> bins, const RouteView& routes,
                std::int32_t* nodes);

}  // namespace hornbook
