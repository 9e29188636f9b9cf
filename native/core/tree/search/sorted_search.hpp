// The best cut of an ordered column in one scan, for the most common case: every row has a value and only the
// best cut is needed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/search/best_split.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

// Sorted keys of a node, and the fewest rows of a side.
struct KeyScan {
    const std::uint64_t* keys;
    std::int64_t size;
    std::int64_t least;
};

// Scans the rows and evaluates the score wherever the code changes and both sides have enough rows. `add`
// takes the lower half of the key.
template <class Add, class Score>
Candidate scan_keys(const KeyScan& scan, double tolerance, Add&& add, Score&& score) {
    Candidate best;
    double bar = no_gain;
    std::uint32_t last = static_cast<std::uint32_t>(scan.keys[0] >> 32);
    const std::int64_t first = scan.least, end = scan.size - scan.least;
    for (std::int64_t i = 0; i < scan.size; ++i) {
        const std::uint64_t key = scan.keys[i];
        const auto code = static_cast<std::uint32_t>(key >> 32);
        if (code != last && i >= first && i <= end) {
            const double value = score(i);
            if (value > bar) {
                bar = value + tolerance;
                best = {value, static_cast<std::int32_t>(last), static_cast<std::int32_t>(code), -1};
            }
        }
        last = code;
        add(static_cast<std::uint32_t>(key));
    }
    return best;
}

// Classes.
template <class Score>
Candidate scan_rows(const KeyScan& scan, const Rows& rows, const Layout& layout, Score& score,
                    double tolerance, Workspace& work) {
    work.left.assign(static_cast<std::size_t>(layout.stride), 0.0);
    double* left = work.left.data();
    Candidate best;
    with_adder<double>(rows, layout, [&](auto add) {
        best = scan_keys(
            scan, tolerance, [&](std::uint32_t i) { add(left, static_cast<std::int64_t>(i)); },
            [&](std::int64_t) { return score(left); });
    });
    return best;
}

// A histogram of two classes without counts of rows.
template <class T, class Score>
Candidate scan_pairs(const T* stats, std::int32_t bins, const Score& score, double tolerance) {
    const double least = std::max(score.limits().weight, score.limits().rows), whole = score.weight();
    Candidate best;
    double bar = no_gain, weight = 0.0, second = 0.0;
    std::int32_t before = -1;
    for (std::int32_t code = 0; code < bins; ++code) {
        const auto one = static_cast<double>(stats[2 * code]), two = static_cast<double>(stats[2 * code + 1]);
        if (one + two == 0.0) continue;
        if (before >= 0 && weight >= least && whole - weight >= least) {
            const double value = score.of_pair(weight, second);
            if (value > bar) {
                bar = value + tolerance;
                best = {value, before, code, -1};
            }
        }
        weight += one + two;
        second += two;
        before = code;
    }
    return best;
}

}  // namespace hornbook
