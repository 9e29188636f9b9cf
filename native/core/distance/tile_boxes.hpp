// Bounding boxes of tiles, and of groups of tiles: which tiles may have rows within a distance of a tile.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

class TileBoxes {
  public:
    // Whether boxes say something about distances: not about missing cells, nor where differences are
    // counted.
    static bool possible(const MixedRows& rows, const Metric& metric);

    // Of the rows in the order of their tiles, for distances whose power is at most the limit.
    TileBoxes(const MixedRows& rows, const Metric& metric, const std::vector<std::int64_t>& order,
              double limit);

    // The tiles below `end` that may be near enough, those with the nearest numbers first.
    void near(std::int64_t tile, std::int64_t end, std::vector<std::int64_t>& out) const;

  private:
    // Boxes of consecutive parts; each has its lowest numbers, then its highest.
    std::vector<double> merged(const std::vector<double>& parts, std::int64_t size) const;
    bool apart(const double* one, const double* other) const;

    std::int64_t cols_;
    std::int64_t tiles_;
    double power_;
    Power kind_;
    double limit_;
    std::vector<double> boxes_;  // empty where not possible
    std::vector<double> groups_;
};

}  // namespace hornbook
