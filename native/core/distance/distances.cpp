#include "core/distance/distances.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stats/levels.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t groups = Tiles::size / lanes;
constexpr double infinity = std::numeric_limits<double>::infinity();

// out[row] = the terms of its columns, joined by `step` in the order of the columns.
template <class Step>
[[gnu::always_inline]] inline void sweep(const double* tile, std::int64_t cols, const double* query,
                                         double* out, const Step& step) {
    Lanes sums[groups] = {};
    const auto* x = reinterpret_cast<const Lanes*>(tile);
    for (std::int64_t j = 0; j < cols; ++j, x += groups)
        for (std::int64_t g = 0; g < groups; ++g) {
            const Lanes gap = x[g] - query[j];
            step(sums[g], gap);
        }
    for (std::int64_t g = 0; g < groups; ++g) reinterpret_cast<Lanes*>(out)[g] = sums[g];
}

// Squares of distances, and one bit for each within the limit: in vectors of the width for which compilers
// keep all sums in registers, as searches spend most of their time here.
HORNBOOK_WIDE std::uint32_t sweep_two(const double* tile, std::int64_t cols, const double* query,
                                      double limit, double* out) {
    constexpr std::int64_t quarters = Tiles::size / half_lanes;
    Numbers sums[quarters] = {};
    const auto* x = reinterpret_cast<const Numbers*>(tile);
    for (std::int64_t j = 0; j < cols; ++j, x += quarters)
        for (std::int64_t g = 0; g < quarters; ++g) {
            const Numbers gap = x[g] - query[j];
            sums[g] += gap * gap;
        }
    Mask bits = {1, 2, 4, 8};
    Mask bits_set{};
    for (std::int64_t g = 0; g < quarters; ++g, bits <<= half_lanes) {
        reinterpret_cast<Numbers*>(out)[g] = sums[g];
        bits_set |= (sums[g] <= limit) & bits;
    }
    return static_cast<std::uint32_t>((bits_set[0] | bits_set[1]) | (bits_set[2] | bits_set[3]));
}

HORNBOOK_WIDE void sweep_one(const double* tile, std::int64_t cols, const double* query, double* out) {
    sweep(tile, cols, query, out, [](Lanes& sum, const Lanes& gap) { sum += gap < 0.0 ? -gap : gap; });
}

HORNBOOK_WIDE void sweep_largest(const double* tile, std::int64_t cols, const double* query, double* out) {
    sweep(tile, cols, query, out, [](Lanes& sum, const Lanes& gap) {
        const Lanes size = gap < 0.0 ? -gap : gap;
        sum = size > sum ? size : sum;
    });
}

HORNBOOK_WIDE void sweep_count(const double* tile, std::int64_t cols, const double* query, double* out) {
    const Lanes nothing{};
    const Lanes unit = nothing + 1.0;
    sweep(tile, cols, query, out, [&](Lanes& sum, const Lanes& gap) { sum += gap == 0.0 ? nothing : unit; });
}

void sweep_any(const double* tile, std::int64_t cols, const double* query, double power, double* out) {
    std::fill_n(out, Tiles::size, 0.0);
    for (std::int64_t j = 0; j < cols; ++j, tile += Tiles::size)
        for (std::int64_t r = 0; r < Tiles::size; ++r)
            out[r] += std::pow(std::abs(tile[r] - query[j]), power);
}

typedef std::int64_t IntLanes __attribute__((vector_size(64), may_alias));

// Which numbers of a tile are within the limit.
HORNBOOK_WIDE std::uint32_t within(const double* numbers, double limit) {
    const auto* x = reinterpret_cast<const Lanes*>(numbers);
    IntLanes bits = {1, 2, 4, 8, 16, 32, 64, 128};
    IntLanes bits_set{};
    for (std::int64_t g = 0; g < groups; ++g, bits <<= lanes) bits_set |= (x[g] <= limit) & bits;
    std::int64_t mask = 0;
    for (std::int64_t r = 0; r < lanes; ++r) mask |= bits_set[r];
    return static_cast<std::uint32_t>(mask);
}

HORNBOOK_WIDE void square_roots(double* numbers) {
    for (std::int64_t r = 0; r < Tiles::size; ++r) numbers[r] = std::sqrt(numbers[r]);
}

double term(Power kind, double gap, double power) {
    switch (kind) {
        case Power::count:
            return gap == 0.0 ? 0.0 : 1.0;
        case Power::two:
            return gap * gap;
        case Power::any:
            return std::pow(std::abs(gap), power);
        default:
            return std::abs(gap);
    }
}

double joined(Power kind, double sum, double more) {
    return kind == Power::largest ? std::max(sum, more) : sum + more;
}

}  // namespace

Power power_of(double power) {
    if (power == 0.0) return Power::count;
    if (power == 1.0) return Power::one;
    if (power == 2.0) return Power::two;
    if (power == infinity) return Power::largest;
    if (!(power > 0.0)) refuse("power must be 0 or above; got ", power, ".");
    return Power::any;
}

