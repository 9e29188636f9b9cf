// The best of single cuts, one of each column: where columns have two values, or where cuts are drawn.
#pragma once

#include <cstdint>
#include <span>

#include "core/tree/columns/threshold.hpp"
#include "core/tree/simd/simd_search.hpp"

namespace hornbook {

struct SingleCut {
    std::size_t column = 0;  // its place among the columns
    double score = no_gain;  // no_gain when no cut is allowed
    DrawnCut cut{0, 1, 0};
};

// Whether the columns have one cut each, and are better searched together than one after the other.
bool is_cut_once(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                 bool drawn);

// The first of the best cuts of at most `lanes` columns, none of which has missing values. The cuts are drawn
// if there is a key; otherwise all columns must have two values.
SingleCut best_single_cut(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                          const LaneNode& node, const NodeKey* key);

constexpr int most_tosses = 1024;  // tries of a random division of levels

// A random side, 0 or 1, of each level: bits of one word for 64 levels.
class LevelToss {
  public:
    explicit LevelToss(Draws& draws) : draws_(draws) {}

    // Codes must ascend.
    std::uint8_t of(std::int32_t code) {
        for (; words_ <= code / 64; ++words_) word_ = draws_.word();
        return static_cast<std::uint8_t>(word_ >> (code % 64) & 1);
    }

  private:
    Draws& draws_;
    std::uint64_t word_ = 0;
    std::int32_t words_ = 0;
};

// A random division of levels below 64, which are bits, into listed levels and others.
std::uint32_t draw_levels(std::uint32_t present, Draws draws);

// Levels of a category on each side of a division, as bits; the lighter side is listed.
struct LevelCut {
    std::size_t column = 0;
    double score = no_gain;
    std::uint32_t listed = 0, others = 0;
};

// The first of the best divisions, one drawn for each of at most `lanes` nominal columns of fewer than
// `most_level_bits` levels: every level that occurs goes to a random side, missing values as one more level.
LevelCut best_level_cut(const CodedTable& table, std::span<const std::int32_t> columns, const Rows& rows,
                        const LaneNode& node, const NodeKey& key);

}  // namespace hornbook
