#include "core/stats/class_stats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stats/levels.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

void check_classes(std::int64_t rows, const char* name, const Vector<std::int32_t>& y,
                   std::int64_t n_classes) {
    check_class_count(n_classes);
    if (y.size != rows)
        refuse("y must have one entry per row of ", name, "; it has ", y.size, " for ", rows, " rows.");
    for (std::int64_t i = 0; i < rows; ++i)
        if (y.data[i] < 0 || y.data[i] >= n_classes)
            refuse("y must hold classes from 0 to ", n_classes - 1, "; row ", i, " has ", y.data[i], ".");
}

void check_weights(std::int64_t rows, const char* name, const Vector<double>* w) {
    if (w == nullptr) return;
    if (w->size != rows)
        refuse("w must have one entry per row of ", name, "; it has ", w->size, " for ", rows, " rows.");
    for (std::int64_t i = 0; i < rows; ++i)
        if (!(w->data[i] >= 0.0 && std::isfinite(w->data[i])))
            refuse("w must hold finite weights of at least 0; row ", i, " has ", w->data[i], ".");
}

// mass += w, sum += w * (x - shift), for the cells of one row that are not missing.
HORNBOOK_WIDE void add_values(const double* __restrict x, const double* __restrict shift, double w,
                              std::int64_t cols, double* __restrict mass, double* __restrict sum) {
    for (std::int64_t j = 0; j < cols; ++j) {
        const bool present = x[j] == x[j];
        mass[j] += present ? w : 0.0;
        sum[j] += present ? w * (x[j] - shift[j]) : 0.0;
    }
}

// scatter += w * (x - mean)^2
HORNBOOK_WIDE void add_squares(const double* __restrict x, const double* __restrict mean, double w,
                               std::int64_t cols, double* __restrict scatter) {
    for (std::int64_t j = 0; j < cols; ++j) {
        const double deviation = x[j] - mean[j];
        scatter[j] += x[j] == x[j] ? w * (deviation * deviation) : 0.0;
    }
}

// counts += w at the slot of each code of one row; a missing code (-1) counts in the spare slot in front.
void add_counts(const std::int32_t* __restrict codes, const std::int64_t* __restrict offsets, double w,
                std::int64_t cols, double* __restrict counts) {
    for (std::int64_t j = 0; j < cols; ++j) counts[offsets[j] + 1 + codes[j]] += w;
}

// The counts of one class without the spare slot of every column.
void copy_without_spare(const double* counts, const Vector<std::int32_t>& n_levels, double* out) {
    for (std::int64_t j = 0; j < n_levels.size; ++j) {
        out = std::copy_n(counts + 1, n_levels.data[j], out);
        counts += 1 + n_levels.data[j];
    }
}

// Two passes over shifted data (Chan, Golub and LeVeque, "Algorithms for computing the sample variance",
// 1983).
class Moments {
  public:
    Moments(const Matrix<double>& x, const std::int32_t* y, const double* w, std::int64_t n_classes)
        : x_(x),
          y_(y),
          w_(w),
          shift_(n_classes, x.cols, std::numeric_limits<double>::quiet_NaN()),
          out_{Buffer<double>(n_classes, x.cols, 0.0), Buffer<double>(n_classes, x.cols, 0.0),
               Buffer<double>(n_classes, x.cols, 0.0)},
          without_shift_(static_cast<std::size_t>(n_classes), x.cols) {}

    ClassMoments compute() {
        for_each_row([this](const double* row, std::int64_t c, double w) {
            if (without_shift_[static_cast<std::size_t>(c)] > 0) find_shift(row, c);
            add_values(row, at(shift_, c), w, x_.cols, at(out_.mass, c), at(out_.mean, c));
        });
        finish_means();
        for_each_row([this](const double* row, std::int64_t c, double w) {
            add_squares(row, at(out_.mean, c), w, x_.cols, at(out_.scatter, c));
        });
        return std::move(out_);
    }

