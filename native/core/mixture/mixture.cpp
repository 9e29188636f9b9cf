#include "core/mixture/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/mixture/completion.hpp"
#include "core/mixture/row_groups.hpp"
#include "core/mixture/tile.hpp"
#include "core/stop.hpp"

namespace hornbook::mixture {

namespace {

constexpr std::int64_t run_rows = 4096;

void check_finite(const double* values, std::int64_t count, const char* name) {
    for (std::int64_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i])) refuse(name, " must be finite; entry ", i, " is ", values[i], ".");
}

void check(const Matrix<double>& x, const Components& components) {
    const std::int64_t k = components.count();
    const std::int64_t d = components.cols();
    if (k < 1 || d != x.cols)
        refuse("means must have one row per component and one column per column of X; they are ", k, " x ", d,
               " for ", x.cols, " columns.");
    const std::int64_t rows = components.diagonal ? k : checked_product(k, d);
    if (components.whiten.cols != d || components.whiten.rows != rows)
        refuse("whiten must be ", rows, " x ", d, "; it is ", components.whiten.rows, " x ",
               components.whiten.cols, ".");
    if (components.scales.size != k)
        refuse("scales must have one entry per component; they have ", components.scales.size, " for ", k,
               ".");
    check_finite(components.means.data, k * d, "means");
    check_finite(components.whiten.data, rows * d, "whiten");
    check_finite(components.scales.data, k, "scales");
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; components.diagonal && j < d; ++j)
            if (!(components.whiten.row(i)[j] > 0.0))
                refuse("whiten must be positive; component ", i, " is not.");
    for (std::int64_t i = 0; !components.diagonal && i < rows; ++i)
        if (!(components.whiten.row(i)[i % d] > 0.0))
            refuse("whiten must have positive diagonals; that of component ", i / d, " has not.");
}

// Components of one pass, and what is the same for all rows.
class Pass {
  public:
    explicit Pass(const Components& components)
        : components_(components),
          count_(moment_count(components.cols(), components.diagonal)),
          nothing_(static_cast<std::size_t>(components.cols()), 0.0),
          work_(2 * tile_rows, components.cols()),
          sums_(checked_product(components.count(), count_), lanes, 0.0) {
        if (is_tied()) place_means();
    }

    // What the components say about the missing cells of a group; none is missing in most.
    std::vector<Completion> completions(const Group& group) const {
        std::vector<Completion> all;
        for (std::int64_t k = 0; k < components_.count() && !group.missing.empty(); ++k)
            all.emplace_back(components_, k, group);
        return all;
    }

    // Log densities of the rows of a tile, `stride` numbers from component to component.
    void densities(const double* tile, const std::vector<Completion>& completions, std::int64_t stride,
                   double* out) {
        const std::int64_t d = components_.cols();
        const bool tied = !means_.empty() && completions.empty();
        pace_.spend((components_.diagonal ? d : d * d / 2) * tile_rows * components_.count() / 4);
        if (tied) {
            subtract(tile, components_.mean(0), d, gap());
            whiten_gap(gap(), components_.matrix(0), d, other());
        }
        for (std::int64_t k = 0; k < components_.count(); ++k, out += stride) {
            double scale = components_.scales.data[k];
            if (!completions.empty()) scale += completions[static_cast<std::size_t>(k)].scale();
            if (tied) {
                square_gaps(other(), means_.data() + k * d, d, out);
            } else {
                const auto [x, mean] = rows_and_mean(tile, completions, k);
                if (components_.diagonal) {
                    diagonal_squares(x, mean, components_.matrix(k), d, out);
                } else {
                    squares(x, components_.matrix(k), d, out);
                }
            }
            for (std::int64_t r = 0; r < tile_rows; ++r) out[r] = scale - 0.5 * out[r];
        }
    }

    // Adds up the moments of one component lane by lane.
    void add(const double* tile, const std::vector<Completion>& completions, std::int64_t k,
             const double* weights) {
        const std::int64_t d = components_.cols();
        pace_.spend(count_ * tile_rows / 4);
        const auto [x, mean] = rows_and_mean(tile, completions, k);
        if (components_.diagonal)
            add_diagonal_moments(x, mean, weights, d, sums(k));
        else
            add_moments(x, weights, d, other(), sums(k));
    }

    double mass(std::int64_t k) { return total_of(sums(k)); }
    std::int64_t count() const { return count_; }
    double total(std::int64_t k, std::int64_t i) { return total_of(sums(k) + i * lanes); }

  private:
    // Whether all components have one matrix.
    bool is_tied() const {
        const std::int64_t size = components_.cols() * components_.cols();
        if (components_.diagonal || components_.count() < 2) return false;
        for (std::int64_t k = 1; k < components_.count(); ++k)
            if (!std::equal(components_.matrix(0), components_.matrix(0) + size, components_.matrix(k)))
                return false;
        return true;
    }

    // Rows that are whitened once have the same square distances to whitened means. All are seen from the
    // first mean, so that it does not matter how far off the rows are.
    void place_means() {
        const std::int64_t d = components_.cols();
        for (std::int64_t k = 0; k < components_.count(); ++k)
            for (std::int64_t i = 0; i < d; ++i) {
                double sum = 0.0;
                for (std::int64_t j = 0; j <= i; ++j)
                    sum +=
                        components_.matrix(0)[i * d + j] * (components_.mean(k)[j] - components_.mean(0)[j]);
                means_.push_back(sum);
            }
    }

