#include "core/stats/aode.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/exponent.hpp"
#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stats/levels.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

// One parent's tables serve this many rows before the next parent's replace them in the L1 cache.
constexpr std::int64_t run_rows = 256;
constexpr double never = -std::numeric_limits<double>::infinity();

void check_tables(const AodeTables& tables, const Matrix<std::int32_t>& codes, std::int64_t levels) {
    const std::int64_t classes = tables.log_parent.cols;
    if (tables.log_parent.rows != levels)
        refuse("log_parent must have one row per level; it has ", tables.log_parent.rows, " for ", levels,
               ".");
    if (tables.usable.size != levels)
        refuse("usable must have one entry per level; it has ", tables.usable.size, " for ", levels, ".");
    if (tables.log_pair.rows != checked_product(levels, levels) || tables.log_pair.cols != classes)
        refuse("log_pair must have one row per pair of levels and one column per class; it is ",
               tables.log_pair.rows, " x ", tables.log_pair.cols, " for ", levels, " levels and ", classes,
               " classes.");
    if (tables.extra != nullptr &&
        (tables.extra->rows != codes.rows || tables.extra->cols != codes.cols * classes))
        refuse("extra must have one row per row and one column per column and class; it is ",
               tables.extra->rows, " x ", tables.extra->cols, ".");
}

// A run of rows. Fixed is the number of classes if known at compile time, else 0.
template <std::int64_t Fixed>
class Run {
  public:
    Run(const Matrix<std::int32_t>& codes, const std::vector<std::int64_t>& offsets, const AodeTables& tables,
        std::int64_t first, std::int64_t last)
        : codes_(codes),
          offsets_(offsets),
          tables_(tables),
          first_(first),
          rows_(last - first),
          known_(rows_, codes.cols),
          n_known_(rows_) {
        const std::int64_t* starts = offsets.data();
        for (std::int64_t i = 0; i < rows_; ++i) {
            const std::int32_t* row = codes.row(first + i);
            std::uint32_t* known = known_.data() + i * codes.cols;
            for (std::int64_t j = 0; j < codes.cols; ++j) {
                *known = static_cast<std::uint32_t>((starts[j] + row[j]) * classes());
                known += row[j] >= 0 ? 1 : 0;  // the next level overwrites a missing one
            }
            n_known_[i] = known - (known_.data() + i * codes.cols);
        }
    }

    std::int64_t classes() const { return Fixed > 0 ? Fixed : tables_.log_parent.cols; }

    // The terms of all rows with one column as parent, `step` numbers from row to row. Increments `parents`,
    // unless null, for the rows in which the column can be a parent.
    void terms(std::int64_t column, double* out, std::int64_t step, std::int32_t* parents) const {
        stop_point();
        const std::int64_t levels = offsets_.back();
        for (std::int64_t i = 0; i < rows_; ++i, out += step) {
            const std::int32_t code = codes_.row(first_ + i)[column];
            const std::int64_t level = offsets_.data()[column] + code;
            if (code < 0 || tables_.usable.data[level] == 0) {
                std::fill_n(out, classes(), never);
                continue;
            }
            if (parents != nullptr) ++parents[i];
            std::copy_n(tables_.log_parent.row(level), classes(), out);
            if (tables_.extra != nullptr) {
                const double* more = tables_.extra->row(first_ + i) + column * classes();
                for (std::int64_t c = 0; c < classes(); ++c) out[c] += more[c];
            }
            add_pairs(tables_.log_pair.row(level * levels), known_.data() + i * codes_.cols, n_known_[i],
                      out);
        }
    }

  private:
    static void add(const double* __restrict from, double* __restrict to) {
        for (std::int64_t c = 0; c < Fixed; ++c) to[c] += from[c];
    }

    void add_pairs(const double* __restrict pairs, const std::uint32_t* __restrict known, std::int64_t n,
                   double* __restrict term) const {
        if constexpr (Fixed > 0) {
            double sums[4][Fixed] = {};  // four independent sums hide the latency of additions
            std::int64_t q = 0;
            for (; q + 4 <= n; q += 4)
                for (std::int64_t k = 0; k < 4; ++k) add(pairs + known[q + k], sums[k]);
            for (; q < n; ++q) add(pairs + known[q], sums[0]);
            add(sums[1], sums[0]);
            add(sums[3], sums[2]);
            add(sums[2], sums[0]);
            add(sums[0], term);
        } else {
            for (std::int64_t q = 0; q < n; ++q)
                for (std::int64_t c = 0; c < classes(); ++c) term[c] += pairs[known[q] + c];
        }
    }

