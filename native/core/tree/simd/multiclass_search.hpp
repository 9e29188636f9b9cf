// The best cut of an ordered column between many classes by the Gini index.
#pragma once

#include <cstdint>
#include <span>

#include "core/tree/search/best_split.hpp"
#include "core/tree/search/criteria.hpp"
#include "core/tree/search/histogram_search.hpp"

namespace hornbook {

// Statistics and limits of a node.
struct MulticlassNode {
    std::span<const double> classes;  // weight of each
    double weight;
    Limits limits;
    bool counted;  // whether rows are counted besides their weight
};

// The first of the best cuts; `rows` are those of the gathered codes, and after them those that lack the
// value.
Candidate best_class_cut(const MulticlassNode& node, const Rows& rows, const GatheredCodes& gathered,
                         std::int32_t n_codes, double tolerance, Workspace& work);

}  // namespace hornbook
