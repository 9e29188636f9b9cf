#include "core/tree/predict/keys.hpp"

#include <algorithm>

namespace hornbook {

namespace {

constexpr std::int32_t most_levels = 1 << 30;

WholeKey key_of_level(std::int32_t level) {
    return level < 0 ? missing_key : 2 * std::min(level, most_levels - 1);
}

}  // namespace

WholeKey cut_of_levels(double last) {
    if (!(last >= 0.0)) return -1;
    return 2 * static_cast<std::int32_t>(std::min(last, most_levels - 1.0)) + 1;
}

KeyRows::KeyRows(const TreeRows& rows, std::int64_t first, std::int64_t last)
    : rows_(rows),
      first_(first),
      size_(last - first),
      width_(std::max<std::int64_t>(rows.numbers.cols + rows.codes.cols, 1)),
      keys_(size_, width_) {
    const std::int64_t numbers = rows.numbers.cols, codes = rows.codes.cols;
    Key lowest = 0;
    for (std::int64_t r = 0; r < size_; ++r) {
        Key* out = keys_.data() + r * width_;
        const double* number = rows.numbers.row(first + r);
        const std::int32_t* code = rows.codes.row(first + r);
        out[0] = 0;
        for (std::int64_t j = 0; j < numbers; ++j) out[j] = key_of(number[j], missing_key);
        for (std::int64_t j = 0; j < codes; ++j) out[numbers + j] = key_of_level(code[j]);
        for (std::int64_t j = 0; j < width_; ++j) lowest = std::min(lowest, out[j]);
    }
    has_gaps_ = is_missing(lowest);
}

}  // namespace hornbook
