#include "core/tree/contributions/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace hornbook {

namespace {

struct Legendre {
    long double value, slope;
};

// The Legendre polynomial of degree n at x, by the three-term recurrence.
Legendre legendre(int n, long double x) {
    long double before = 1.0L, value = x;
    for (int k = 2; k <= n; ++k) {
        const long double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
    }
    return {value, n * (x * value - before) / (x * x - 1.0L)};
}

}  // namespace

Quadrature gauss_legendre(int n) {
    constexpr int most_steps = 100;  // of Newton's method, which needs about five
    Quadrature rule;
    for (int i = 0; i < n; ++i) {
        long double x = -std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (n + 0.5L));
        Legendre at = legendre(n, x);
        for (int step = 0; step < most_steps; ++step) {
            const long double change = at.value / at.slope;
            x -= change;
            at = legendre(n, x);
            if (std::fabs(change) < 1e-18L) break;
        }
        rule.point.push_back(static_cast<double>((1.0L + x) / 2.0L));
        rule.weight.push_back(static_cast<double>(1.0L / ((1.0L - x * x) * at.slope * at.slope)));
    }
    return rule;
}

}  // namespace hornbook
