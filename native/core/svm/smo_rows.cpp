// Which rows take part: shrinking, and how all of them come back.
#include <algorithm>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"
#include "core/svm/add_rows.hpp"
#include "core/svm/smo.hpp"

namespace hornbook {

namespace {

constexpr double worth_shrinking = 0.2;  // of the rows

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

// Rows that take part, in the form in which kernel values are computed.
void SmoSolver::pack() {
    place_.assign(problem_.rows.size(), -1);
    std::vector<std::int64_t> rows;
    for (const std::int64_t row : active_) {
        place_[at(row)] = static_cast<std::int64_t>(rows.size());
        rows.push_back(problem_.rows[at(row)]);
    }
    variables_.clear();
    for (std::size_t v = 0; v < value_.size(); ++v)
        if (place_[at(problem_.row_of[v])] >= 0) variables_.push_back(static_cast<std::int64_t>(v));
    packed_ = std::make_unique<KernelRows>(table_, rows, spec_);
}

// Leaves out rows whose variables are at a bound and would go beyond it.
void SmoSolver::shrink() {
    std::vector<char> stays(problem_.rows.size(), 0);
    for (const std::int64_t v : variables_) {
        const double pull = -gradient(v);
        const bool rises = value_[at(v)] < problem_.high[at(v)];
        const bool falls = value_[at(v)] > problem_.low[at(v)];
        if ((rises && (falls || pull >= lowest_)) || (falls && pull <= steepest_))
            stays[at(problem_.row_of[at(v)])] = 1;
    }
    std::vector<std::int64_t> kept;
    for (const std::int64_t row : active_)
        if (stays[at(row)]) kept.push_back(row);
    if (static_cast<double>(active_.size() - kept.size()) <
        worth_shrinking * static_cast<double>(active_.size()))
        return;
    std::vector<std::int64_t> places;
    for (const std::int64_t row : kept) places.push_back(place_[at(row)]);
    if (cache_ != nullptr) cache_->keep(places);
    active_ = std::move(kept);
    pack();
}

// Kernel sums of the rows that were left out, from all variables; then all rows take part again.
void SmoSolver::restore(int threads) {
    std::vector<std::int64_t> absent;
    std::vector<std::int64_t> rows;
    std::vector<char> present(problem_.rows.size(), 0);
    for (const std::int64_t row : active_) present[at(row)] = 1;
    for (std::size_t row = 0; row < present.size(); ++row)
        if (!present[row]) {
            absent.push_back(static_cast<std::int64_t>(row));
            rows.push_back(problem_.rows[row]);
        }
    std::vector<double> weight(problem_.rows.size(), 0.0);
    for (std::size_t v = 0; v < value_.size(); ++v) weight[at(problem_.row_of[v])] += value_[v];
    std::vector<std::int64_t> queries;
    std::vector<double> weights;
    for (std::size_t row = 0; row < weight.size(); ++row)
        if (weight[row] != 0.0) {
            queries.push_back(problem_.rows[row]);
            weights.push_back(weight[row]);
        }
    const KernelRows lacking(table_, rows, spec_);
    const auto n = static_cast<std::int64_t>(queries.size());
    parallel_rows(lacking.size(), KernelRows::run, threads, [&](std::int64_t first, std::int64_t last) {
        alignas(64) double values[KernelRows::batch * KernelRows::run];
        alignas(64) double sums[KernelRows::run] = {};
        double* places[KernelRows::batch];
        for (std::int64_t k = 0; k < KernelRows::batch; ++k) places[k] = values + k * KernelRows::run - first;
        for (std::int64_t q = 0; q < n; q += KernelRows::batch) {
            const std::int64_t count = std::min(KernelRows::batch, n - q);
            lacking.values(table_, queries.data() + q, count, first, last, places);
            add_rows(sums - first, places, weights.data() + q, count, first,
                     (last + lanes - 1) / lanes * lanes);
            stop_point();
        }
        for (std::int64_t r = first; r < last; ++r) sums_[at(absent[at(r)])] = sums[r - first];
    });
    active_.resize(problem_.rows.size());
    std::iota(active_.begin(), active_.end(), 0);
    pack();
    cache_.reset();
}

void SmoSolver::renew_cache() {
    cache_ = std::make_unique<RowCache>(static_cast<std::int64_t>(problem_.rows.size()), packed_->stride(),
                                        options_.cache_bytes, set_size_);
}

}  // namespace hornbook
