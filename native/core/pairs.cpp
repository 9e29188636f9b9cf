#include "core/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/levels.hpp"
#include "core/parallel.hpp"
#include "core/refuse.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run_rows = 1024;

void check_rows(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y, const Vector<double>* w,
                std::int64_t n_classes) {
    if (n_classes < 1) refuse("n_classes must be at least 1; got ", n_classes, ".");
    if (y.size != codes.rows)
        refuse("y must have one entry per row of codes; it has ", y.size, " for ", codes.rows, " rows.");
    for (std::int64_t i = 0; i < y.size; ++i)
        if (y.data[i] < 0 || y.data[i] >= n_classes)
            refuse("y must hold classes from 0 to ", n_classes - 1, "; row ", i, " has ", y.data[i], ".");
    if (w == nullptr) return;
    if (w->size != codes.rows)
        refuse("w must have one entry per row of codes; it has ", w->size, " for ", codes.rows, " rows.");
    for (std::int64_t i = 0; i < w->size; ++i)
        if (!(w->data[i] >= 0.0 && std::isfinite(w->data[i])))
            refuse("w must hold finite weights of at least 0; row ", i, " has ", w->data[i], ".");
}

// The pairs of one parent column; a missing code (-1) of the other finds a spare slot that is not copied.
struct Counter {
    const Matrix<std::int32_t>& codes;
    const std::int32_t* y;
    const double* w;
    const Vector<std::int32_t>& n_levels;
    std::int64_t n_classes;

    void count(std::int64_t parent, double* out, std::int64_t out_step) const {
        const std::vector<std::int64_t> slots = level_offsets(n_levels, 1);
        const std::int64_t width = slots.back();
        const std::int64_t levels = n_levels.data[parent];
        Buffer<double> sums(checked_product(n_classes, levels), width, 0.0);
        const std::int64_t cols = codes.cols;
        for (std::int64_t i = 0; i < codes.rows; ++i) {
            const std::int32_t* row = codes.row(i);
            if (row[parent] < 0) continue;
            const double weight = w == nullptr ? 1.0 : w[i];
            double* line = sums.data() + (y[i] * levels + row[parent]) * width + 1;
            for (std::int64_t j = 0; j < cols; ++j)
                line[slots[static_cast<std::size_t>(j)] + row[j]] += weight;
        }
        for (std::int64_t c = 0; c < n_classes; ++c)
            for (std::int64_t a = 0; a < levels; ++a) {
                const double* line = sums.data() + (c * levels + a) * width;
                double* to = out + c * out_step + a * (width - cols);
                for (std::int64_t j = 0; j < cols; ++j) {
                    to = std::copy_n(line + 1, n_levels.data[j], to);
                    line += 1 + n_levels.data[j];
                }
            }
    }
};

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

// The terms of one row, class beside class. Fixed is the number of classes where that is known beforehand.
template <std::int64_t Fixed>
class Row {
  public:
    Row(const AodeTables& tables, std::int64_t levels, std::int64_t cols)
        : tables_(tables),
          levels_(levels),
          terms_(static_cast<std::size_t>(cols * tables.log_parent.cols)),
          known_(static_cast<std::size_t>(cols)),
          column_(static_cast<std::size_t>(cols)) {}

    std::int32_t joint(const std::int32_t* codes, const std::int64_t* offsets, std::int64_t cols,
                       const double* extra, double* out) {
        const std::int64_t classes = Fixed > 0 ? Fixed : tables_.log_parent.cols;
        find_known(codes, offsets, cols);
        std::int32_t parents = 0;
        for (std::int64_t p = 0; p < n_known_; ++p) {
            const std::int64_t level = known_[static_cast<std::size_t>(p)];
            if (tables_.usable.data[level] == 0) continue;
            double* term = terms_.data() + parents * classes;
            const double* start = tables_.log_parent.row(level);
            const double* more =
                extra == nullptr ? nullptr : extra + column_[static_cast<std::size_t>(p)] * classes;
            for (std::int64_t c = 0; c < classes; ++c) term[c] = start[c] + (more == nullptr ? 0.0 : more[c]);
            add_pairs(tables_.log_pair.row(level * levels_), classes, term);
            ++parents;
        }
        sum_up(parents, classes, out);
        return parents;
    }

  private:
    void find_known(const std::int32_t* codes, const std::int64_t* offsets, std::int64_t cols) {
        n_known_ = 0;
        for (std::int64_t j = 0; j < cols; ++j)
            if (codes[j] >= 0) {
                known_[static_cast<std::size_t>(n_known_)] = offsets[j] + codes[j];
                column_[static_cast<std::size_t>(n_known_++)] = j;
            }
    }

