#include "core/svm/kernel_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/exponent.hpp"
#include "core/base/parallel.hpp"
#include "core/base/product_tiles.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t batch = KernelRows::batch;
constexpr std::int64_t run = KernelRows::run;
typedef double LooseLanes __attribute__((vector_size(64), aligned(8), may_alias));
constexpr double most_length = 1e3;  // gamma |x|^2 up to which |x - q|^2 may be taken from products

[[gnu::always_inline]] inline void start_at_zero(Lanes& sum, std::int64_t) { sum = Lanes{}; }

HORNBOOK_WIDE void sweep_products(const double* packed, std::int64_t cols, const double* queries,
                                  std::int64_t groups, double* out) {
    sweep_groups<Lanes, batch>(packed, cols, queries, groups, out, run, start_at_zero,
                               [](Lanes& sum, const Lanes& x, double q) { sum += x * q; });
}

// Differences, of which nothing cancels.
HORNBOOK_WIDE void sweep_gaps(const double* packed, std::int64_t cols, const double* queries,
                              std::int64_t groups, double* out) {
    sweep_groups<Lanes, batch>(packed, cols, queries, groups, out, run, start_at_zero,
                               [](Lanes& sum, const Lanes& x, double q) {
                                   const Lanes gap = x - q;
                                   sum += gap * gap;
                               });
}

HORNBOOK_WIDE void apply_gaussian(const double* in, std::int64_t n, double gamma, double* out) {
    for (std::int64_t i = 0; i < n; i += lanes) {
        Lanes x = *reinterpret_cast<const Lanes*>(in + i) * -gamma;
        exponentiate(x);
        *reinterpret_cast<Lanes*>(out + i) = x;
    }
}

// From products x.q: |x - q|^2 = |x|^2 + |q|^2 - 2 x.q takes fewer operations than differences. Squares are
// summed in the order of products, so that a row has value 1 with itself.
HORNBOOK_WIDE void apply_gaussian_to_products(const double* in, const double* squares, double square,
                                              std::int64_t n, double gamma, double* out) {
    for (std::int64_t i = 0; i < n; i += lanes) {
        Lanes x = (*reinterpret_cast<const Lanes*>(squares + i) + square) -
                  2.0 * *reinterpret_cast<const Lanes*>(in + i);
        x = (x > 0.0 ? x : Lanes{}) * -gamma;
        exponentiate(x);
        *reinterpret_cast<Lanes*>(out + i) = x;
    }
}

// tanh z = sign(z) (1 - e) / (1 + e) with e = exp(-2 |z|).
HORNBOOK_WIDE void apply_sigmoid(const double* in, std::int64_t n, double gamma, double coef0, double* out) {
    for (std::int64_t i = 0; i < n; i += lanes) {
        const Lanes z = *reinterpret_cast<const Lanes*>(in + i) * gamma + coef0;
        Lanes e = (z < 0.0 ? z : -z) * 2.0;
        exponentiate(e);
        const Lanes size = (1.0 - e) / (1.0 + e);
        *reinterpret_cast<Lanes*>(out + i) = z < 0.0 ? -size : size;
    }
}

// By squaring, so that all instruction sets give the same bits.
HORNBOOK_WIDE void apply_polynomial(const double* in, std::int64_t n, const KernelSpec& spec, double* out) {
    for (std::int64_t i = 0; i < n; i += lanes) {
        Lanes base = *reinterpret_cast<const Lanes*>(in + i) * spec.gamma + spec.coef0;
        Lanes power = Lanes{} + 1.0;
        for (std::int64_t left = spec.degree; left > 0; left >>= 1) {
            if (left & 1) power *= base;
            if (left > 1) base *= base;
        }
        *reinterpret_cast<Lanes*>(out + i) = power;
    }
}

void apply(const KernelSpec& spec, const double* in, std::int64_t n, double* out) {
    switch (spec.kind) {
        case KernelKind::gaussian:
            return apply_gaussian(in, n, spec.gamma, out);
        case KernelKind::sigmoid:
            return apply_sigmoid(in, n, spec.gamma, spec.coef0, out);
        case KernelKind::polynomial:
            return apply_polynomial(in, n, spec, out);
        default:
            std::copy_n(in, n, out);
    }
}

