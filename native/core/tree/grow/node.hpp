// Types shared by the parts of the grower: the rows of a node, a split, random draws, and working memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/philox.hpp"
#include "core/stop.hpp"

namespace hornbook {

// Rows of one node. Which arrays exist depends on the target; the others are null.
struct Rows {
    std::int32_t* row;
    std::uint64_t* pair;  // two classes: the row's whole weight, in the lower half or in the upper; or null
    std::int32_t* label;  // class, or null
    double* weight;       // null when every row weighs 1, or when there are pairs
    double* sum;          // weight times number, or the number itself for absolute_error; null for classes
    std::int64_t size;

    double weight_of(std::int64_t i) const { return weight ? weight[i] : 1.0; }  // not where there are pairs
    Rows part(std::int64_t first, std::int64_t count) const {
        return {row + first,
                pair ? pair + first : nullptr,
                label ? label + first : nullptr,
                weight ? weight + first : nullptr,
                sum ? sum + first : nullptr,
                count};
    }
};

// Sums over rows of two classes: whole weights as in Rows::pair, the same with the number of rows, other
// weights; and over numbers.
struct PairSums {
    std::uint64_t pair = 0;

    void operator+=(const PairSums& more) { pair += more.pair; }
    double first() const { return static_cast<double>(static_cast<std::uint32_t>(pair)); }
    double second() const { return static_cast<double>(static_cast<std::uint32_t>(pair >> 32)); }
};

inline PairSums sum_of_pairs(const Rows& rows) {
    PairSums sums;
    for (std::int64_t i = 0; i < rows.size; ++i) sums.pair += rows.pair[i];
    return sums;
}

struct CountedPairs : PairSums {
    std::uint64_t rows = 0;

    void operator+=(const CountedPairs& more) {
        pair += more.pair;
        rows += more.rows;
    }
};

struct ClassSums {
    double one = 0.0, two = 0.0, rows = 0.0;

    void operator+=(const ClassSums& more) {
        one += more.one;
        two += more.two;
        rows += more.rows;
    }
    double first() const { return one; }
    double second() const { return two; }
};

struct NumberSums {
    double sum = 0.0, weight = 0.0;
    double up = 0.0;  // excess above the mean of the node
    double rows = 0.0;

    void operator+=(const NumberSums& more) {
        sum += more.sum;
        weight += more.weight;
        up += more.up;
        rows += more.rows;
    }
};

// Between which the value of a node must be, where columns are monotone; of two classes, the share of the
// second.
struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool hold(double value) const { return low <= value && value <= high; }
};

// Statistics of a node that all its searches start from.
struct NodeTotals {
    std::vector<double> stats;  // the statistics of all rows, in the layout of the target
    std::vector<double> value;  // class weights, or the prediction of the node
    double weight = 0.0;
    double impurity = 0.0;
    double largest_share = 0.0;  // of one class; 0 for numbers
    bool pure = false;
    double tolerance = 0.0;  // gains closer than this are equal
    Bounds bounds;
    std::vector<double> sorted;       // absolute_error: the numbers in order,
    std::vector<std::int32_t> place;  // and the rank of each row's number
};

enum class SplitKind : std::uint8_t { leaf = 0, threshold = 1, subset = 2, multiway = 3 };

constexpr double no_gain = -std::numeric_limits<double>::infinity();

// Child 0 gets codes <= below, or the listed levels; child 1 the rest. Under multiway, child i gets level i
// of the list.
struct Split {
    double gain = no_gain;
    double divisor = 1.0;  // under gain_ratio: the entropy of the split itself
    std::int32_t column = -1;
    SplitKind kind = SplitKind::leaf;
    std::int32_t below = 0;  // largest code on the left
    std::int32_t above = 0;  // smallest code on the right; `bins` when only missing values go right
    double cut = std::numeric_limits<double>::quiet_NaN();  // a drawn threshold
    std::int32_t missing_child = -1;                        // -1 when no row lacks the value
    std::vector<std::int32_t> levels;
};

// A score, and the child of the rows that lack the value; -1 when none does.
struct ScoredCut {
    double score = no_gain;
    std::int32_t missing_child = -1;
};

