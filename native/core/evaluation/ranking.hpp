// Rows ranked by a score: ROC points, the area under the curve and its bootstrap replicates.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Scores with the class of each row; `weight` is null when every row counts once. Scores may be infinite.
struct ScoredRows {
    Vector<double> score;
    const bool* positive;
    const double* weight;
};

// One entry for each distinct score, from the highest to the lowest.
struct ScoreGroups {
    Buffer<double> score;
    Buffer<double> positive;  // weight of the positive rows with this score
    Buffer<double> negative;
};

ScoreGroups score_groups(const ScoredRows& rows);

// Area under the ROC curve as the Mann-Whitney statistic: the fraction of pairs of a positive and a negative
// row in which the positive one has the higher score; ties count one half.
double auc(const ScoredRows& rows);

// The same for `n_replicates` draws of as many rows with replacement. Replicate r draws position
// (word * n) >> 64 of the rows sorted by score, with the words of philox(seed, stream + attempt, r): draws
// without one of the classes are made again, with the next attempt.
Buffer<double> auc_bootstrap(const ScoredRows& rows, std::int64_t n_replicates, std::uint64_t seed,
                             std::uint64_t stream, int threads);

// Indices of the vertices of the upper convex hull of points that ascend in x and y (monotone chain, Andrew
// 1979).
Buffer<std::int64_t> upper_hull(Vector<double> x, Vector<double> y);

}  // namespace hornbook
