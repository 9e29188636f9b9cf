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

// Two classes, 0 and 1, of log loss: p is the logistic function of the score, g = p - y and h = p (1 - p), or
// `smallest` if that is larger.
void log_loss_pairs(const Vector<std::int32_t>& y, const double* w, const LeafSteps& steps, double* scores,
                    const LossPairs& out, int threads, double smallest);

// Half the squared error: g = score - y and h = 1.
void squared_error_pairs(const Vector<double>& y, const double* w, const LeafSteps& steps, double* scores,
                         const LossPairs& out, int threads);

// What the softmax of a row has in common for all classes: its largest score, and the sum of
// exp(score - largest).
struct SoftmaxNorms {
    double* top;
    double* all;
};

// Scores have one row for each class.
void softmax_norms(const Matrix<double>& scores, const SoftmaxNorms& out, int threads);

// Several classes of log loss, one at a time: p = exp(score - top) / all; g = p - [y = k] and h = p (1 - p),
// or `smallest` or least_bend |g| if one of those is larger: where p is wrong and close to 0 or 1, Newton's
// steps have no limit otherwise. Scores are those of class k.
constexpr double least_bend = 0.01;
struct SoftmaxClass {
    const double* scores;
    SoftmaxNorms norms;
    std::int32_t k;
};
void softmax_pairs(const Vector<std::int32_t>& y, const double* w, const SoftmaxClass& of,
                   const LossPairs& out, int threads, double smallest);

}  // namespace hornbook