// Counter-based random words (Philox; Salmon et al. 2011) of one node, which depend on its path alone: the
// same on any thread and in any order of growth.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
        : seed_(seed), stream_(stream), index_(index) {}

    std::uint64_t word() {
        if (position_ % 4 == 0) block_ = philox_block(seed_, stream_, index_, position_ / 4);
        return block_[position_++ % 4];
    }
    double uniform() { return static_cast<double>(word() >> 11) * 0x1p-53; }
    // 0, ..., bound - 1; the bias of at most bound / 2^64 is negligible.
    std::int64_t below(std::int64_t bound) {
        __extension__ typedef unsigned __int128 Wide;
        return static_cast<std::int64_t>((static_cast<Wide>(word()) * static_cast<std::uint64_t>(bound)) >>
                                         64);
    }

  private:
    std::uint64_t seed_, stream_, index_;
    std::uint64_t position_ = 0;
    std::array<std::uint64_t, 4> block_{};
};

// Purposes of draws; the stream of a tree's node is tree * purposes + purpose.
enum class Purpose : std::uint64_t { bootstrap = 0, columns_of_tree = 1, columns = 2, split = 3 };
constexpr std::uint64_t purposes = 4;

struct TreeKey {
    std::uint64_t seed = 0;
    std::uint64_t tree = 0;

    Draws draws(Purpose purpose, std::uint64_t index) const {
        return {seed, tree * purposes + static_cast<std::uint64_t>(purpose), index};
    }
};

// The draws of a node.
struct NodeKey {
    TreeKey tree;
    std::uint64_t path = 0;

    Draws columns() const { return tree.draws(Purpose::columns, path); }
    Draws split() const { return tree.draws(Purpose::split, path); }
    Draws split_of(std::int32_t column) const {
        return tree.draws(Purpose::split, path + static_cast<std::uint64_t>(column) + 1);
    }
};

// The path of a child: the finalizer of SplitMix64 (Steele, Lea and Flood 2014) spreads paths over all words,
// so that no two nodes of a tree share their draws.
inline std::uint64_t child_path(std::uint64_t path, std::uint64_t child) {
    std::uint64_t z = path + (child + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Entries first, ..., last - 1 become a random choice of those not chosen before, in random order.
inline void shuffle(std::vector<std::int32_t>& entries, std::size_t first, std::size_t last, Draws& draws) {
    for (std::size_t i = first; i < last && i + 1 < entries.size(); ++i)
        std::swap(entries[i], entries[i + static_cast<std::size_t>(
                                              draws.below(static_cast<std::int64_t>(entries.size() - i)))]);
}

// The columns that a tree may use, in order: at most `most`, drawn from all.
inline std::vector<std::int32_t> columns_of_tree(std::int64_t columns, std::int64_t most,
                                                 const TreeKey& key) {
    std::vector<std::int32_t> chosen(static_cast<std::size_t>(columns));
    std::iota(chosen.begin(), chosen.end(), 0);
    if (most >= columns) return chosen;
    Draws draws = key.draws(Purpose::columns_of_tree, 0);
    shuffle(chosen, 0, static_cast<std::size_t>(most), draws);
    chosen.resize(static_cast<std::size_t>(most));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// Memory for at least `size` entries; it never shrinks.
template <class T>
T* resized(std::vector<T>& memory, std::int64_t size) {
    if (std::ssize(memory) < size) memory.resize(static_cast<std::size_t>(size));
    return memory.data();
}

// Memory of one thread, reused from node to node.
struct Workspace {
    std::vector<std::uint64_t> keys, sorted_keys;
    std::vector<std::uint32_t> bucket;
    std::vector<std::int32_t> code;     // of each group
    std::vector<std::uint32_t> counts;  // statistics of each group, of whole numbers
    std::vector<double> sums;           // or of doubles
    std::vector<double> left, flat, known;
    std::vector<std::int32_t> order, ranked;  // levels of a category, and their order
    std::vector<double> rank, known_ranks;
    std::vector<std::uint32_t> gathered;  // codes of the rows that have a value, and those rows
    std::vector<std::uint64_t> pair;
    std::vector<std::int32_t> label;
    std::vector<double> weight, sum;
    std::vector<PairSums> pair_bins;  // sums over coarse bins
    std::vector<CountedPairs> counted_bins;
    std::vector<ClassSums> class_bins;
    std::vector<NumberSums> number_bins;
    std::vector<double> planes;         // class by class
    std::vector<double> edges;          // scores of cuts between them
    std::vector<std::uint8_t> flags;    // of bins that are searched
    std::vector<std::uint32_t> chosen;  // their rows
    Pace pace;
    double floor = no_gain;       // score of a cut of the same node on another column: lower ones are ignored
    double least_gain = no_gain;  // the same for gains of splits of categories
};

}  // namespace hornbook
