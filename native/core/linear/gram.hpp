// Weighted Gram matrices X' diag(h) X, the bulk of the work in least squares and Newton's method.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/stop.hpp"

namespace hornbook {

// Some rows, transposed to column after column: neighboring numbers belong to different rows, so that every
// loop over rows vectorizes. A column of ones for the intercept follows those of x.
class RowTile {
  public:
    static constexpr std::int64_t most_rows = 128;

    explicit RowTile(std::int64_t cols);

    // The rows, minus the center unless it is null; the rest of the tile is zero, also in the column of ones.
    void load(const double* x, std::int64_t rows, const double* center = nullptr);
    // The same piece by piece: clear() zeroes all columns; put() then stores columns of one row, minus their
    // means and times a factor. A factor of 0 stores zeros even where the row is not finite.
    void clear(std::int64_t rows);
    void put(std::int64_t row, std::int64_t first, const double* x, const double* mean, std::int64_t cols,
             double factor);
    // out[row] = sum over columns of coef[column] * x[row, column]; coef has one entry more, for the ones.
    void scores(const double* coef, double* out) const;
    // sums[column] += sum over rows of r[row] * x[row, column]
    void add_products(const double* r, double* sums) const;
    // The same for several scores: rows of coef and sums, and most_rows numbers of out and r, belong to each.
    void scores(const double* coef, std::int64_t n, double* out);
    void add_products(const double* r, std::int64_t n, double* sums);
    // Multiplies every row by its factor; add_gram then adds X'X to the upper triangle of a square matrix.
    void scale(const double* factor);
    void add_gram(double* sums) { add_gram(*this, sums, width_); }
    // Adds X' diag(factor) X, factors of any sign, to the upper triangle of a matrix with rows `stride`
    // apart; `scaled` is written over.
    void add_gram(const double* factor, RowTile& scaled, double* sums, std::int64_t stride) const;

    std::int64_t width() const { return width_; }  // the column of ones included

  private:
    void add_gram(const RowTile& other, double* sums, std::int64_t stride);

    std::int64_t width_;
    std::int64_t blocks_;  // of columns, the last padded with zeros
    Buffer<double> tile_;
    Pace pace_;
};

// Copies the upper triangle of a square matrix to the lower one.
void mirror(double* sums, std::int64_t width);

// (X, 1)' diag(h) (X, 1) for h >= 0; of width cols + 1.
Buffer<double> weighted_gram(const Matrix<double>& x, const Vector<double>& h);

}  // namespace hornbook
