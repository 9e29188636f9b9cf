#include "core/mixture/row_groups.hpp"

#include <algorithm>
#include <numeric>

#include "core/mixture/tile.hpp"
#include "core/stop.hpp"

namespace hornbook::mixture {

namespace {

// One bit per missing cell; complete rows come first in the order of these keys.
struct Patterns {
    std::int64_t words;
    std::vector<std::uint64_t> bits;
    bool any = false;

    Patterns(const Matrix<double>& x, std::int64_t first, std::int64_t last) : words((x.cols + 63) / 64) {
        bits.assign(static_cast<std::size_t>(words * (last - first)), 0);
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            pace.spend(x.cols);
            const double* row = x.row(i);
            std::uint64_t* key = bits.data() + (i - first) * words;
            for (std::int64_t j = 0; j < x.cols; ++j)
                if (row[j] != row[j]) {
                    key[j / 64] |= std::uint64_t{1} << (j % 64);
                    any = true;
                }
        }
    }

    const std::uint64_t* key(std::int64_t i) const { return bits.data() + i * words; }
    bool before(std::int64_t a, std::int64_t b) const {
        return std::lexicographical_compare(key(a), key(a) + words, key(b), key(b) + words);
    }
    bool same(std::int64_t a, std::int64_t b) const { return std::equal(key(a), key(a) + words, key(b)); }
};

}  // namespace

RowGroups::RowGroups(const Matrix<double>& x, std::int64_t first, std::int64_t last)
    : width_(tile_rows), cols_(x.cols), cells_(0) {
    arrange(x, first, last);
    cells_ = Buffer<double>(slots(), cols_, 0.0);
    fill(x);
}

void RowGroups::arrange(const Matrix<double>& x, std::int64_t first, std::int64_t last) {
    const Patterns patterns(x, first, last);
    std::vector<std::int64_t> order(static_cast<std::size_t>(last - first));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    // Stable, so that sums have one order whatever the sorting algorithm.
    if (patterns.any)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t a, std::int64_t b) { return patterns.before(a, b); });
    for (std::size_t start = 0; start < order.size();) {
        std::size_t stop = start + 1;
        while (stop < order.size() && patterns.same(order[start], order[stop])) ++stop;
        Group group{slots() / width_, 0, {}, {}};
        for (std::size_t i = start; i < stop; ++i) rows_.push_back(first + order[i]);
        rows_.resize((rows_.size() + tile_rows - 1) / tile_rows * tile_rows, -1);
        group.last = slots() / width_;
        const double* row = x.row(first + order[start]);
        for (std::int64_t j = 0; j < cols_; ++j)
            (row[j] != row[j] ? group.missing : group.known).push_back(j);
        groups_.push_back(std::move(group));
        start = stop;
    }
}

void RowGroups::fill(const Matrix<double>& x) {
    Pace pace;
    for (std::int64_t slot = 0; slot < slots(); ++slot) {
        if (row(slot) < 0) continue;
        pace.spend(cols_);
        const double* from = x.row(row(slot));
        double* to = cells_.data() + slot / width_ * width_ * cols_ + slot % width_;
        for (std::int64_t j = 0; j < cols_; ++j)
            if (from[j] == from[j]) to[j * width_] = from[j];
    }
}

}  // namespace hornbook::mixture