    const Matrix<std::int32_t>& codes_;
    const std::vector<std::int64_t>& offsets_;
    const AodeTables& tables_;
    std::int64_t first_;
    std::int64_t rows_;
    Buffer<std::uint32_t> known_;  // offsets of each row's known levels in a parent's pair table
    Buffer<std::int64_t> n_known_;
};

// Log-sum-exp over the terms of each of `size` entries (a multiple of eight); -inf without a term.
HORNBOOK_WIDE void log_sum_exp(const double* terms, std::int64_t n_terms, std::int64_t size, double* out) {
    for (std::int64_t at = 0; at < size; at += lanes) {
        Lanes top = Lanes{} + never;
        for (std::int64_t p = 0; p < n_terms; ++p) {
            Lanes term;
            std::memcpy(&term, terms + p * size + at, sizeof term);
            top = term > top ? term : top;
        }
        Lanes sum{};
        for (std::int64_t p = 0; p < n_terms; ++p) {
            Lanes term;
            std::memcpy(&term, terms + p * size + at, sizeof term);
            term -= top;
            exponentiate(term);
            sum += term;
        }
        for (std::int64_t k = 0; k < lanes; ++k)
            out[at + k] = std::isfinite(top[k]) ? top[k] + std::log(sum[k]) : top[k];
    }
}

// Calls fn with runs of 256 rows.
template <std::int64_t Fixed, class Fn>
void for_each_run(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
                  const std::vector<std::int64_t>& offsets, const AodeTables& tables, int threads, Fn fn) {
    parallel_rows(codes.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        check_codes(codes, n_levels, first, last);
        fn(Run<Fixed>(codes, offsets, tables, first, last), first, last);
    });
}

template <class Fn>
void dispatch(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
              const AodeTables& tables, int threads, Fn fn) {
    check_levels(codes, n_levels);
    const std::vector<std::int64_t> offsets = level_offsets(n_levels);
    check_tables(tables, codes, offsets.back());
    switch (tables.log_parent.cols) {
        case 2:
            return for_each_run<2>(codes, n_levels, offsets, tables, threads, fn);
        case 3:
            return for_each_run<3>(codes, n_levels, offsets, tables, threads, fn);
        case 4:
            return for_each_run<4>(codes, n_levels, offsets, tables, threads, fn);
        case 6:
            return for_each_run<6>(codes, n_levels, offsets, tables, threads, fn);
        default:
            return for_each_run<0>(codes, n_levels, offsets, tables, threads, fn);
    }
}

}  // namespace

Buffer<double> aode_terms(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
                          const AodeTables& tables, int threads) {
    const std::int64_t classes = tables.log_parent.cols;
    const std::int64_t width = checked_product(codes.cols, classes);
    Buffer<double> out(codes.rows, width);
    dispatch(codes, n_levels, tables, threads, [&](const auto& run, std::int64_t first, std::int64_t) {
        for (std::int64_t j = 0; j < codes.cols; ++j)
            run.terms(j, out.data() + first * width + j * classes, width, nullptr);
    });
    return out;
}

AodeJoint aode_joint(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
                     const AodeTables& tables, int threads) {
    const std::int64_t classes = tables.log_parent.cols;
    AodeJoint out{Buffer<double>(codes.rows, classes), Buffer<std::int32_t>(codes.rows)};
    dispatch(codes, n_levels, tables, threads, [&](const auto& run, std::int64_t first, std::int64_t last) {
        const std::int64_t size = ((last - first) * classes + lanes - 1) / lanes * lanes;
        Buffer<double> terms(codes.cols, size, never);
        Buffer<double> sums(size);
        std::fill_n(out.parents.data() + first, last - first, 0);
        for (std::int64_t j = 0; j < codes.cols; ++j)
            run.terms(j, terms.data() + j * size, classes, out.parents.data() + first);
        log_sum_exp(terms.data(), codes.cols, size, sums.data());
        std::copy_n(sums.data(), (last - first) * classes, out.joint.data() + first * classes);
    });
    return out;
}

}  // namespace hornbook