    void add_pairs(const double* __restrict pairs, std::int64_t classes, double* __restrict term) const {
        if constexpr (Fixed > 0) {
            double sum[Fixed] = {};
            for (std::int64_t q = 0; q < n_known_; ++q) {
                const double* pair = pairs + known_[static_cast<std::size_t>(q)] * Fixed;
                for (std::int64_t c = 0; c < Fixed; ++c) sum[c] += pair[c];
            }
            for (std::int64_t c = 0; c < Fixed; ++c) term[c] += sum[c];
        } else {
            for (std::int64_t q = 0; q < n_known_; ++q) {
                const double* pair = pairs + known_[static_cast<std::size_t>(q)] * classes;
                for (std::int64_t c = 0; c < classes; ++c) term[c] += pair[c];
            }
        }
    }

    // log of the sum of exp(terms) of each class; -inf without a term.
    void sum_up(std::int64_t parents, std::int64_t classes, double* out) const {
        for (std::int64_t c = 0; c < classes; ++c) {
            double most = -std::numeric_limits<double>::infinity();
            for (std::int64_t p = 0; p < parents; ++p)
                most = std::max(most, terms_[static_cast<std::size_t>(p * classes + c)]);
            double sum = 0.0;
            if (std::isfinite(most))
                for (std::int64_t p = 0; p < parents; ++p)
                    sum += std::exp(terms_[static_cast<std::size_t>(p * classes + c)] - most);
            out[c] = std::isfinite(most) ? most + std::log(sum) : most;
        }
    }

    const AodeTables& tables_;
    std::int64_t levels_;
    std::vector<double> terms_;
    std::vector<std::int64_t> known_;
    std::vector<std::int64_t> column_;
    std::int64_t n_known_ = 0;
};

template <std::int64_t Fixed>
void run(const Matrix<std::int32_t>& codes, const std::vector<std::int64_t>& offsets,
         const AodeTables& tables, std::int64_t first, std::int64_t last, AodeJoint& out) {
    const std::int64_t classes = tables.log_parent.cols;
    Row<Fixed> row(tables, offsets.back(), codes.cols);
    for (std::int64_t i = first; i < last; ++i)
        out.parents[i] = row.joint(codes.row(i), offsets.data(), codes.cols,
                                   tables.extra == nullptr ? nullptr : tables.extra->row(i),
                                   out.joint.data() + i * classes);
}

}  // namespace

Buffer<double> pair_counts(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y,
                           const Vector<double>* w, const Vector<std::int32_t>& n_levels,
                           const Vector<std::int32_t>& parents, std::int64_t n_classes, int threads) {
    check_rows(codes, y, w, n_classes);
    check_levels(codes, n_levels);
    check_codes(codes, n_levels, 0, codes.rows);
    std::vector<std::int64_t> starts{0};
    for (std::int64_t p = 0; p < parents.size; ++p) {
        if (parents.data[p] < 0 || parents.data[p] >= codes.cols)
            refuse("parents must be columns from 0 to ", codes.cols - 1, "; entry ", p, " is ",
                   parents.data[p], ".");
        starts.push_back(starts.back() + n_levels.data[parents.data[p]]);
    }
    const std::int64_t levels = level_offsets(n_levels).back();
    Buffer<double> out(checked_product(n_classes, starts.back()), levels);
    const Counter counter{codes, y.data, w == nullptr ? nullptr : w->data, n_levels, n_classes};
    parallel_for(parents.size, threads, [&](std::int64_t p) {
        counter.count(parents.data[p], out.data() + starts[static_cast<std::size_t>(p)] * levels,
                      starts.back() * levels);
    });
    return out;
}

AodeJoint aode_joint(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
                     const AodeTables& tables, int threads) {
    check_levels(codes, n_levels);
    const std::vector<std::int64_t> offsets = level_offsets(n_levels);
    check_tables(tables, codes, offsets.back());
    const std::int64_t classes = tables.log_parent.cols;
    AodeJoint out{Buffer<double>(codes.rows, classes), Buffer<std::int32_t>(codes.rows)};
    parallel_rows(codes.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        check_codes(codes, n_levels, first, last);
        if (classes == 2)
            run<2>(codes, offsets, tables, first, last, out);
        else if (classes == 3)
            run<3>(codes, offsets, tables, first, last, out);
        else
            run<0>(codes, offsets, tables, first, last, out);
    });
    return out;
}

}  // namespace hornbook
