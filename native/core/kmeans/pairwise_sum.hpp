// The order in which sums over chunks of rows are added up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// Adds up the sums of chunks pairwise, neighbors first, like the carries of a binary counter: the same order
// of additions as Blocks.reduce, hence the same bits.
class PairwiseSum {
  public:
    explicit PairwiseSum(std::int64_t width) : width_(static_cast<std::size_t>(width)) {}

    void push(const double* sums) {
        std::int64_t size = 1;
        std::vector<double> whole(sums, sums + width_);
        for (; !stack_.empty() && stack_.back().first == size; size *= 2) whole = join(whole);
        stack_.emplace_back(size, std::move(whole));
    }
    Buffer<double> total() {
        std::vector<double> whole(width_, 0.0);
        if (!stack_.empty()) {
            whole = std::move(stack_.back().second);
            stack_.pop_back();
        }
        while (!stack_.empty()) whole = join(whole);
        Buffer<double> out(static_cast<std::int64_t>(width_));
        std::copy(whole.begin(), whole.end(), out.data());
        return out;
    }

  private:
    // The top of the stack plus `more`, which comes after it.
    std::vector<double> join(const std::vector<double>& more) {
        std::vector<double> whole = std::move(stack_.back().second);
        stack_.pop_back();
        for (std::size_t i = 0; i < width_; ++i) whole[i] += more[i];
        return whole;
    }

    std::size_t width_;
    std::vector<std::pair<std::int64_t, std::vector<double>>> stack_;  // how many chunks, and their sums
};

}  // namespace hornbook