// Sums of the products of stored numbers with a batch of queries, and of their squares. Cells that are not
// stored add nothing, so that products have the bits of those of all cells.
HORNBOOK_WIDE void sweep_stored(const double* values, const std::int32_t* columns, std::int64_t n,
                                const double* queries, double* out) {
    Lanes sums = {};
    double square = 0.0;
    for (std::int64_t j = 0; j < n; ++j) {
        sums += values[j] * *reinterpret_cast<const Lanes*>(queries + columns[j] * batch);
        square += values[j] * values[j];
    }
    for (std::int64_t k = 0; k < batch; ++k) out[k] = sums[k];
    out[batch] = square;
}

// Puts a row into its place among interleaved queries; returns the sum of squares.
double spread(const TableRows& from, std::int64_t row, std::int64_t k, double* interleaved) {
    double square = 0.0;
    if (!from.sparse()) {
        const double* x = from.row(row);
        for (std::int64_t j = 0; j < from.cols; ++j) {
            interleaved[j * batch + k] = x[j];
            square += x[j] * x[j];
        }
        return square;
    }
    for (std::int64_t j = from.offsets[row]; j < from.offsets[row + 1]; ++j) {
        interleaved[from.columns[j] * batch + k] = from.values[j];
        square += from.values[j] * from.values[j];
    }
    return square;
}

// Takes a sparse row away again.
void clear(const TableRows& from, std::int64_t row, std::int64_t k, double* interleaved) {
    if (!from.sparse()) return;
    for (std::int64_t j = from.offsets[row]; j < from.offsets[row + 1]; ++j)
        interleaved[from.columns[j] * batch + k] = 0.0;
}

}  // namespace

KernelSpec kernel_spec(int kind, double gamma, double coef0, std::int64_t degree) {
    if (kind < 0 || kind > static_cast<int>(KernelKind::precomputed))
        refuse("kind must be 0 to 4; got ", kind, ".");
    if (!std::isfinite(gamma) || !std::isfinite(coef0)) refuse("gamma and coef0 must be finite numbers.");
    if (degree < 1) refuse("degree must be 1 or above; got ", degree, ".");
    return {static_cast<KernelKind>(kind), gamma, coef0, degree};
}

KernelRows::KernelRows(const TableRows& table, const std::vector<std::int64_t>& rows, const KernelSpec& spec)
    : spec_(spec),
      table_(table),
      rows_(rows),
      cols_(table.cols),
      stride_((size() + lanes - 1) / lanes * lanes),
      packed_(spec.kind == KernelKind::precomputed || table.sparse() ? 0 : stride_, table.cols, 0.0),
      squares_(spec.kind == KernelKind::gaussian && !table.sparse() ? stride_ : 0, 1, 0.0) {
    if (packed_.size() == 0) return;
    for (std::int64_t r = 0; r < size(); ++r) {
        const double* x = table.row(rows_[static_cast<std::size_t>(r)]);
        double* place = packed_.data() + r / lanes * lanes * cols_ + r % lanes;
        double square = 0.0;
        for (std::int64_t j = 0; j < cols_; ++j) {
            place[j * lanes] = x[j];
            square += x[j] * x[j];
        }
        if (squares_.size() > 0) squares_[r] = square;
        longest_ = std::max(longest_, square);
    }
}

// Whether rows and query are so short that what rounding leaves of their squares does not matter.
bool KernelRows::is_close(double square) const {
    return std::abs(spec_.gamma) * std::max(square, longest_) <= most_length;
}

void KernelRows::copy_values(const TableRows& from, const std::int64_t* queries, std::int64_t n_queries,
                             std::int64_t first, std::int64_t last, double* const* out) const {
    for (std::int64_t k = 0; k < n_queries; ++k) {
        const double* values = from.row(queries[k]);
        for (std::int64_t r = first; r < std::min(last, size()); ++r)
            out[k][r] = values[rows_[static_cast<std::size_t>(r)]];
        for (std::int64_t r = std::max(first, size()); r < last; ++r) out[k][r] = 0.0;
    }
}

// Sums of a run of sparse rows with a batch of queries that are spread over all columns.
void KernelRows::sweep_sparse(const double* queries, const double* squares, std::int64_t first,
                              std::int64_t last, double* out) const {
    for (std::int64_t r = first; r < last; ++r) {
        double sums[batch + 1] = {};
        if (r < size()) {
            const std::int64_t row = rows_[static_cast<std::size_t>(r)];
            const std::int64_t from = table_.offsets[row];
            sweep_stored(table_.values + from, table_.columns + from, table_.offsets[row + 1] - from, queries,
                         sums);
        }
        for (std::int64_t k = 0; k < batch; ++k)
            out[k * run + r - first] = spec_.kind == KernelKind::gaussian
                                           ? std::max(sums[batch] + squares[k] - 2.0 * sums[k], 0.0)
                                           : sums[k];
    }
}

