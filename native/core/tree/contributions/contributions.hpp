// Contributions of columns to the predictions of trees.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/tree/predict/prediction.hpp"

namespace hornbook {

// Trees that are summed with weights. Column k of `value` is added to output[t] + k for tree t.
struct WeightedTrees {
    TreeArrays trees;
    Matrix<double> value;  // as in tree_predict
    Vector<double> cover;  // training weight of each row of `value`; only those of leaves are read
    Vector<double> scale;  // weight of each tree
    Vector<std::int32_t> output;
    std::int64_t outputs;
};

struct Contributions {
    Buffer<double> values;  // rows x columns x outputs, or rows x columns x columns x outputs
    Buffer<double> mean;    // outputs
};

// Shapley values of the columns of each row (TreeSHAP, Lundberg et al. 2020): the prediction for columns that
// are not known is the mean over the branches by training weight. They add up to the prediction minus `mean`.
// With `pairs`, interaction values: symmetric, and the sum of each row is the value of the column.
Contributions tree_contributions(const WeightedTrees& model, const TreeRows& rows, bool pairs, int threads);

}  // namespace hornbook
