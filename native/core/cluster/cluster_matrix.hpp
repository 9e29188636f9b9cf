// Distances of clusters that become fewer, in the memory of the distances of the rows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/cluster/chain.hpp"
#include "core/cluster/linkage.hpp"
#include "core/stop.hpp"

namespace hornbook {

// At first each pair of clusters is stored once, and the distances of a cluster lie apart by a row each. As
// soon as the clusters that are left fit in as a full square, they become one: rows without gaps, and from
// then on again whenever there are a lot fewer. What is nearest to each cluster is remembered, since a merge
// changes that for few others.
class ClusterMatrix {
  public:
    ClusterMatrix(double* condensed, const Vector<double>& masses, Linkage linkage);

    std::int64_t first() const { return rows_[static_cast<std::size_t>(alive_.front())]; }
    Nearby nearest(std::int64_t cluster, std::int64_t preferred);
    void merge(std::int64_t one, std::int64_t other);
    double height(double distance) const { return distance; }

  private:
    void survey();
    void search(std::int64_t place);
    void read_column(std::int64_t place, double* out) const;
    void join(std::int64_t kept, std::int64_t gone);
    void shrink();
    void to_square();

    double at(std::int64_t i, std::int64_t j) const;
    std::int64_t place_of(std::int64_t cluster) const { return places_[static_cast<std::size_t>(cluster)]; }

    double* distances_;
    const std::int64_t room_;  // how many distances there is memory for
    const Linkage linkage_;
    std::int64_t n_;                    // places: clusters when the matrix was last made smaller
    bool square_ = false;               // whether both halves are stored, with infinity on the diagonal
    std::vector<std::int64_t> rows_;    // number of the cluster at each place, its lowest row; ascending
    std::vector<std::int64_t> places_;  // and back
    std::vector<std::int64_t> alive_;   // places of clusters that are left, ascending
    // By place:
    std::vector<double> masses_;
    std::vector<double> barrier_;        // infinity where a cluster is gone, else 0
    std::vector<double> nearest_;        // the least distance to another cluster; -infinity: not known
    std::vector<std::int64_t> partner_;  // the lowest cluster at that distance; -1: not known
    std::vector<double> column_;         // distances to clusters at lower places
    std::vector<double> other_column_;
    Pace pace_;
};

}  // namespace hornbook
