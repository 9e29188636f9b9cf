// Values of a kernel for some rows (queries) with all rows of a table, computed in blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/svm/table_rows.hpp"

namespace hornbook {

enum class KernelKind : int { linear, polynomial, gaussian, sigmoid, precomputed };

// x.y, (gamma x.y + coef0)^degree, exp(-gamma |x - y|^2), tanh(gamma x.y + coef0); or the rows are values.
struct KernelSpec {
    KernelKind kind;
    double gamma;
    double coef0;
    std::int64_t degree;
};

KernelSpec kernel_spec(int kind, double gamma, double coef0, std::int64_t degree);

// Some rows of a table in transposed groups of eight: neighboring numbers belong to different rows. Rows of
// a sparse table are read where they are.
class KernelRows {
  public:
    static constexpr std::int64_t batch = 8;  // queries at a time
    static constexpr std::int64_t run = 256;  // rows at a time, a multiple of the lanes

    // With precomputed values the table is square, and a query is one of its rows. A sparse table must
    // outlive this.
    KernelRows(const TableRows& table, const std::vector<std::int64_t>& rows, const KernelSpec& spec);

    std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
    std::int64_t stride() const { return stride_; }  // rows with padding
    // Rows of a part of the work: the queries of a sparse table are spread over all columns for each part.
    std::int64_t part() const { return table_.sparse() ? 16 * run : run; }
    // out[k][r] = value of query k, a row of `from`, with row r, for r in [first, last); first is a multiple
    // of the lanes, and up to stride() entries of each out are written.
    void values(const TableRows& from, const std::int64_t* queries, std::int64_t n_queries,
                std::int64_t first, std::int64_t last, double* const* out) const;
    // Value of each row with itself.
    std::vector<double> diagonal(const TableRows& table) const;

  private:
    void copy_values(const TableRows& from, const std::int64_t* queries, std::int64_t n_queries,
                     std::int64_t first, std::int64_t last, double* const* out) const;
    bool is_close(double square) const;
    void sweep(const double* queries, const double* squares, std::int64_t n, std::int64_t first,
               std::int64_t last, double* const* out) const;
    void sweep_sparse(const double* queries, const double* squares, std::int64_t first, std::int64_t last,
                      double* out) const;

    KernelSpec spec_;
    TableRows table_;
    std::vector<std::int64_t> rows_;
    std::int64_t cols_;
    std::int64_t stride_;
    Buffer<double> packed_;
    Buffer<double> squares_;  // |x|^2 of each row, for the Gaussian kernel
    double longest_ = 0.0;    // of them
};

// Value of each query with each row.
Buffer<double> kernel_values(const TableRows& queries, const TableRows& rows, const KernelSpec& spec,
                             int threads);

// out[i][s] = sum over the rows r of segment s of coef[s][r] times value of query i with row r: scores of
// support vector machines before their intercepts. Segment s covers rows [starts[s], starts[s + 1]), and
// each of the `coef.rows` rows of coefficients gives one number: out is (queries, segments, coef.rows).
Buffer<double> kernel_sums(const TableRows& queries, const TableRows& rows, const KernelSpec& spec,
                           const Matrix<double>& coef, const Vector<std::int64_t>& starts, int threads);

}  // namespace hornbook
