// What a component says about missing cells, given the known ones.
#pragma once

#include <cstdint>
#include <vector>

#include "core/mixture/mixture.hpp"
#include "core/mixture/row_groups.hpp"

namespace hornbook::mixture {

// For one component and the rows of one group. With P the inverse of the covariance matrix and m, o the
// missing and the known columns: E[g_m | g_o] = -P_mm^-1 P_mo g_o, and the conditional covariance is P_mm^-1.
// The completed gap has the same square |whiten g|^2 as the known cells alone have under their marginal
// density.
class Completion {
  public:
    Completion(const Components& components, std::int64_t k, const Group& group);

    // Difference of the log of the factor before the marginal density from that before the whole one.
    double scale() const { return scale_; }
    // Puts the conditional means into a tile of gaps.
    void complete(double* gap) const;
    // Adds mass times the conditional covariance to second moments, a lower triangle or a diagonal.
    void add_covariance(double mass, double* second) const;

  private:
    void from_diagonal(const double* whiten);
    void from_triangle(const double* whiten, std::int64_t cols);
    void invert(double* p, std::int64_t m);

    const Group& group_;
    bool diagonal_;
    double scale_;
    std::vector<double> map_;         // missing x known
    std::vector<double> covariance_;  // missing x missing, or missing
};

}  // namespace hornbook::mixture
