// The shape of a k-d tree, which follows from the number of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/distance/distances.hpp"
#include "core/neighbors/kdtree.hpp"

namespace hornbook {

constexpr std::int64_t fanout = lanes;  // children of a node
static_assert(box_numbers == 2 * fanout);

inline void check_tree_rows(const Matrix<double>& rows) {
    if (rows.rows < 1 || rows.cols < 1) refuse("a tree needs at least one row and one column.");
}

// How many nodes each level has, and where they begin: level 0 is above the tiles, the last has one node.
struct Levels {
    std::vector<std::int64_t> counts;  // of the tiles, then of the nodes of each level
    std::vector<std::int64_t> first;
    std::int64_t nodes = 0;

    explicit Levels(std::int64_t n_rows) : counts{(n_rows + Tiles::size - 1) / Tiles::size} {
        do {
            counts.push_back((counts.back() + fanout - 1) / fanout);
            first.push_back(nodes);
            nodes += counts.back();
        } while (counts.back() > 1);
    }

    std::int64_t top() const { return static_cast<std::int64_t>(first.size()) - 1; }
    std::int64_t node(std::int64_t level, std::int64_t i) const {
        return first[static_cast<std::size_t>(level)] + i;
    }
    // Parts of the i-th node of a level; tiles are the parts of level 0.
    std::int64_t parts(std::int64_t level, std::int64_t i) const {
        return std::min(fanout, counts[static_cast<std::size_t>(level)] - i * fanout);
    }
};

}  // namespace hornbook