// Values of a run of rows with n queries. How one is computed depends on that query alone, never on the
// others of its batch.
void KernelRows::sweep(const double* queries, const double* squares, std::int64_t n, std::int64_t first,
                       std::int64_t last, double* const* out) const {
    alignas(64) double products[batch * run], gaps[batch * run];
    const std::int64_t filled = last - first;
    const double* rows = packed_.data() + first * cols_;
    const bool gaussian = spec_.kind == KernelKind::gaussian && !table_.sparse();
    const std::int64_t close =
        gaussian ? std::count_if(squares, squares + n, [&](double square) { return is_close(square); }) : n;
    if (table_.sparse())
        sweep_sparse(queries, squares, first, last, products);
    else if (close > 0)
        sweep_products(rows, cols_, queries, filled / lanes, products);
    if (close < n) sweep_gaps(rows, cols_, queries, filled / lanes, gaps);
    for (std::int64_t k = 0; k < n; ++k) {
        double* to = out[k] + first;
        if (!gaussian)
            apply(spec_, products + k * run, filled, to);
        else if (is_close(squares[k]))
            apply_gaussian_to_products(products + k * run, squares_.data() + first, squares[k], filled,
                                       spec_.gamma, to);
        else
            apply_gaussian(gaps + k * run, filled, spec_.gamma, to);
    }
}

void KernelRows::values(const TableRows& from, const std::int64_t* queries, std::int64_t n_queries,
                        std::int64_t first, std::int64_t last, double* const* out) const {
    last = (last + lanes - 1) / lanes * lanes;
    if (spec_.kind == KernelKind::precomputed) return copy_values(from, queries, n_queries, first, last, out);
    Buffer<double> interleaved(batch, cols_, 0.0);
    double squares[batch] = {};
    for (std::int64_t q = 0; q < n_queries; q += batch) {
        const std::int64_t n = std::min(batch, n_queries - q);
        for (std::int64_t k = 0; k < n; ++k) squares[k] = spread(from, queries[q + k], k, interleaved.data());
        for (std::int64_t r = first; r < last; r += run) {
            const std::int64_t filled = std::min(run, last - r);
            sweep(interleaved.data(), squares, n, r, r + filled, out + q);
        }
        for (std::int64_t k = 0; k < n; ++k) clear(from, queries[q + k], k, interleaved.data());
    }
}

std::vector<double> KernelRows::diagonal(const TableRows& table) const {
    std::vector<double> own(rows_.size());
    alignas(64) double one[lanes] = {};
    for (std::size_t r = 0; r < own.size(); ++r) {
        if (spec_.kind == KernelKind::precomputed) {
            own[r] = table.row(rows_[r])[rows_[r]];
            continue;
        }
        one[0] = 0.0;
        if (spec_.kind != KernelKind::gaussian) {
            const std::int64_t from = table.sparse() ? table.offsets[rows_[r]] : rows_[r] * cols_;
            const std::int64_t to = table.sparse() ? table.offsets[rows_[r] + 1] : from + cols_;
            for (std::int64_t j = from; j < to; ++j) one[0] += table.values[j] * table.values[j];
        }
        alignas(64) double value[lanes];
        apply(spec_, one, lanes, value);
        own[r] = value[0];
    }
    return own;
}

namespace {

KernelRows packed_rows(const TableRows& queries, const TableRows& rows, const KernelSpec& spec) {
    const std::int64_t cols = spec.kind == KernelKind::precomputed ? rows.rows : rows.cols;
    if (rows.sparse() && !queries.sparse()) refuse("queries of a sparse table must be sparse.");
    if (queries.sparse() && spec.kind == KernelKind::precomputed)
        refuse("precomputed values must be a matrix, not a sparse one.");
    if (queries.cols != cols) refuse("queries must have ", cols, " columns; they have ", queries.cols, ".");
    std::vector<std::int64_t> all(static_cast<std::size_t>(rows.rows));
    std::iota(all.begin(), all.end(), 0);
    return {rows, all, spec};
}

// out[c] += sum over i in [from, to) of values[i] coef[c][i], for `n` rows of coefficients from `c` on: eight
// sums side by side for each, as additions wait for each other, and each value is read once for all.
template <int n>
[[gnu::always_inline]] inline void add_block(const double* values, const Matrix<double>& coef, std::int64_t c,
                                             std::int64_t from, std::int64_t to, double* out) {
    const double* weights[n];
    Lanes sums[n] = {};
    for (int b = 0; b < n; ++b) weights[b] = coef.row(c + b);
    std::int64_t i = from;
    for (; i + lanes <= to; i += lanes) {
        const Lanes x = *reinterpret_cast<const LooseLanes*>(values + i);
        for (int b = 0; b < n; ++b) sums[b] += x * *reinterpret_cast<const LooseLanes*>(weights[b] + i);
    }
    for (int b = 0; b < n; ++b) {
        double rest = 0.0;
        for (std::int64_t r = i; r < to; ++r) rest += values[r] * weights[b][r];
        const Lanes& s = sums[b];
        out[c + b] += (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))) + rest;
    }
}

