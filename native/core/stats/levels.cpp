#include "core/stats/levels.hpp"

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

// Tables with a slot for each still fit into memory; a larger number is a mistake, or comes from a hostile
// model file.
constexpr std::int64_t most_levels = std::int64_t{1} << 24, most_classes = std::int64_t{1} << 24;

// Shifted by one, -1 becomes 0 and anything below wraps around to a large number: one comparison decides.
HORNBOOK_WIDE bool any_outside(const std::int32_t* __restrict codes, const std::int32_t* __restrict n_levels,
                               std::int64_t rows, std::int64_t cols) {
    std::uint32_t outside = 0;
    for (std::int64_t i = 0; i < rows; ++i, codes += cols)
        for (std::int64_t j = 0; j < cols; ++j)
            outside |= std::uint32_t{static_cast<std::uint32_t>(codes[j]) + 1U >
                                     static_cast<std::uint32_t>(n_levels[j])};
    return outside != 0;
}

}  // namespace

std::vector<std::int64_t> level_offsets(const Vector<std::int32_t>& n_levels, std::int64_t spare) {
    std::vector<std::int64_t> offsets{0};
    for (std::int64_t j = 0; j < n_levels.size; ++j)
        offsets.push_back(offsets.back() + spare + n_levels.data[j]);
    return offsets;
}

void check_levels(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels) {
    if (n_levels.size != codes.cols)
        refuse("n_levels must have one entry per column of codes; it has ", n_levels.size, " and codes has ",
               codes.cols, " columns.");
    for (std::int64_t j = 0; j < n_levels.size; ++j)
        if (n_levels.data[j] < 0)
            refuse("n_levels must not be negative; column ", j, " has ", n_levels.data[j], ".");
    const std::int64_t levels = level_offsets(n_levels).back();
    if (levels > most_levels)
        refuse("n_levels must add up to at most ", most_levels, "; they make ", levels, ".");
}

void check_class_count(std::int64_t n_classes) {
    if (n_classes < 1) refuse("n_classes must be at least 1; got ", n_classes, ".");
    if (n_classes > most_classes)
        refuse("n_classes must be at most ", most_classes, "; got ", n_classes, ".");
}

void check_codes(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels, std::int64_t first,
                 std::int64_t last) {
    if (!any_outside(codes.row(first), n_levels.data, last - first, codes.cols)) return;
    for (std::int64_t i = first; i < last; ++i)
        for (std::int64_t j = 0; j < codes.cols; ++j) {
            const std::int32_t code = codes.row(i)[j];
            if (code < -1 || code >= n_levels.data[j])
                refuse("codes must be -1 (missing) or below the number of levels; row ", i, ", column ", j,
                       " has ", code, " but the column has ", n_levels.data[j], " levels.");
        }
}

}  // namespace hornbook
