// One cut of each of many columns at once, one in each SIMD lane: the only cut of a column of two values, or
// a drawn one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "core/base/simd.hpp"
#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/simd/simd_search.hpp"

namespace hornbook {

// The codes of some rows, `lanes` columns at a time; columns that are not there repeat the first.
class CodeBlock {
  public:
    static constexpr std::int64_t most_rows = 256;  // 8 KB

    // `all` is how many rows are read in total, block after block.
    void read(const CodedTable& table, std::span<const std::int32_t> columns, const std::int32_t* rows,
              std::int64_t size, std::int64_t all);

    // Replaces codes by 0 for listed levels, which are bits, and by 1 for others.
    void mark(const LaneCodes& listed);

    const LaneCodes* begin() const { return codes_; }
    std::int64_t size() const { return size_; }

  private:
    std::int64_t size_ = 0;
    LaneCodes codes_[most_rows];
};

// The smallest and the largest code of each column, and whether there are no others between them.
struct LaneRanges {
    LaneCodes first, last, only_two;
};
void find_ranges(const CodeBlock& block, LaneRanges& ranges);

// Adds the codes that occur to a set of each lane, as bits.
constexpr std::int32_t most_level_bits = 31;
void find_levels(const CodeBlock& block, LaneCodes& levels);

// Sums over the rows left of the cuts; classes of whole weights, or numbers.
struct LaneSums {
    LaneCodes rows{};
    LaneCodes classes[most_lane_classes];
    Numbers sum[2]{}, weight[2]{};

    explicit LaneSums(std::size_t n_classes) { std::fill_n(classes, n_classes, LaneCodes{}); }

    // Rows with codes of at most `below` are left of the cut.
    void add(const CodeBlock& block, const Rows& rows, const LaneCodes& below);

    double weight_of(std::size_t lane, std::size_t n_classes) const {
        if (n_classes == 0) return weight[lane / half_lanes][lane % half_lanes];
        double sum = 0.0;
        for (std::size_t k = 0; k < n_classes; ++k) sum += classes[k][lane];
        return sum;
    }
};

// Scores as those of ClassScore for the Gini index and of SumScore; no_gain where a side is too small.
using LaneScores = std::array<double, lanes>;
LaneScores score_lanes(const LaneSums& sums, const LaneNode& node, std::int64_t n_rows);

}  // namespace hornbook
