// Cuts between bins of two classes by the Gini index, many at a time.
#pragma once

#include <cstdint>

#include "core/tree/grow/node.hpp"

namespace hornbook {

// A node and its bins: left[b] sums all before bin b, left[count] everything; three more words may be read.
struct GiniBins {
    const PairSums* left;
    std::int64_t count;
    PairSums more;          // added to the left side (missing values)
    double weight, second;  // of the node, and of its second class
    double least_weight;    // of a side
};

// The best score of a cut between two bins; no_gain when none is allowed.
double best_gini_edge(const GiniBins& bins);

// For each bin, whether a cut inside it may score `level` (bit 0), and whether the cut before it does (bit
// 1), rounding aside; combined with the flags by OR.
void flag_gini(const GiniBins& bins, double level, std::uint8_t* flags);

}  // namespace hornbook
