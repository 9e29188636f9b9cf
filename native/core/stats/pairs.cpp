#include "core/stats/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/stats/bundles.hpp"
#include "core/stats/levels.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run_rows = 512;
constexpr std::int64_t most_cells = 1 << 14;  // of a table for two bundles: about what fits the L1 cache

void check_rows(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y, const Vector<double>* w,
                std::int64_t n_classes) {
    check_class_count(n_classes);
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

// Upper limit of the cells of a bundle: the table of two should fit the cache and be small compared to the
// rows.
std::int64_t most_of(std::int64_t rows, std::int64_t n_classes) {
    const double cells = static_cast<double>(std::min(most_cells, rows / 4)) / static_cast<double>(n_classes);
    return static_cast<std::int64_t>(std::sqrt(cells));
}

// Columns in bundles, and the rows as cells of each bundle, one bundle after the other.
class Side {
  public:
    Side(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& n_levels,
         const Vector<std::int32_t>& columns, std::int64_t most, int threads)
        : bundles_(bundled(columns, n_levels, most)),
          rows_(codes.rows),
          cells_(codes.rows, static_cast<std::int64_t>(bundles_.size())) {
        parallel_rows(codes.rows, run_rows, threads, [&](std::int64_t first, std::int64_t last) {
            check_codes(codes, n_levels, first, last);
            for (std::size_t b = 0; b < bundles_.size(); ++b)
                bundles_[b].encode(codes.row(first), last - first, codes.cols, cells(b) + first);
        });
    }

    std::size_t size() const { return bundles_.size(); }
    const Bundle& bundle(std::size_t b) const { return bundles_[b]; }
    const std::int32_t* cells(std::size_t b) const {
        return cells_.data() + static_cast<std::int64_t>(b) * rows_;
    }

  private:
    std::int32_t* cells(std::size_t b) { return cells_.data() + static_cast<std::int64_t>(b) * rows_; }

    std::vector<Bundle> bundles_;
    std::int64_t rows_;
    Buffer<std::int32_t> cells_;
};

// Counts one bundle against another and hands the sums to all pairs of their columns. Whole numbers are
// counted exactly; sums of weights run over the rows of each cell in order, then over the cells.
template <class Count>
struct Counter {
    std::int64_t rows;
    const std::int32_t* y;
    const double* w;
    std::int64_t n_classes;
    std::int64_t levels_down;
    std::int64_t levels_across;
    double* out;

    double* line(std::int64_t c, std::int64_t level) const {
        return out + (c * levels_down + level) * levels_across;
    }

    Count weight(std::int64_t i) const {
        if constexpr (std::is_same_v<Count, double>) return w == nullptr ? 1.0 : w[i];
        return Count{1};
    }

    // Class and cell of `down`, cell of `across` unless that is null.
    Buffer<Count> table(const std::int32_t* down, std::int64_t n_down, const std::int32_t* across,
                        std::int64_t n_across) const {
        Buffer<Count> sums(checked_product(n_classes, n_down), n_across, Count{0});
        Count* to = sums.data();
        for (std::int64_t i = 0; i < rows; ++i)
            to[(y[i] * n_down + down[i]) * n_across + (across == nullptr ? 0 : across[i])] += weight(i);
        return sums;
    }

    // One line of the table, added up for every level of every column of a bundle.
    struct Gathered {
        explicit Gathered(const Bundle& bundle) : bundle_(bundle) {
            std::int64_t start = 0;
            for (std::size_t k = 0; k < bundle.columns.size(); ++k) {
                places_.push_back(bundle.levels_of(k));
                // A missing level has a slot in front of the others.
                for (std::int32_t& level : places_.back()) level += static_cast<std::int32_t>(start + 1);
                starts_.push_back(start);
                start += bundle.sizes[k] + 1;
            }
            sums_.resize(static_cast<std::size_t>(start));
        }

        void take(const Count* line) {
            std::fill(sums_.begin(), sums_.end(), Count{0});
            Count* sums = sums_.data();
            for (const std::vector<std::int32_t>& places : places_) {
                const std::int32_t* place = places.data();
                for (std::int64_t cell = 0; cell < bundle_.cells; ++cell) sums[place[cell]] += line[cell];
            }
        }

        // Calls fn(level, sum) for the levels of all columns, numbered as in the resulting table.
        template <class Fn>
        void for_each(Fn fn) const {
            for (std::size_t k = 0; k < starts_.size(); ++k) {
                const Count* own = sums_.data() + starts_[k] + 1;
                for (std::int64_t b = 0; b < bundle_.sizes[k]; ++b)
                    fn(bundle_.starts[k] + b, static_cast<double>(own[b]));
            }
        }

      private:
        const Bundle& bundle_;
        std::vector<std::vector<std::int32_t>> places_;
        std::vector<std::int64_t> starts_;
        std::vector<Count> sums_;
    };

    void both(const Bundle& down, const std::int32_t* down_cells, const Bundle& across,
              const std::int32_t* across_cells, bool mirrored) const {
        const Buffer<Count> sums = table(down_cells, down.cells, across_cells, across.cells);
        std::vector<std::vector<std::int32_t>> levels;
        for (std::size_t k = 0; k < down.columns.size(); ++k) levels.push_back(down.levels_of(k));
        Gathered gathered(across);
        Pace pace;
        for (std::int64_t c = 0; c < n_classes; ++c)
            for (std::int64_t cell = 0; cell < down.cells; ++cell) {
                pace.spend(across.cells * std::ssize(across.columns));
                gathered.take(sums.data() + (c * down.cells + cell) * across.cells);
                for (std::size_t k = 0; k < levels.size(); ++k) {
                    const std::int32_t level = levels[k][static_cast<std::size_t>(cell)];
                    if (level < 0) continue;
                    const std::int64_t a = down.starts[k] + level;
                    double* to = line(c, a);
                    gathered.for_each([&](std::int64_t b, double sum) { to[b] += sum; });
                    if (mirrored)
                        gathered.for_each([&](std::int64_t b, double sum) { line(c, b)[a] += sum; });
                }
            }
    }

    // The pairs within one bundle.
    void own(const Bundle& bundle, const std::int32_t* cells) const {
        const Buffer<Count> sums = table(cells, bundle.cells, nullptr, 1);
        for (std::size_t k = 0; k < bundle.columns.size(); ++k) {
            const std::vector<std::int32_t> first = bundle.levels_of(k);
            for (std::size_t l = 0; l < bundle.columns.size(); ++l) {
                const std::vector<std::int32_t> second = bundle.levels_of(l);
                for (std::int64_t c = 0; c < n_classes; ++c)
                    for (std::size_t cell = 0; cell < first.size(); ++cell)
                        if (first[cell] >= 0 && second[cell] >= 0)
                            line(c, bundle.starts[k] + first[cell])[bundle.starts[l] + second[cell]] +=
                                static_cast<double>(sums[c * bundle.cells + static_cast<std::int64_t>(cell)]);
            }
        }
    }
};

template <class Count>
void count(const Counter<Count>& counter, const Side& down, const Side& across, int threads) {
    const bool symmetric = &down == &across;
    std::vector<std::pair<std::size_t, std::size_t>> tasks;
    for (std::size_t a = 0; a < down.size(); ++a)
        for (std::size_t b = symmetric ? a : 0; b < across.size(); ++b) tasks.emplace_back(a, b);
    parallel_for(static_cast<std::int64_t>(tasks.size()), threads, [&](std::int64_t task) {
        const auto [a, b] = tasks[static_cast<std::size_t>(task)];
        if (symmetric && a == b)
            counter.own(down.bundle(a), down.cells(a));
        else
            counter.both(down.bundle(a), down.cells(a), across.bundle(b), across.cells(b), symmetric);
    });
}

}  // namespace

