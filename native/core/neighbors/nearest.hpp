// The nearest rows of each query, and all rows within a radius, by brute force.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

struct Neighbor {
    double powered;
    std::int64_t index;

    // Nearest first; ties go to the lower index.
    bool operator<(const Neighbor& other) const {
        return powered != other.powered ? powered < other.powered : index < other.index;
    }
};

// The best k seen so far.
class Best {
  public:
    explicit Best(std::int64_t k) : k_(static_cast<std::size_t>(k)) { heap_.reserve(k_); }

    void clear() {
        heap_.clear();
        reach_ = std::numeric_limits<double>::infinity();
    }
    // Whatever is farther than this cannot be one of the best.
    double reach() const { return reach_; }
    // Rows at infinite or NaN distance are never neighbors.
    void offer(double powered, std::int64_t index);
    // Nearest first; missing neighbors get an infinite distance and the index -1.
    void write(double power, double* distances, std::int64_t* indices);

  private:
    std::size_t k_;
    std::vector<Neighbor> heap_;
    double reach_ = std::numeric_limits<double>::infinity();
};

struct Nearest {
    Buffer<double> distances;  // (queries, k)
    Buffer<std::int64_t> indices;
};

// Neighbors of query i are at offsets[i] .. offsets[i + 1], nearest first.
struct Within {
    Buffer<std::int64_t> offsets;
    Buffer<double> distances;
    Buffer<std::int64_t> indices;
};

// At least the power of every distance that is, by its rounded root, within the radius.
double power_within(double radius, double power);

// Sorts each query's neighbors and concatenates them.
Within concatenate(std::vector<std::vector<Neighbor>>&& neighbors, double power, int threads);

Nearest nearest_brute(const MixedRows& rows, const MixedRows& queries, const Metric& metric, std::int64_t k,
                      int threads);
Within within_brute(const MixedRows& rows, const MixedRows& queries, const Metric& metric, double radius,
                    int threads);

}  // namespace hornbook
