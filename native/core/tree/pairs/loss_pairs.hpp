// Between two trees of gradient boosting: scores move by the steps of the leaves, and the loss has new pairs.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// The step of each node of a tree, and the node of each row. No tree: leaf is null.
struct LeafSteps {
    const std::int32_t* leaf = nullptr;
    Vector<double> step{nullptr, 0};
};

// Where G = -g and H = h of the rows are written, each times the weight of the row.
struct LossPairs {
    double* sum;
    double* weight;
};

// Row weights are null when all are 1. Functions add the steps to the scores, then write the pairs.
void add_steps(const LeafSteps& steps, double* scores, std::int64_t n, int threads);

// Two classes, 0 and 1, of log loss: p is the logistic function of the score, g = p - y and h = p (1 - p).
void log_loss_pairs(const Vector<std::int32_t>& y, const double* w, const LeafSteps& steps, double* scores,
                    const LossPairs& out, int threads);

// Half the squared error: g = score - y and h = 1.
void squared_error_pairs(const Vector<double>& y, const double* w, const LeafSteps& steps, double* scores,
                         const LossPairs& out, int threads);

// Several classes of log loss: p is the softmax of the scores, one row of scores and of pairs for each class;
// g = p - [y = k] and h = p (1 - p).
void softmax_pairs(const Vector<std::int32_t>& y, const double* w, const Matrix<double>& scores,
                   const LossPairs& out, int threads);

}  // namespace hornbook
