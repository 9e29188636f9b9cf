#include "core/mixture/row_groups.hpp"

#include <algorithm>
#include <numeric>

#include "core/mixture/tile.hpp"
#include "core/stop.hpp"

namespace hornbook::mixture {

namespace {

typedef double LooseLanes __attribute__((vector_size(64), may_alias, aligned(8)));

// One bit per missing cell; complete rows come first in the order of these keys.
struct Patterns {
    std::int64_t words;
    std::vector<std::uint64_t> bits;

    Patterns(const Matrix<double>& x, std::int64_t first, std::int64_t last) : words((x.cols + 63) / 64) {
        bits.assign(static_cast<std::size_t>(words * (last - first)), 0);
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            pace.spend(x.cols);
            const double* row = x.row(i);
            std::uint64_t* key = bits.data() + (i - first) * words;
            for (std::int64_t j = 0; j < x.cols; ++j)
                if (row[j] != row[j]) key[j / 64] |= std::uint64_t{1} << (j % 64);
        }
    }

    const std::uint64_t* key(std::int64_t i) const { return bits.data() + i * words; }
    bool before(std::int64_t a, std::int64_t b) const {
        return std::lexicographical_compare(key(a), key(a) + words, key(b), key(b) + words);
    }
    bool same(std::int64_t a, std::int64_t b) const { return std::equal(key(a), key(a) + words, key(b)); }
};

HORNBOOK_WIDE bool has_missing(const double* cells, std::int64_t count) {
    Lanes sum{};
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const Lanes cell = *reinterpret_cast<const LooseLanes*>(cells + i);
        sum += cell == cell ? Lanes{} : cell;  // NaN stays
    }
    double rest = 0.0;
    for (std::int64_t r = 0; r < lanes; ++r) rest += sum[r];
    for (; i < count; ++i) rest += cells[i] == cells[i] ? 0.0 : cells[i];
    return rest != rest;
}

}  // namespace

RowGroups::RowGroups(const Matrix<double>& x, std::int64_t first, std::int64_t last)
    : width_(tile_rows), cols_(x.cols), cells_(0) {
    if (has_missing(x.row(first), (last - first) * cols_))
        arrange(x, first, last);
    else
        arrange_complete(first, last);
    cells_ = Buffer<double>(slots(), cols_);
    fill(x);
}

void RowGroups::arrange_complete(std::int64_t first, std::int64_t last) {
    if (first == last) return;
    rows_.resize(static_cast<std::size_t>((last - first + width_ - 1) / width_ * width_), -1);
    std::iota(rows_.begin(), rows_.begin() + (last - first), first);
    Group group{0, slots() / width_, {}, std::vector<std::int64_t>(static_cast<std::size_t>(cols_))};
    std::iota(group.known.begin(), group.known.end(), std::int64_t{0});
    groups_.push_back(std::move(group));
}

void RowGroups::arrange(const Matrix<double>& x, std::int64_t first, std::int64_t last) {
    const Patterns patterns(x, first, last);
    std::vector<std::int64_t> order(static_cast<std::size_t>(last - first));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    // Stable, so that sums have one order whatever the sorting algorithm.
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
    const std::vector<double> nothing(static_cast<std::size_t>(cols_), 0.0);
    Pace pace;
    for (const Group& group : groups_)
        for (std::int64_t t = group.first; t < group.last; ++t) {
            pace.spend(width_ * cols_);
            double* to = cells_.data() + t * width_ * cols_;
            const double* from[tile_rows];
            for (std::int64_t r = 0; r < width_; ++r) {
                const std::int64_t i = row(t * width_ + r);
                from[r] = i < 0 ? nothing.data() : x.row(i);
            }
            for (std::int64_t j = 0; j < cols_; ++j)
                for (std::int64_t r = 0; r < width_; ++r) to[j * width_ + r] = from[r][j];
            for (const std::int64_t j : group.missing) std::fill_n(to + j * width_, width_, 0.0);
        }
}

}  // namespace hornbook::mixture