// The same for all rows of coefficients and n queries, whose values are `run` apart and sums `width`. A block
// of coefficients stays in the nearest cache for all queries.
HORNBOOK_WIDE void add_products(const double* values, std::int64_t n, const Matrix<double>& coef,
                                std::int64_t from, std::int64_t to, double* out, std::int64_t width) {
    std::int64_t c = 0;
    for (; c + 4 <= coef.rows; c += 4)
        for (std::int64_t k = 0; k < n; ++k)
            add_block<4>(values + k * run, coef, c, from, to, out + k * width);
    for (; c < coef.rows; ++c)
        for (std::int64_t k = 0; k < n; ++k)
            add_block<1>(values + k * run, coef, c, from, to, out + k * width);
}

}  // namespace

Buffer<double> kernel_values(const TableRows& queries, const TableRows& rows, const KernelSpec& spec,
                             int threads) {
    const KernelRows packed = packed_rows(queries, rows, spec);
    Buffer<double> out(queries.rows, rows.rows);
    parallel_rows(queries.rows, batch, threads, [&](std::int64_t first, std::int64_t last) {
        alignas(64) double values[batch * run];
        std::int64_t x[batch];
        double* places[batch];
        for (std::int64_t k = 0; k < last - first; ++k) x[k] = first + k;
        for (std::int64_t r = 0; r < packed.size(); r += run) {
            const std::int64_t end = std::min(r + run, packed.size());
            for (std::int64_t k = 0; k < last - first; ++k) places[k] = values + k * run - r;
            packed.values(queries, x, last - first, r, end, places);
            for (std::int64_t k = 0; k < last - first; ++k)
                std::copy_n(values + k * run, end - r, out.data() + (first + k) * rows.rows + r);
        }
    });
    return out;
}

Buffer<double> kernel_sums(const TableRows& queries, const TableRows& rows, const KernelSpec& spec,
                           const Matrix<double>& coef, const Vector<std::int64_t>& starts, int threads) {
    if (coef.cols != rows.rows)
        refuse("coef must have one column per row; it has ", coef.cols, " for ", rows.rows, ".");
    if (coef.rows < 1) refuse("coef must have at least one row.");
    const std::int64_t segments = starts.size - 1;
    if (segments < 1 || starts.data[0] != 0 || starts.data[segments] != rows.rows)
        refuse("starts must begin with 0 and end with the number of rows.");
    for (std::int64_t s = 0; s < segments; ++s)
        if (starts.data[s] > starts.data[s + 1]) refuse("starts must not fall.");
    const KernelRows packed = packed_rows(queries, rows, spec);
    const std::int64_t width = checked_product(segments, coef.rows);
    Buffer<double> out(queries.rows, width, 0.0);
    parallel_rows(queries.rows, batch, threads, [&](std::int64_t first, std::int64_t last) {
        const std::int64_t n = last - first;
        alignas(64) double values[batch * run];
        std::int64_t x[batch];
        double* places[batch];
        for (std::int64_t k = 0; k < n; ++k) x[k] = first + k;
        for (std::int64_t r = 0; r < packed.size(); r += run) {
            const std::int64_t end = std::min(r + run, packed.size());
            // The kernel writes at its row's index: shifted so that the run starts at the buffer.
            for (std::int64_t k = 0; k < n; ++k) places[k] = values + k * run - r;
            packed.values(queries, x, n, r, end, places);
            for (std::int64_t s = 0; s < segments; ++s) {
                const std::int64_t from = std::max(r, starts.data[s]);
                const std::int64_t to = std::min(end, starts.data[s + 1]);
                double* sums = out.data() + first * width + s * coef.rows;
                if (from < to) add_products(values - r, n, coef, from, to, sums, width);
            }
        }
    });
    return out;
}

}  // namespace hornbook