Buffer<double> pair_counts(const Matrix<std::int32_t>& codes, const Vector<std::int32_t>& y,
                           const Vector<double>* w, const Vector<std::int32_t>& n_levels,
                           const Vector<std::int32_t>& parents, std::int64_t n_classes, int threads) {
    check_rows(codes, y, w, n_classes);
    check_levels(codes, n_levels);
    std::int64_t levels_down = 0;
    for (std::int64_t p = 0; p < parents.size; ++p) {
        if (parents.data[p] < 0 || parents.data[p] >= codes.cols)
            refuse("parents must be columns from 0 to ", codes.cols - 1, "; entry ", p, " is ",
                   parents.data[p], ".");
        levels_down += n_levels.data[parents.data[p]];
    }
    const std::int64_t levels = level_offsets(n_levels).back();
    Buffer<double> out(checked_product(n_classes, levels_down), levels, 0.0);
    const std::int64_t most = most_of(codes.rows, n_classes);
    std::vector<std::int32_t> columns(static_cast<std::size_t>(codes.cols));
    std::iota(columns.begin(), columns.end(), 0);
    const Side across(codes, n_levels, {columns.data(), codes.cols}, most, threads);
    std::optional<Side> parent_side;
    if (!std::equal(columns.begin(), columns.end(), parents.data, parents.data + parents.size))
        parent_side.emplace(codes, n_levels, parents, most, threads);
    const Side& down = parent_side ? *parent_side : across;
    if (w == nullptr && codes.rows <= std::numeric_limits<std::uint32_t>::max())
        count<std::uint32_t>({codes.rows, y.data, nullptr, n_classes, levels_down, levels, out.data()}, down,
                             across, threads);
    else
        count<double>({codes.rows, y.data, w == nullptr ? nullptr : w->data, n_classes, levels_down, levels,
                       out.data()},
                      down, across, threads);
    return out;
}

}  // namespace hornbook
