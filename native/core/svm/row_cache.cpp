#include "core/svm/row_cache.hpp"

#include <algorithm>

namespace hornbook {

namespace {

std::int64_t slots_for(std::int64_t rows, std::int64_t stride, std::int64_t bytes, std::int64_t fewest) {
    const std::int64_t one = std::max<std::int64_t>(stride, 1) * static_cast<std::int64_t>(sizeof(double));
    return std::min(rows, std::max(bytes / one, fewest));
}

}  // namespace

RowCache::RowCache(std::int64_t rows, std::int64_t stride, std::int64_t bytes, std::int64_t fewest)
    : stride_(stride),
      slots_(slots_for(rows, stride, bytes, fewest)),
      memory_(slots_, stride),
      slot_of_(static_cast<std::size_t>(rows), -1),
      row_in_(static_cast<std::size_t>(slots_), -1),
      before_(static_cast<std::size_t>(slots_ + 1), slots_),
      after_(static_cast<std::size_t>(slots_ + 1), slots_) {}

void RowCache::unlink(std::int64_t slot) {
    const auto s = static_cast<std::size_t>(slot);
    after_[static_cast<std::size_t>(before_[s])] = after_[s];
    before_[static_cast<std::size_t>(after_[s])] = before_[s];
}

void RowCache::append(std::int64_t slot) {
    const auto s = static_cast<std::size_t>(slot);
    const auto head = static_cast<std::size_t>(slots_);
    before_[s] = before_[head];
    after_[s] = slots_;
    after_[static_cast<std::size_t>(before_[head])] = slot;
    before_[head] = slot;
}

double* RowCache::find(std::int64_t row) {
    const std::int64_t slot = slot_of_[static_cast<std::size_t>(row)];
    if (slot < 0) return nullptr;
    unlink(slot);
    append(slot);
    return memory_.data() + slot * stride_;
}

void RowCache::keep(const std::vector<std::int64_t>& places) {
    for (std::int64_t slot = 0; slot < used_; ++slot) {
        double* values = memory_.data() + slot * stride_;
        for (std::size_t i = 0; i < places.size(); ++i) values[i] = values[places[i]];
    }
}

double* RowCache::claim(std::int64_t row) {
    std::int64_t slot = used_;
    if (used_ < slots_) {
        ++used_;
    } else {
        slot = after_[static_cast<std::size_t>(slots_)];
        unlink(slot);
        slot_of_[static_cast<std::size_t>(row_in_[static_cast<std::size_t>(slot)])] = -1;
    }
    append(slot);
    slot_of_[static_cast<std::size_t>(row)] = slot;
    row_in_[static_cast<std::size_t>(slot)] = row;
    return memory_.data() + slot * stride_;
}

}  // namespace hornbook
