// The cuts of a column from left to right: sums over the rows on the left of each, and their gains.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/simd.hpp"
#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/stump/sorted_rows.hpp"

namespace hornbook {

constexpr std::int64_t cuts_at_once = 512;  // scored together, while their sums are in the cache

// Sums left of cuts that follow each other: the weight, and what a target has besides.
struct Cuts {
    alignas(64) double weight[cuts_at_once + lanes];
    alignas(64) double first[cuts_at_once + lanes];
    alignas(64) double second[cuts_at_once + lanes];
};

// What a row adds to the sums left of a cut: its weight, and its weight times number. Two classes are the
// numbers 0 and 1, and both sums are in one word: the weight, with a minus sign for class 0.
struct SignedWeights {
    struct Sums {
        double weight = 0.0, sum = 0.0;
    };
    const double* entry;

    std::int64_t bin_size() const { return 2; }
    bool counts(std::uint32_t row) const { return entry[row] != 0.0; }
    Sums start() const { return {}; }
    void settle(Sums&) const {}
    void add(std::uint32_t row, double& weight, double& sum) const {
        const double signed_weight = entry[row], size = std::abs(signed_weight);
        weight += size;
        sum += 0.5 * (signed_weight + size);  // the positive part, branchless
    }
    void add(std::uint32_t row, Sums& sums) const { add(row, sums.weight, sums.sum); }
    void add_to_bin(std::uint32_t row, double* bin) const { add(row, bin[0], bin[1]); }
    void add_bin(const double* bin, Sums& sums) const {
        sums.weight += bin[0];
        sums.sum += bin[1];
    }
    void put(const Sums& sums, Cuts& cuts, std::int64_t at) const {
        cuts.weight[at] = sums.weight;
        cuts.first[at] = sums.sum;
    }
};

// Numbers: entries are the weight of a row, and its weight times number.
struct WeightedNumbers : SignedWeights {
    bool counts(std::uint32_t row) const { return entry[2 * static_cast<std::int64_t>(row)] != 0.0; }
    void add(std::uint32_t row, double& weight, double& sum) const {
        weight += entry[2 * static_cast<std::int64_t>(row)];
        sum += entry[2 * static_cast<std::int64_t>(row) + 1];
    }
    void add(std::uint32_t row, Sums& sums) const { add(row, sums.weight, sums.sum); }
    void add_to_bin(std::uint32_t row, double* bin) const { add(row, bin[0], bin[1]); }
};

// Many classes. When a row of weight w and class c moves from the right of a cut to the left, the squared
// class weights on the left grow by w (2 L_c + w) in total, and those on the right by w (w - 2 R_c): the work
// does not depend on the number of classes.
struct ClassWeights {
    struct Entry {
        double weight;
        std::int64_t label;
    };
    struct Sums {
        double weight = 0.0, left_squares = 0.0, right_squares = 0.0;
        std::vector<double> left, right;  // of each class
    };
    const Entry* entry;
    const std::vector<double>& total;  // of each class

    std::int64_t bin_size() const { return std::ssize(total); }
    bool counts(std::uint32_t row) const { return entry[row].weight != 0.0; }
    Sums start() const { return {0.0, 0.0, 0.0, std::vector<double>(total.size(), 0.0), total}; }
    // Once for some cuts, so that rounding does not add up.
    void settle(Sums& sums) const {
        sums.left_squares = sums.right_squares = 0.0;
        for (std::size_t c = 0; c < total.size(); ++c) {
            sums.right[c] = total[c] - sums.left[c];
            sums.left_squares += sums.left[c] * sums.left[c];
            sums.right_squares += sums.right[c] * sums.right[c];
        }
    }
    void add(double w, std::int64_t c, Sums& sums) const {
        double &left = sums.left.data()[c], &right = sums.right.data()[c];
        sums.left_squares += w * (2.0 * left + w);
        sums.right_squares += w * (w - 2.0 * right);
        sums.weight += w;
        left += w;
        right -= w;
    }
    void add(std::uint32_t row, Sums& sums) const { add(entry[row].weight, entry[row].label, sums); }
    void add_to_bin(std::uint32_t row, double* bin) const { bin[entry[row].label] += entry[row].weight; }
    void add_bin(const double* bin, Sums& sums) const {
        for (std::int64_t c = 0; c < bin_size(); ++c)
            if (bin[c] != 0.0) add(bin[c], c, sums);
    }
    void put(const Sums& sums, Cuts& cuts, std::int64_t at) const {
        cuts.weight[at] = sums.weight;
        cuts.first[at] = sums.left_squares;
        cuts.second[at] = sums.right_squares;
    }
};

// Calls take(cuts, size) with the sums left of the cuts of a column, some at a time, in ascending order,
// until it returns false. There is no cut after the last row that has weight: the sums of all rows are added
// in another order, so that a difference would not show that nothing is left.
template <class Target, class Take>
void scan_order(const std::uint32_t* order, std::int64_t n, const Target& target, Take&& take) {
    while (n > 0 && !target.counts(order[n - 1] & ~SortedRows::last)) --n;
    Cuts cuts;
    typename Target::Sums sums = target.start();
    for (std::int64_t first = 0; first < n - 1; first += cuts_at_once) {
        const std::int64_t end = std::min(n - 1, first + cuts_at_once);
        std::int64_t size = 0;
        target.settle(sums);
        for (std::int64_t i = first; i < end; ++i) {
            const std::uint32_t entry = order[i];
            target.add(entry & ~SortedRows::last, sums);
            target.put(sums, cuts, size);
            size += entry >> 31;  // branchless: the sums inside a code are overwritten
        }
        if (!take(cuts, size)) return;
    }
}

template <class Target, class Take>
void scan_codes(const CodedColumn& column, std::int64_t n, const Target& target, Take&& take) {
    const std::int64_t width = target.bin_size();
    std::vector<double> bins(static_cast<std::size_t>(width * column.bins));
    with_codes(column, n, [&](const auto& codes) {
        const auto rows = static_cast<std::int32_t>(n);
        for (std::int32_t i = 0; i < rows; ++i)
            target.add_to_bin(static_cast<std::uint32_t>(i), bins.data() + width * codes[i]);
    });
    std::int64_t last = column.bins;  // bins up to the last that has weight
    while (last > 0 && std::all_of(bins.data() + width * (last - 1), bins.data() + width * last,
                                   [](double sum) { return sum == 0.0; }))
        --last;
    Cuts cuts;
    typename Target::Sums sums = target.start();
    for (std::int64_t first = 0; first < last - 1; first += cuts_at_once) {
        const std::int64_t end = std::min(last - 1, first + cuts_at_once);
        target.settle(sums);
        for (std::int64_t code = first; code < end; ++code) {
            target.add_bin(bins.data() + width * code, sums);
            target.put(sums, cuts, code - first);
        }
        if (!take(cuts, end - first)) return;
    }
}

}  // namespace hornbook
