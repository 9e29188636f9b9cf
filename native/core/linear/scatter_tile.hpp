// Sums of products of columns, X'X, over rows that are put in one after the other.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/stop.hpp"

namespace hornbook {

// Rows are kept in panels of eight columns, each panel row after row: the products of two panels then read
// their numbers in order. Each is added to its own sum, row after row, so that the sums are the same on every
// machine. The last panel is padded; what its padding holds goes nowhere.
class ScatterTile {
  public:
    explicit ScatterTile(std::int64_t cols);

    // Columns of the current row from `first` on, minus their means and times a factor. A factor of 0 makes
    // them 0 even where they are not finite. next_row() follows when all columns are put.
    void put(std::int64_t first, const double* x, const double* mean, std::int64_t cols, double factor);
    void next_row();

    // Whole rows at once, minus a shift, times the root of their weight unless w is null. Reads up to seven
    // numbers past the last row; shift and sums, to which weight * (row - shift) is added, are padded to
    // width().
    template <typename Number>  // double or float
    void put_rows(const Number* x, std::int64_t rows, const double* w, const double* shift, double* sums);

    // The sums as a symmetric matrix of cols x cols, row-major; given the sums that put_rows() added up,
    // those of products of deviations from the mean instead of the shift.
    void finish(double* out, const double* sums = nullptr, double mass = 1.0);

    std::int64_t width() const;                            // columns with padding
    std::int64_t most_rows() const { return most_rows_; }  // of one tile

  private:
    void add_products(const void* ahead = nullptr, std::int64_t row_bytes = 0);

    std::int64_t cols_;
    std::int64_t panels_;
    std::int64_t most_rows_;
    std::int64_t rows_ = 0;
    Buffer<double> tile_;
    Buffer<double> roots_;  // of the weights of rows
    Buffer<double> sums_;   // 8 x 8 for each panel and each one up to it
    Pace pace_;
};

}  // namespace hornbook
