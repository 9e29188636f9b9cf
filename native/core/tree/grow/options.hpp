// How a tree is to be grown.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace hornbook {

enum class Criterion {
    gini,
    entropy,
    gain_ratio,                // as C4.5 compares it: see tree_ratio.hpp
    raw_gain_ratio,            // gain / H(A)
    symmetric_gain_ratio,      // gain / H(A, C)
    symmetric_gain_ratio_sum,  // gain / (H(A) + H(C))
    cart,
    quadratic_gain,
    daroczy,
    misclassification,
    squared_error,
    absolute_error,
};

// Which of the candidate splits is taken: the best, one of the k best, or one in proportion to its gain.
enum class Pick { best, top_k, proportional };

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

struct TreeOptions {
    Criterion criterion = Criterion::gini;
    double beta = 2.0;             // of daroczy
    bool multiway = false;         // nominal columns get one child for each level
    std::int64_t subset_size = 0;  // most levels on the chosen side of a binary split; 0 for any
    bool fractional = false;       // rows without a value go to all children, in parts
    bool random_thresholds = false;
    Pick pick = Pick::best;
    std::int64_t top_k = 1;
    std::int64_t max_random_splits = unlimited;  // further splits are the best ones
    std::int64_t max_features = unlimited;       // columns looked at in a node
    std::int64_t columns_per_tree = unlimited;   // columns a whole tree may use
    bool draw_order = false;  // all columns are looked at in a drawn order: equal gains go to any of them
    std::int64_t max_depth = unlimited;
    std::int64_t max_leaf_nodes = unlimited;
    std::int64_t min_samples_split = 2;
    std::int64_t min_samples_leaf = 1;
    double min_weight_leaf = 0.0;
    double min_impurity_decrease = 0.0;                       // weighted by the node's share of all weight
    double leaf_size = -1.0;                                  // a node of at most this weight is a leaf
    double purity = std::numeric_limits<double>::infinity();  // so is one whose largest class has this share
    double min_gain =
        std::nan("");    // smallest gain of a split, which must be above 0; NaN: any split will do
    double l2 = 0.0;     // added to the weight of a node where sums are divided by it
    double gamma = 0.0;  // half the gain times the weight of the node must exceed it, when > 0
};

}  // namespace hornbook
