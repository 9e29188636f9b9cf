// One round of gradient boosting: a tree for each score, whose leaves move the scores of the rows.
#pragma once

#include <cstdint>

#include "core/tree/boost/grown_trees.hpp"
#include "core/tree/boost/loss_pairs.hpp"
#include "core/tree/pairs/pair_grower.hpp"

namespace hornbook {

// What boosting keeps for the rows. With one score, `pairs` are those of the next tree; with several, norms
// are those of the next round, and pairs are computed score by score.
struct BoostRows {
    double* scores;   // one row for each score
    const double* w;  // null when all are 1
    LossPairs pairs;
    SoftmaxNorms norms;  // null with one score
    std::int64_t rows, n_scores;
};

struct BoostSettings {
    const TreeOptions& options;
    TreeKey key;  // of the first tree of the round
    int threads;
    bool all_coded;
    double rate;      // of what leaves add
    double smallest;  // second derivative
};

// Classes 0, 1, ... by log loss: two with one score, or as many as there are scores.
void boost_classes(PairGrower& grower, GrownTrees& trees, const Vector<std::int32_t>& y,
                   const BoostRows& rows, const BoostSettings& settings);

// Numbers by squared error.
void boost_numbers(PairGrower& grower, GrownTrees& trees, const Vector<double>& y, const BoostRows& rows,
                   const BoostSettings& settings);

}  // namespace hornbook