  private:
    double* at(Buffer<double>& table, std::int64_t c) { return table.data() + c * x_.cols; }

    // Rows of weight zero are skipped, so that their numbers cannot overflow.
    template <class Fn>
    void for_each_row(Fn fn) {
        constexpr std::int64_t at_once = 256;
        Pace pace;
        for (std::int64_t first = 0; first < x_.rows; first += at_once) {
            pace.spend(at_once * x_.cols);
            const std::int64_t last = std::min(first + at_once, x_.rows);
            for (std::int64_t i = first; i < last; ++i) {
                const double w = w_ == nullptr ? 1.0 : w_[i];
                if (w > 0.0) fn(x_.row(i), std::int64_t{y_[i]}, w);
            }
        }
    }

    // Sums are taken of differences to the first value of the class: a constant column then has exactly
    // that mean and no scatter, and a large offset costs no digits.
    void find_shift(const double* row, std::int64_t c) {
        double* shift = at(shift_, c);
        for (std::int64_t j = 0; j < x_.cols; ++j)
            if (std::isnan(shift[j]) && !std::isnan(row[j])) {
                shift[j] = row[j];
                --without_shift_[static_cast<std::size_t>(c)];
            }
    }

    void finish_means() {
        for (std::int64_t cell = 0; cell < out_.mean.size(); ++cell) {
            const double mass = out_.mass[cell];
            const double sum = out_.mean[cell];
            if (!(mass > 0.0))
                out_.mean[cell] = 0.0;
            else if (std::isfinite(sum))
                out_.mean[cell] = shift_[cell] + sum / mass;
            else
                out_.mean[cell] = careful_mean(cell / x_.cols, cell % x_.cols, mass);
        }
    }

    // Where the plain sum overflows: normalized weights times halved values, whose sum cannot.
    double careful_mean(std::int64_t c, std::int64_t j, double mass) {
        double half = 0.0;
        for_each_row([&](const double* row, std::int64_t of, double w) {
            if (of == c && !std::isnan(row[j])) half += w / mass * (row[j] / 2.0);
        });
        return 2.0 * half;
    }

    const Matrix<double>& x_;
    const std::int32_t* y_;
    const double* w_;
    Buffer<double> shift_;
    ClassMoments out_;
    std::vector<std::int64_t> without_shift_;
};

}  // namespace

ClassMoments class_moments(const Matrix<double>& x, const Vector<std::int32_t>& y, const Vector<double>* w,
                           std::int64_t n_classes) {
    check_classes(x.rows, "X", y, n_classes);
    check_weights(x.rows, "X", w);
    return Moments(x, y.data, w == nullptr ? nullptr : w->data, n_classes).compute();
}

Buffer<double> class_counts(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y,
                            const Vector<double>* w, const Vector<std::int32_t>& n_levels,
                            std::int64_t n_classes) {
    check_classes(codes.rows, "codes", y, n_classes);
    check_weights(codes.rows, "codes", w);
    check_levels(codes, n_levels);
    check_codes(codes, n_levels, 0, codes.rows);
    const std::vector<std::int64_t> offsets = level_offsets(n_levels, 1);
    const std::int64_t slots = offsets.back();
    Buffer<double> counts(n_classes, slots, 0.0);
    Pace pace;
    for (std::int64_t i = 0; i < codes.rows; ++i) {
        pace.spend(codes.cols);
        add_counts(codes.row(i), offsets.data(), w == nullptr ? 1.0 : w->data[i], codes.cols,
                   counts.data() + y.data[i] * slots);
    }
    const std::int64_t levels = slots - n_levels.size;
    Buffer<double> out(n_classes, levels);
    for (std::int64_t c = 0; c < n_classes; ++c)
        copy_without_spare(counts.data() + c * slots, n_levels, out.data() + c * levels);
    return out;
}

}  // namespace hornbook
