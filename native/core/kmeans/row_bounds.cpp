#include "core/kmeans/row_bounds.hpp"

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

HORNBOOK_WIDE void mark_doubtful(const std::int32_t* labels, const float* upper, const float* lower,
                                 std::int64_t rows, const float* reach, const float* near, float slack,
                                 float* __restrict new_lower, std::int32_t* __restrict doubtful) {
    for (std::int64_t r = 0; r < rows; ++r) {
        const float bound = (lower[r] - reach[labels[r]]) * bound_less - bound_least;
        const float kept = bound > 0.0F ? bound : 0.0F;
        new_lower[r] = kept;
        const float limit = kept > near[labels[r]] ? kept : near[labels[r]];
        doubtful[r] = upper[r] * slack < limit ? 0 : 1;  // also when a bound is not a number
    }
}

HORNBOOK_WIDE void raise_bounds(const std::int32_t* labels, const float* upper, std::int64_t rows,
                                const float* own, float* __restrict new_upper) {
    for (std::int64_t r = 0; r < rows; ++r) new_upper[r] = (upper[r] + own[labels[r]]) * bound_more;
}

HORNBOOK_WIDE void round_up_roots(const double* squares, std::int64_t rows, float* __restrict upper) {
    for (std::int64_t r = 0; r < rows; ++r)
        upper[r] = static_cast<float>(std::sqrt(squares[r]) * bound_more + bound_least);
}

}  // namespace

RoundedMoves::RoundedMoves(const Matrix<double>& moves, std::int64_t cols)
    : k_(moves.cols),
      tables_(3, k_),
      slack_(1.0F + 0x1p-20F + 2.0F * static_cast<float>(static_cast<double>(cols + 16) * 0x1p-50)) {
    for (std::int64_t c = 0; c < k_; ++c) {
        tables_[c] = rounded_up(moves.row(0)[c]);
        tables_[k_ + c] = rounded_down(moves.row(1)[c]);
        tables_[2 * k_ + c] = rounded_up(moves.row(2)[c]);
    }
}

void RoundedMoves::mark(const std::int32_t* labels, const float* upper, const float* lower, std::int64_t rows,
                        float* new_lower, std::int32_t* doubtful) const {
    mark_doubtful(labels, upper, lower, rows, tables_.data(), tables_.data() + k_, slack_, new_lower,
                  doubtful);
}

void RoundedMoves::raise(const std::int32_t* labels, const float* upper, std::int64_t rows,
                         float* new_upper) const {
    raise_bounds(labels, upper, rows, tables_.data() + 2 * k_, new_upper);
}

void upper_bounds(const double* squares, std::int64_t rows, float* upper) {
    round_up_roots(squares, rows, upper);
}

}  // namespace hornbook
