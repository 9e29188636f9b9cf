// Gauss-Legendre quadrature.
#pragma once

#include <vector>

namespace hornbook {

// Points and weights between 0 and 1.
struct Quadrature {
    std::vector<double> point, weight;
};

// n points integrate polynomials up to degree 2n - 1 exactly.
Quadrature gauss_legendre(int n);

}  // namespace hornbook
