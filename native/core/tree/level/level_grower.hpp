// Trees on rows that are not in memory: in a file, or on other machines. A pass over the rows sums the
// histograms of all open nodes; here they are split, level by level, as the Grower would split them. Subtrees
// of nodes of few rows are grown by the Grower itself, on copies of those rows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/tree/columns/coded_rows.hpp"
#include "core/tree/grow/grower.hpp"

namespace hornbook {

// The nodes so far, as needed to find the node of a row. Column is -1 where rows stay.
struct Routes {
    std::vector<std::uint8_t> kind;
    std::vector<std::int32_t> column, below, first_child, missing_child;
    std::vector<std::int32_t> level_offset{0}, levels;
    std::vector<std::int32_t> slot;  // of the node in the next pass; -1 if the pass does not need it

    // The next node; rows stay in one without children.
    void add(const Split& split, std::int32_t first, std::int32_t own_slot);
};

// What the next pass sums: slots 0, ..., histograms - 1 need histograms and spread, further ones the
// spread alone.
struct PassLayout {
    std::vector<std::int32_t> columns;  // whose histograms are needed
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

    // Splits the open nodes, from the sums of a pass, in the order of their slots.
    void take(const std::uint8_t* histograms, const Spread* spreads);

    // Nodes that wait for their rows; may be finished on several threads, one node each.
    std::vector<SmallNode> small_nodes() const;
    void finish(std::int32_t node, const RowCodes& codes, const TreeTarget& rows);

    // The finished tree, once no node is open or waiting.
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
    void tighten_threshold(Split& split, const std::uint8_t* histogram) const;
    const std::uint8_t* column_of(const std::uint8_t* histogram, std::int32_t j) const;
    std::int64_t rows_of(const std::vector<double>& sums) const;

    TreePart trunk_;
    std::vector<Open> open_;
    std::map<std::int32_t, Waiting> waiting_;
    std::vector<TreePart> grafts_;
    Scratch scratch_;
    std::int64_t small_;
    std::mutex finishing_;
};

// A view of routes passed back by the caller.
struct RouteView {
    Vector<std::uint8_t> kind;
    Vector<std::int32_t> column, below, first_child, missing_child, level_offset, levels;
};

// Rejects routes that leave the tree, or have cycles.
void check_routes(const RouteView& routes, std::int64_t columns);

// The node of each row.
void find_nodes(const RowCodes& codes, std::span<const std::int32_t> bins, const RouteView& routes,
                std::int32_t* nodes);

}  // namespace hornbook
