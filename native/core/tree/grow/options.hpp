// Options of a tree's growth.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace hornbook {

enum class Criterion {
    gini,
    entropy,
    gain_ratio,                // as C4.5 compares it: see gain_ratio.hpp
    raw_gain_ratio,            // gain / H(A)
    symmetric_gain_ratio,      // gain / H(A, C)
    symmetric_gain_ratio_sum,  // gain / (H(A) + H(C))
    cart,
    quadratic_gain,
    daroczy,
    misclassification,
    squared_error,
    absolute_error,
    poisson,
};

// Which of the candidate splits is taken: the best, one of the k best, or one in proportion to its gain.
enum class Pick { best, top_k, proportional };

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

struct TreeOptions {
    Criterion criterion = Criterion::gini;
    double beta = 2.0;             // of daroczy
    bool multiway = false;         // nominal columns get one child for each level
    std::int64_t subset_size = 0;  // most levels on the chosen side of a binary split; 0 for any
    bool fractional = false;       // rows without a value go to all children, in fractions
    bool random_thresholds = false;
    Pick pick = Pick::best;
    std::int64_t top_k = 1;
    std::int64_t max_random_splits = unlimited;  // further splits are best splits
    std::int64_t max_features = unlimited;       // columns that compete in a node
    std::int64_t columns_per_tree = unlimited;   // columns a whole tree may use
    bool draw_order = false;  // columns are searched in random order: equal gains go to any of them
    std::int64_t max_depth = unlimited;
    std::int64_t max_leaf_nodes = unlimited;
    std::int64_t min_samples_split = 2;
    std::int64_t min_samples_leaf = 1;
    double min_weight_leaf = 0.0;
    double min_impurity_decrease = 0.0;                       // weighted by the node's share of all weight
    double leaf_size = -1.0;                                  // a node of at most this weight is a leaf
    double purity = std::numeric_limits<double>::infinity();  // so is one whose largest class has this share
    double min_gain =
        std::nan("");  // smallest gain of a split, which must be above 0; NaN: any split will do
    // For gradient pairs, whose sums are G = sum of -g and H = sum of h in a node: the value of a node is G /
    // (H + l2), and with Q = G^2 / (H + l2) the gain of a split is (Q of the children, summed, - Q of the
    // node) / H. One is made if half of that times H exceeds gamma, when gamma > 0 (Chen and Guestrin 2016,
    // equations 5 to 7).
    double l2 = 0.0;
    double gamma = 0.0;
    // For each column 1 where values (of two classes: the share of the second) must not fall as the column
    // rises, -1 where they must not rise, 0 for no constraint; empty for none at all.
    std::vector<std::int32_t> monotone;
    // The following are for PairGrower alone. With l1, G is replaced by sign(G) max(|G| - l1, 0). With
    // quantize, the pairs of large tables are rounded to 8 bits at random, which finds splits faster.
    double l1 = 0.0;
    bool quantize = false;
    // Levels of a category with a smaller sum of h in a node than this share of that of all rows are one
    // level, and levels are ordered as if each had so much more of it, without a gradient: the few rows of a
    // rare level say little.
    double level_support = 0.0;
    std::int64_t columns_per_level = unlimited;  // of the columns of a tree, those that a level may use
    // Sets of columns that may be used together on a path from the root; empty for any.
    std::vector<std::vector<std::int32_t>> interactions;
};

}  // namespace hornbook