double root(double powered, double power) {
    switch (power_of(power)) {
        case Power::two:
            return std::sqrt(powered);
        case Power::any:
            return std::pow(powered, 1.0 / power);
        default:
            return powered;
    }
}

void take_roots(double* powered, double power) {
    const Power kind = power_of(power);
    if (kind == Power::two) square_roots(powered);
    if (kind == Power::any)
        for (std::int64_t r = 0; r < Tiles::size; ++r) powered[r] = std::pow(powered[r], 1.0 / power);
}

void check_metric(const MixedRows& rows, const Metric& metric) {
    power_of(metric.power);
    const std::int64_t n_codes = rows.codes.cols;
    if (metric.shares.size != rows.numbers.cols + n_codes)
        refuse("shares must have one entry per column; it has ", metric.shares.size, " for ",
               rows.numbers.cols + n_codes, ".");
    if (metric.steps.size != n_codes || metric.n_levels.size != n_codes)
        refuse("steps and n_levels must have one entry per column of codes; they have ", metric.steps.size,
               " and ", metric.n_levels.size, " for ", n_codes, ".");
    check_levels(rows.codes, metric.n_levels);
    const std::int64_t levels = level_offsets(metric.n_levels).back();
    if (metric.profiles.cols > 0 && metric.profiles.rows != levels)
        refuse("profiles must have one row per level; it has ", metric.profiles.rows, " for ", levels, ".");
    for (std::int64_t j = 0; j < metric.shares.size; ++j)
        if (!(metric.shares.data[j] > 0.0 && metric.shares.data[j] < infinity))
            refuse("shares must be above 0 and finite; column ", j, " has ", metric.shares.data[j], ".");
    if (rows.codes.rows != rows.numbers.rows)
        refuse("codes must have the ", rows.numbers.rows, " rows of numbers; got ", rows.codes.rows, ".");
    check_codes(rows.codes, metric.n_levels, 0, rows.codes.rows);
}

void check_alike(const MixedRows& rows, const MixedRows& queries) {
    if (queries.numbers.cols != rows.numbers.cols || queries.codes.cols != rows.codes.cols)
        refuse("queries must have the ", rows.numbers.cols, " numbers and ", rows.codes.cols,
               " codes of the rows; they have ", queries.numbers.cols, " and ", queries.codes.cols, ".");
}

Tiles::Tiles(const MixedRows& rows, const std::int64_t* order, int threads)
    : rows_(rows.numbers.rows),
      n_numbers_(rows.numbers.cols),
      n_codes_(rows.codes.cols),
      complete_(true),
      numbers_(count() * size, n_numbers_),
      codes_(count() * size, n_codes_) {
    std::atomic<bool> complete{true};
    parallel_for(count(), threads, [&](std::int64_t tile) {
        double* numbers = numbers_.data() + tile * size * n_numbers_;
        std::int32_t* codes = codes_.data() + tile * size * n_codes_;
        bool missing = false;
        for (std::int64_t r = 0; r < size; ++r) {
            // Padding of the last tile repeats its last row, so that it never holds NaN or infinity of its
            // own.
            const std::int64_t place = std::min(tile * size + r, rows_ - 1);
            const std::int64_t i = order == nullptr ? place : order[place];
            for (std::int64_t j = 0; j < n_numbers_; ++j) {
                numbers[j * size + r] = rows.numbers.row(i)[j];
                missing |= std::isnan(rows.numbers.row(i)[j]);
            }
            for (std::int64_t j = 0; j < n_codes_; ++j) {
                codes[j * size + r] = rows.codes.row(i)[j];
                missing |= rows.codes.row(i)[j] < 0;
            }
        }
        if (missing) complete.store(false, std::memory_order_relaxed);
    });
    complete_ = complete;
}

DistanceComputer::DistanceComputer(const Metric& metric, const MixedRows& queries, bool tiles_complete)
    : metric_(metric), queries_(queries), kind_(power_of(metric.power)), tiles_complete_(tiles_complete) {
    for (std::int64_t j = 0; j < metric.shares.size; ++j) total_share_ += metric.shares.data[j];
    offsets_ = level_offsets(metric.n_levels, 1);
    costs_.resize(static_cast<std::size_t>(offsets_.back()));
}

void DistanceComputer::set_query(std::int64_t query) {
    numbers_ = queries_.numbers.row(query);
    codes_ = queries_.codes.row(query);
    complete_ = tiles_complete_;
    for (std::int64_t j = 0; j < queries_.numbers.cols; ++j) complete_ &= !std::isnan(numbers_[j]);
    for (std::int64_t j = 0; j < queries_.codes.cols; ++j) complete_ &= codes_[j] >= 0;
    if (queries_.codes.cols > 0) fill_level_costs();
}

