// Which rows of a tile are within a Euclidean distance of a query, mostly decided in single precision.
//
// The square of a distance is |x|² - 2 x·q + |q|². In single precision its error is at most (d + 2) roundings
// of |x| |q| (Higham 2002, section 3.1), and |x| |q| is at most half of |x|² + |q|². What is farther from the
// limit than four times that bound is decided; the caller computes the rest exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/distance/distances.hpp"

namespace hornbook {

// A query in single precision, and how large a product with a row must be.
struct RoughQuery {
    std::vector<float> numbers;
    float possible = 0.0F;  // a row whose product, less its own number, is below this is not within the limit
    float certain = 0.0F;   // and is within if it is at or above this
};

struct RoughMask {
    std::uint32_t possible;
    std::uint32_t certain;
};

class RoughTiles {
  public:
    // Whether it pays off, and says something: for complete, finite numbers and the Euclidean distance.
    static bool possible(const MixedRows& rows, const Metric& metric);

    // Of the rows in the order of their tiles, for squares of distances up to the limit. Empty if not
    // possible.
    RoughTiles(const MixedRows& rows, const Metric& metric, const std::vector<std::int64_t>& order,
               double limit, int threads);

    bool empty() const { return numbers_.empty(); }
    void set_query(RoughQuery& query, const double* x) const;
    RoughMask measure(const RoughQuery& query, std::int64_t tile) const;
    // The same for several queries, for which the tile is read once.
    static constexpr std::int64_t together = 4;
    void measure(const RoughQuery* const* queries, std::int64_t tile, RoughMask* masks) const;

  private:
    std::int64_t cols_;
    std::int64_t width_;  // columns with padding
    double scale_ = 1.0;
    double limit_;
    double slack_;
    std::vector<double> center_;
    std::vector<float> numbers_;   // transposed tiles
    std::vector<float> possible_;  // half of |x|² of each row, lowered by the slack
    std::vector<float> certain_;   // and raised
};

}  // namespace hornbook
