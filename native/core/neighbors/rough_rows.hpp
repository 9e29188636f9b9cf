// How close rows are to queries, in single precision and with bounds on the error.
//
// Half the square of a distance is |x|²/2 + |q|²/2 - x·q, so the rows nearest to a query are those with the
// largest score x·q - |x|²/2. Summed in single precision, a score is wrong by at most (d + 3) roundings of
// |x|² + |q|² (Higham 2002, section 3.1). Whole numbers that are not too large have no rounding at all.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"

namespace hornbook {

// A batch of queries, interleaved, and what their scores need.
struct RoughQueries {
    static constexpr std::int64_t batch = 12;

    std::int64_t count = 0;
    std::vector<float> numbers = {};
    double squares[batch] = {};  // |q|²
    double errors[batch] = {};
};

class RoughRows {
  public:
    static constexpr std::int64_t group = 8;  // rows
    static constexpr std::int64_t run = 256;  // rows that are scored at a time

    RoughRows(const Matrix<double>& rows, const Matrix<double>& queries, int threads);

    // Whether scores say anything: not about missing numbers, nor about those that no square can hold.
    bool usable() const { return usable_; }
    // Whether scores have no error.
    bool exact() const { return exact_; }
    // Error of a row; that of a score is at most its row's and its query's together.
    double error(std::int64_t row) const { return relative_error_ * static_cast<double>(squares_[row]); }
    double largest_error() const { return largest_error_; }

    // Takes queries [first, last), at most a batch.
    void prepare(const Matrix<double>& queries, std::int64_t first, std::int64_t last,
                 RoughQueries& out) const;
    // scores[k * run + r] = score of query k with row first + r, raised by the error of the row. `first` is a
    // multiple of `run`; up to the end of the rows, or of the run.
    void score(const RoughQueries& queries, std::int64_t first, float* scores) const;

  private:
    void inspect(const Matrix<double>& rows, const Matrix<double>& queries);
    void pack(const Matrix<double>& rows, int threads);

    std::int64_t rows_;
    std::int64_t cols_;
    bool usable_ = false;
    bool exact_ = false;
    double scale_ = 1.0;
    double relative_error_ = 0.0;
    double least_error_ = 0.0;
    double largest_error_ = 0.0;
    std::vector<double> center_;
    Buffer<float> packed_;   // groups of rows
    Buffer<float> starts_;   // what a score begins with
    Buffer<float> squares_;  // |x|²
};

}  // namespace hornbook
