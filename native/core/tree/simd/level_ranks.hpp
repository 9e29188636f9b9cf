// Levels of a category with more than two classes, many at a time: their order along the main direction in
// which class frequencies differ, and the scores of all divisions of few levels in two.
#pragma once

#include <cstdint>
#include <span>

#include "core/tree/grow/node.hpp"

namespace hornbook {

// Class weights of levels, level after level.
struct LevelWeights {
    const double* weights;
    std::int64_t levels;
    std::int64_t classes;

    const double* of(std::int64_t level) const { return weights + level * classes; }
};

// Where the class frequencies of each level lie along their first principal component, which is found by
// power iteration. The best cut of this order is close to the best of all sets (Coppersmith, Hong and
// Hosking, "Partitioning nominal attributes in decision trees", 1999).
void rank_by_component(const LevelWeights& table, Workspace& work, double* rank);

// The score of every set of levels that leaves out the last, by the Gini index: entry s is that of the set
// whose levels are the bits of s; no_gain for the empty one. All sums are whole numbers below 2^53, so that
// they are exact.
std::span<const double> score_subsets(const LevelWeights& table, Workspace& work);

// The largest of the scores.
double largest_score(std::span<const double> scores);

// The first place from `at` on whose score is at least `level`; the number of scores if there is none.
std::int64_t next_reaching(std::span<const double> scores, std::int64_t at, double level);

}  // namespace hornbook
