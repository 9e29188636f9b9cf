// Cuts between bins of many classes by the Gini index, many at a time.
#pragma once

#include <cstdint>

namespace hornbook {

// A node and its bins. Plane k starts at left + k * step and holds the weight of class k before each bin,
// and, last, all of it; three more numbers may be read.
struct ClassPlanes {
    const double* left;
    std::int64_t step, count;
    int classes;
    const double* whole;  // weight of each class in the node
    const double* more;   // weight of each class that is added to the left side (missing values)
    double weight;        // of the node
    double least_weight;  // of a side
    // The same for the number of rows, where it is counted.
    const double* rows;
    double all_rows, more_rows, least_rows;
};

// Scores of the cuts before bins 1, 2, ...; no_gain where a cut is not allowed. Three more may be written.
void score_edges(const ClassPlanes& planes, double* scores);

// Sets bit 0 for each bin in which a cut may gain `least_gain` in score, rounding aside. `bound` says whether
// there are limits on the size of a side.
void flag_planes(const ClassPlanes& planes, double least_gain, bool bound, std::uint8_t* flags);

}  // namespace hornbook