    // Rows, and what is to be subtracted from them.
    std::pair<const double*, const double*> rows_and_mean(const double* tile,
                                                          const std::vector<Completion>& completions,
                                                          std::int64_t k) {
        if (components_.diagonal && completions.empty()) return {tile, components_.mean(k)};
        subtract(tile, components_.mean(k), components_.cols(), gap());
        if (!completions.empty()) completions[static_cast<std::size_t>(k)].complete(gap());
        return {gap(), nothing_.data()};
    }

    double* gap() { return work_.data(); }
    double* other() { return work_.data() + tile_rows * components_.cols(); }
    double* sums(std::int64_t k) { return sums_.data() + k * count_ * lanes; }

    const Components& components_;
    const std::int64_t count_;
    const std::vector<double> nothing_;
    std::vector<double> means_;  // whitened, where all components have one matrix
    Buffer<double> work_;
    Buffer<double> sums_;
    Pace pace_;
};

// The rows of one pass with their weights and, where they are given, probabilities.
struct WeightedRows {
    const RowGroups& rows;
    const Vector<double>* w;
    const Matrix<double>* given;

    double weight(std::int64_t slot) const {
        const std::int64_t row = rows.row(slot);
        return row < 0 ? 0.0 : w == nullptr ? 1.0 : w->data[row];
    }
    // Probabilities times weights of the rows of a tile.
    void fill_given(std::int64_t tile, std::int64_t stride, double* out) const {
        for (std::int64_t r = 0; r < tile_rows; ++r)
            for (std::int64_t k = 0; k < given->cols; ++k) {
                const std::int64_t row = rows.row(tile * tile_rows + r);
                out[k * stride + r] = row < 0 ? 0.0 : weight(tile * tile_rows + r) * given->row(row)[k];
            }
    }
};

// Weighs the rows of a group and adds up their moments; returns the weighted sum of the logs of densities.
// Some tiles at a time, which stay in the cache, as do the sums of one component.
double add_group(const WeightedRows& weighted, const Group& group, const Components& components, Pass& pass,
                 double* out) {
    constexpr std::int64_t batch = 8;
    const std::int64_t stride = batch * tile_rows;
    const std::vector<Completion> completions = pass.completions(group);
    Buffer<double> joint(components.count(), stride);
    std::vector<double> before;
    for (std::int64_t k = 0; k < components.count(); ++k) before.push_back(pass.mass(k));
    double sum = 0.0;
    for (std::int64_t first = group.first; first < group.last; first += batch) {
        const std::int64_t last = std::min(first + batch, group.last);
        for (std::int64_t t = first; t < last; ++t) {
            double* place = joint.data() + (t - first) * tile_rows;
            if (weighted.given != nullptr) {
                weighted.fill_given(t, stride, place);
                continue;
            }
            alignas(64) double weights[tile_rows];
            alignas(64) double totals[tile_rows];
            for (std::int64_t r = 0; r < tile_rows; ++r) weights[r] = weighted.weight(t * tile_rows + r);
            pass.densities(weighted.rows.tile(t), completions, stride, place);
            normalize(place, components.count(), stride, weights, totals);
            for (std::int64_t r = 0; r < tile_rows; ++r) sum += weights[r] * totals[r];
        }
        for (std::int64_t k = 0; k < components.count(); ++k)
            for (std::int64_t t = first; t < last; ++t)
                pass.add(weighted.rows.tile(t), completions, k,
                         joint.data() + k * stride + (t - first) * tile_rows);
    }
    for (std::size_t k = 0; k < completions.size(); ++k)
        completions[k].add_covariance(
            pass.mass(static_cast<std::int64_t>(k)) - before[k],
            out + static_cast<std::int64_t>(k) * pass.count() + 1 + components.cols());
    return sum;
}

}  // namespace

Buffer<double> log_joint(const Matrix<double>& x, const Components& components, int threads) {
    check(x, components);
    const std::int64_t count = components.count();
    Buffer<double> out(x.rows, count);
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        const RowGroups rows(x, first, last);
        Pass pass(components);
        Buffer<double> joint(count, tile_rows);
        for (const Group& group : rows.groups()) {
            const std::vector<Completion> completions = pass.completions(group);
            for (std::int64_t t = group.first; t < group.last; ++t) {
                pass.densities(rows.tile(t), completions, tile_rows, joint.data());
                for (std::int64_t r = 0; r < tile_rows; ++r)
                    for (std::int64_t k = 0; rows.row(t * tile_rows + r) >= 0 && k < count; ++k)
                        out[rows.row(t * tile_rows + r) * count + k] = joint[k * tile_rows + r];
            }
        }
    });
    return out;
}

Buffer<double> em_sums(const Matrix<double>& x, const Vector<double>* w, const Matrix<double>* given,
                       const Components& components) {
    check(x, components);
    if (w != nullptr && w->size != x.rows)
        refuse("w must have one entry per row of X; it has ", w->size, " for ", x.rows, " rows.");
    const std::int64_t count = components.count();
    if (given != nullptr && (given->rows != x.rows || given->cols != count))
        refuse("given must have one row per row of X and one column per component; it is ", given->rows,
               " x ", given->cols, ".");
    const RowGroups rows(x, 0, x.rows);
    const WeightedRows weighted{rows, w, given};
    Pass pass(components);
    Buffer<double> out(1 + checked_product(count, pass.count()), 1, 0.0);
    for (const Group& group : rows.groups())
        out[0] += add_group(weighted, group, components, pass, out.data() + 1);
    for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t i = 0; i < pass.count(); ++i) out[1 + k * pass.count() + i] += pass.total(k, i);
    return out;
}

}  // namespace hornbook::mixture
