// Distances between rows of numbers and categories, computed for a tile of rows at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// NaN and -1 are missing. Both parts have the same number of rows; either may have no columns.
struct MixedRows {
    Matrix<double> numbers;
    Matrix<std::int32_t> codes;
};

// What a column adds to the distance of two rows. Numbers add |a - b|^power. Two codes add steps[column] if
// they differ; with profiles, steps[column] times the sum over the profile of |a - b|^power (value difference
// metric, Stanfill and Waltz 1986). Power 0 counts the columns that differ, an infinite power takes the
// largest column instead of the sum. A column that is missing in one of the rows is left out and the sum is
// scaled up by the total of all shares over that of the columns present. Rows without a common column are
// infinitely far apart.
struct Metric {
    double power;
    Vector<double> shares;          // one for each number, then one for each code
    Vector<double> steps;           // one for each code
    Vector<std::int32_t> n_levels;  // one for each code
    Matrix<double> profiles;        // one row for each level of each column of codes; no columns: no profiles
};

enum class Power { count, one, two, largest, any };

Power power_of(double power);

// The distance whose power is `powered`. Kernels compare powers, which saves the roots.
double root(double powered, double power);
// The same in place for all numbers of a tile.
void take_roots(double* powered, double power);

// Reject what would make a kernel read beyond its arrays.
void check_metric(const MixedRows& rows, const Metric& metric);
void check_alike(const MixedRows& rows, const MixedRows& queries);

// Rows in transposed tiles: neighboring numbers belong to different rows.
class Tiles {
  public:
    static constexpr std::int64_t size = 32;

    // In the given order of the rows; without one, in their own.
    Tiles(const MixedRows& rows, const std::int64_t* order, int threads);

    std::int64_t rows() const { return rows_; }
    std::int64_t count() const { return (rows_ + size - 1) / size; }
    std::int64_t cells() const { return size * (n_numbers_ + n_codes_); }  // of one tile
    std::int64_t filled(std::int64_t tile) const {
        return rows_ - tile * size < size ? rows_ - tile * size : size;
    }
    // One bit for each row of a tile.
    std::uint32_t places(std::int64_t tile) const { return ~std::uint32_t{0} >> (size - filled(tile)); }
    bool complete() const { return complete_; }
    const double* numbers(std::int64_t tile) const { return numbers_.data() + tile * size * n_numbers_; }
    const std::int32_t* codes(std::int64_t tile) const { return codes_.data() + tile * size * n_codes_; }

  private:
    std::int64_t rows_;
    std::int64_t n_numbers_;
    std::int64_t n_codes_;
    bool complete_;
    Buffer<double> numbers_;
    Buffer<std::int32_t> codes_;
};

// Distances from one query at a time to the rows of tiles. Each thread has its own.
class DistanceComputer {
  public:
    DistanceComputer(const Metric& metric, const MixedRows& queries, bool tiles_complete);

    void set_query(std::int64_t query);
    // Powered distances from the query to the rows of a tile; `out` has room for a whole tile. Returns one
    // bit for each row within the limit.
    std::uint32_t measure(const Tiles& tiles, std::int64_t tile, double limit, double* out) const;

  private:
    void fill_level_costs();
    void add_codes(const std::int32_t* codes, double* out) const;
    void measure_present(const double* numbers, const std::int32_t* codes, double* out) const;

    const Metric& metric_;
    const MixedRows& queries_;
    const Power kind_;
    const bool tiles_complete_;
    double total_share_ = 0.0;
    bool complete_ = true;
    const double* numbers_ = nullptr;
    const std::int32_t* codes_ = nullptr;
    std::vector<std::int64_t> offsets_;  // of each column of codes in costs_; slot 0 is for missing
    std::vector<double> costs_;          // of every level against the query's
};

// All distances, one row of the result for each query.
Buffer<double> pairwise(const MixedRows& rows, const MixedRows& queries, const Metric& metric, int threads);

}  // namespace hornbook
