// Groups of rows of fuzzy clustering, several registers of them at a time: their square distances from all
// centers, and their memberships.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/base/simd.hpp"
#include "core/distance/fuzzy.hpp"

namespace hornbook {

namespace fuzzy {

constexpr std::int64_t registers = 4;  // of rows that are handled together
constexpr std::int64_t group = registers * lanes;

// Some rows, transposed: for each column some registers, and what is found out about them. Functions take a
// copy, so that the compiler need not reload the pointers after each write.
struct Group {
    const Lanes* x;
    std::int64_t cols;
    const Lanes* weight;  // 0 for lanes without a row
    const Lanes* known;   // share of the columns that are known
    Lanes* gap;           // one for each column, for passing use
    Lanes* square;        // for each center: d^2
    Lanes* degree;        // u
    Lanes* height;        // w u^fuzzifier
};

// Lanes in memory that is aligned for them.
class LaneBuffer {
  public:
    explicit LaneBuffer(std::int64_t count) : numbers_(count + 1, lanes, 0.0) {}

    Lanes* data() {
        const auto place = reinterpret_cast<std::uintptr_t>(numbers_.data());
        return reinterpret_cast<Lanes*>((place + sizeof(Lanes) - 1) / sizeof(Lanes) * sizeof(Lanes));
    }

  private:
    Buffer<double> numbers_;
};

// Sum of the lanes.
double sum_of(const Lanes& x);

// Groups of the rows of a table, one after the other.
class Groups {
  public:
    Groups(const Matrix<double>& x, const Vector<double>* w, const FuzzyClusters& clusters, bool gaps);

    // Measures the rows from `first` on, at most `group`, adds them to the objective, and returns their
    // number.
    std::int64_t measure(std::int64_t first, Lanes& objective);

    const Group& current() const { return group_; }

  private:
    const Matrix<double>& x_;
    const Vector<double>* w_;
    const FuzzyClusters& clusters_;
    bool gaps_;
    LaneBuffer columns_, measured_, by_row_;
    Lanes *place_, *weight_, *known_;
    Group group_;
};

// Refuses clusters that do not fit the rows.
void check_clusters(const Matrix<double>& x, const Vector<double>* w, const FuzzyClusters& clusters,
                    bool gaps, bool shapes);

}  // namespace fuzzy

}  // namespace hornbook
