#include "core/mixture/mixture.hpp"

#include <algorithm>
#include <cmath>

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

// Places of the tiles times components: first log densities, then probabilities times weights.
class Densities {
  public:
    Densities(const RowGroups& rows, const Components& components)
        : rows_(rows), components_(components), values_(components.count(), rows.slots(), 0.0) {}

    double* at(std::int64_t k, std::int64_t slot) { return values_.data() + k * rows_.slots() + slot; }

    void compute() {
        Buffer<double> gap(tile_rows, components_.cols());
        for (const Group& group : rows_.groups())
            for (std::int64_t k = 0; k < components_.count(); ++k) fill(group, k, gap.data());
    }

    // The weighted sum of the logs of the densities of the rows.
    double normalize_rows(const double* weights) {
        alignas(64) double totals[tile_rows];
        double sum = 0.0;
        for (std::int64_t slot = 0; slot < rows_.slots(); slot += tile_rows) {
            pace_.spend(components_.count() * tile_rows);
            normalize(at(0, slot), components_.count(), rows_.slots(), weights + slot, totals);
            for (std::int64_t r = 0; r < tile_rows; ++r) sum += weights[slot + r] * totals[r];
        }
        return sum;
    }

    // Weighted moments of one component, added up lane by lane.
    void sum_up(std::int64_t k, double* out) {
        const std::int64_t d = components_.cols();
        const std::int64_t count = moment_count(d, components_.diagonal);
        Buffer<double> sums(count, lanes, 0.0);
        Buffer<double> work(2 * tile_rows, d);
        std::fill_n(out, count, 0.0);
        for (const Group& group : rows_.groups()) {
            const double before = total_of(sums.data());
            const Completion completion(components_, k, group);
            for (std::int64_t t = group.first; t < group.last; ++t) {
                pace_.spend(count * tile_rows / 4);
                subtract(rows_.tile(t), components_.mean(k), d, work.data());
                completion.complete(work.data());
                add_moments(work.data(), at(k, t * tile_rows), d, components_.diagonal,
                            work.data() + tile_rows * d, sums.data());
            }
            if (!group.missing.empty())
                completion.add_covariance(total_of(sums.data()) - before, out + 1 + d);
        }
        for (std::int64_t i = 0; i < count; ++i) out[i] += total_of(sums.data() + i * lanes);
    }

  private:
    void fill(const Group& group, std::int64_t k, double* gap) {
        const std::int64_t d = components_.cols();
        const Completion completion(components_, k, group);
        const double scale = components_.scales.data[k] + (group.missing.empty() ? 0.0 : completion.scale());
        for (std::int64_t t = group.first; t < group.last; ++t) {
            pace_.spend((components_.diagonal ? d : d * d / 2) * tile_rows / 4);
            subtract(rows_.tile(t), components_.mean(k), d, gap);
            completion.complete(gap);
            double* out = at(k, t * tile_rows);
            squares(gap, components_.matrix(k), d, components_.diagonal, out);
            for (std::int64_t r = 0; r < tile_rows; ++r) out[r] = scale - 0.5 * out[r];
        }
    }

    const RowGroups& rows_;
    const Components& components_;
    Buffer<double> values_;
    Pace pace_;
};

}  // namespace

Buffer<double> log_joint(const Matrix<double>& x, const Components& components, int threads) {
    check(x, components);
    const std::int64_t count = components.count();
    Buffer<double> out(x.rows, count);
    parallel_rows(x.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
        const RowGroups rows(x, first, last);
        Densities densities(rows, components);
        densities.compute();
        for (std::int64_t slot = 0; slot < rows.slots(); ++slot)
            for (std::int64_t k = 0; rows.row(slot) >= 0 && k < count; ++k)
                out[rows.row(slot) * count + k] = *densities.at(k, slot);
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
    Buffer<double> weights(rows.slots());
    for (std::int64_t slot = 0; slot < rows.slots(); ++slot) {
        const std::int64_t row = rows.row(slot);
        weights[slot] = row < 0 ? 0.0 : w == nullptr ? 1.0 : w->data[row];
    }
    const std::int64_t each = moment_count(components.cols(), components.diagonal);
    Buffer<double> out(1 + checked_product(count, each));
    Densities densities(rows, components);
    out[0] = 0.0;
    if (given == nullptr) {
        densities.compute();
        out[0] = densities.normalize_rows(weights.data());
    }
    for (std::int64_t slot = 0; given != nullptr && slot < rows.slots(); ++slot)
        for (std::int64_t k = 0; rows.row(slot) >= 0 && k < count; ++k)
            *densities.at(k, slot) = weights[slot] * given->row(rows.row(slot))[k];
    for (std::int64_t k = 0; k < count; ++k) densities.sum_up(k, out.data() + 1 + k * each);
    return out;
}

}  // namespace hornbook::mixture