// The cost of every level of every column of codes against the query's.
void DistanceComputer::fill_level_costs() {
    std::int64_t first = 0;  // row of the column's first level in profiles
    for (std::int64_t j = 0; j < queries_.codes.cols; ++j) {
        const std::int64_t levels = metric_.n_levels.data[j];
        double* costs = costs_.data() + offsets_[static_cast<std::size_t>(j)];
        std::fill_n(costs, levels + 1, codes_[j] < 0 ? 0.0 : metric_.steps.data[j]);
        costs[0] = 0.0;
        if (codes_[j] >= 0) {
            costs[1 + codes_[j]] = 0.0;
            for (std::int64_t level = 0; level < levels && metric_.profiles.cols > 0; ++level) {
                double sum = 0.0;
                for (std::int64_t t = 0; t < metric_.profiles.cols; ++t) {
                    const double gap =
                        metric_.profiles.row(first + level)[t] - metric_.profiles.row(first + codes_[j])[t];
                    sum = joined(kind_, sum, term(kind_, gap, metric_.power));
                }
                costs[1 + level] = metric_.steps.data[j] * sum;
            }
        }
        first += levels;
    }
}

void DistanceComputer::add_codes(const std::int32_t* codes, double* out) const {
    for (std::int64_t j = 0; j < queries_.codes.cols; ++j, codes += Tiles::size) {
        const double* costs = costs_.data() + offsets_[static_cast<std::size_t>(j)] + 1;
        for (std::int64_t r = 0; r < Tiles::size; ++r) out[r] = joined(kind_, out[r], costs[codes[r]]);
    }
}

// The same where cells are missing.
void DistanceComputer::measure_present(const double* numbers, const std::int32_t* codes, double* out) const {
    double present[Tiles::size] = {};
    std::fill_n(out, Tiles::size, 0.0);
    const double* share = metric_.shares.data;
    for (std::int64_t j = 0; j < queries_.numbers.cols; ++j, numbers += Tiles::size, ++share)
        for (std::int64_t r = 0; r < Tiles::size; ++r) {
            const double gap = numbers[r] - numbers_[j];
            if (std::isnan(gap)) continue;
            out[r] = joined(kind_, out[r], term(kind_, gap, metric_.power));
            present[r] += *share;
        }
    add_codes(codes, out);
    for (std::int64_t j = 0; j < queries_.codes.cols; ++j, codes += Tiles::size, ++share)
        for (std::int64_t r = 0; r < Tiles::size; ++r)
            if (codes_[j] >= 0 && codes[r] >= 0) present[r] += *share;
    for (std::int64_t r = 0; r < Tiles::size; ++r) {
        if (present[r] == 0.0)
            out[r] = infinity;
        else if (kind_ != Power::largest)
            out[r] *= total_share_ / present[r];
    }
}

std::uint32_t DistanceComputer::measure(const Tiles& tiles, std::int64_t tile, double limit,
                                        double* out) const {
    const double* numbers = tiles.numbers(tile);
    const std::int64_t cols = queries_.numbers.cols;
    if (!complete_) {
        measure_present(numbers, tiles.codes(tile), out);
        return within(out, limit) & tiles.places(tile);
    }
    switch (kind_) {
        case Power::two: {
            const std::uint32_t near = sweep_two(numbers, cols, numbers_, limit, out);
            if (queries_.codes.cols == 0) return near & tiles.places(tile);
            break;
        }
        case Power::one:
            sweep_one(numbers, cols, numbers_, out);
            break;
        case Power::largest:
            sweep_largest(numbers, cols, numbers_, out);
            break;
        case Power::count:
            sweep_count(numbers, cols, numbers_, out);
            break;
        case Power::any:
            sweep_any(numbers, cols, numbers_, metric_.power, out);
            break;
    }
    add_codes(tiles.codes(tile), out);
    return within(out, limit) & tiles.places(tile);
}

Buffer<double> pairwise(const MixedRows& rows, const MixedRows& queries, const Metric& metric, int threads) {
    constexpr std::int64_t run = 8;
    check_alike(rows, queries);
    check_metric(rows, metric);
    check_metric(queries, metric);
    const Tiles tiles(rows, nullptr, threads);
    Buffer<double> out(queries.numbers.rows, tiles.rows());
    parallel_rows(queries.numbers.rows, run, threads, [&](std::int64_t first, std::int64_t last) {
        DistanceComputer computer(metric, queries, tiles.complete());
        alignas(64) double powered[Tiles::size];
        Pace pace;
        for (std::int64_t i = first; i < last; ++i) {
            computer.set_query(i);
            double* row = out.data() + i * tiles.rows();
            for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
                pace.spend(tiles.cells());
                computer.measure(tiles, tile, infinity, powered);
                take_roots(powered, metric.power);
                std::copy_n(powered, tiles.filled(tile), row + tile * Tiles::size);
            }
        }
    });
    return out;
}

}  // namespace hornbook
