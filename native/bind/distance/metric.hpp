// Rows and metrics from the arrays that Python passes.
#pragma once

#include <cstdint>

#include "bind/convert.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

inline MixedRows rows_of(const Array2<double>& numbers, const Array2<std::int32_t>& codes) {
    return {view(numbers, "numbers"), view(codes, "codes")};
}

inline Metric metric_of(double power, const Array1<double>& shares, const Array1<double>& steps,
                        const Array1<std::int32_t>& n_levels, const Array2<double>& profiles) {
    return {power, view(shares, "shares"), view(steps, "steps"), view(n_levels, "n_levels"),
            view(profiles, "profiles")};
}

}  // namespace hornbook
