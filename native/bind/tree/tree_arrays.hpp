// Arrays of fitted trees as views.
#pragma once

#include <cstdint>

#include "bind/convert.hpp"
#include "core/tree/predict/prediction.hpp"

namespace hornbook {

using Ints = Array1<std::int32_t>;
using Doubles = Array1<double>;

inline TreeArrays arrays_of(const Ints& roots, const Array1<std::uint8_t>& kind, const Ints& feature,
                            const Doubles& threshold, const Ints& first_child, const Ints& missing_child,
                            const Ints& level_offset, const Ints& levels, const Doubles& share) {
    return {view(roots, "roots"),
            view(kind, "kind"),
            view(feature, "feature"),
            view(threshold, "threshold"),
            view(first_child, "first_child"),
            view(missing_child, "missing_child"),
            view(level_offset, "level_offset"),
            view(levels, "levels"),
            view(share, "share")};
}

}  // namespace hornbook
