#include "core/cluster/medoids.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t size = Tiles::size;
constexpr std::int64_t groups = size / lanes;
constexpr std::int64_t most_ahead = 32;  // candidates per thread that are evaluated before one is taken
constexpr double least_gain = 1e-13;     // of the loss; less is rounding
constexpr double least_share =
    1e-14;  // of what the removal of a medoid adds, from which a gain is subtracted

typedef double LooseLanes __attribute__((vector_size(64), may_alias, aligned(8)));
typedef std::int64_t IntLanes __attribute__((vector_size(64), may_alias));

// Which numbers of a tile are below their limits.
HORNBOOK_WIDE std::uint32_t below(const double* numbers, const double* limits) {
    const LooseLanes* x = reinterpret_cast<const LooseLanes*>(numbers);
    const auto* limit = reinterpret_cast<const Lanes*>(limits);
    IntLanes bits = {1, 2, 4, 8, 16, 32, 64, 128};
    IntLanes bits_set{};
    for (std::int64_t g = 0; g < groups; ++g, bits <<= lanes) bits_set |= (x[g] < limit[g]) & bits;
    std::int64_t mask = 0;
    for (std::int64_t r = 0; r < lanes; ++r) mask |= bits_set[r];
    return static_cast<std::uint32_t>(mask);
}

// The distances and their tiles, shared by all threads.
class Table {
  public:
    Table(const AllDistances& all, int threads) : all_(all) {
        if (all.matrix == nullptr) tiles_.emplace(*all.rows, nullptr, threads);
    }

    std::int64_t rows() const { return all_.matrix == nullptr ? all_.rows->numbers.rows : all_.matrix->rows; }
    std::int64_t tiles() const { return (rows() + size - 1) / size; }
    std::int64_t cells() const { return tiles_ ? tiles_->cells() : size; }
    // Matrices hold distances, computed ones are powers of them.
    double power() const { return all_.metric == nullptr ? 1.0 : all_.metric->power; }

    // The distances of one row; each thread has its own.
    class Reader {
      public:
        explicit Reader(const Table& table) : table_(table) {
            if (table.tiles_)
                computer_.emplace(*table.all_.metric, *table.all_.rows, table.tiles_->complete());
        }
        void set_row(std::int64_t i) {
            if (computer_)
                computer_->set_query(i);
            else
                row_ = table_.all_.matrix->row(i);
        }
        // The powered distances to the rows of a tile; `room` is where they may be put.
        const double* measure(std::int64_t tile, double* room) const {
            if (computer_) {
                computer_->measure(*table_.tiles_, tile, infinity, room);
                return room;
            }
            const std::int64_t filled = std::min(size, table_.rows() - tile * size);
            if (filled == size) return row_ + tile * size;
            std::copy_n(row_ + tile * size, filled, room);
            std::fill(room + filled, room + size, infinity);
            return room;
        }

      private:
        const Table& table_;
        std::optional<DistanceComputer> computer_;
        const double* row_ = nullptr;
    };

  private:
    const AllDistances& all_;
    std::optional<Tiles> tiles_;
};

// What a swap of the candidate with its best partner would change.
struct Swap {
    double change;
    std::int64_t slot;
};

// The medoids, and of each row the nearest two.
class Medoids {
  public:
    Medoids(const Table& table, const Vector<double>& weights, const Vector<std::int64_t>& medoids,
            int threads);

    Swap best_swap(Table::Reader& reader, std::int64_t candidate, std::vector<double>& changes) const;
    void make(const Swap& swap, std::int64_t candidate);
    bool is_medoid(std::int64_t row) const {
        return std::find(medoids_.data(), medoids_.data() + k_, row) != medoids_.data() + k_;
    }
    double loss() const { return loss_; }
    // Whether a swap lowers the loss by more than its sums are rounded: they cancel where groups lie far
    // apart.
    bool improves(const Swap& swap) const {
        const double removal = removals_[static_cast<std::size_t>(swap.slot)];
        return swap.change < -least_gain * loss_ - (std::isfinite(removal) ? least_share * removal : 0.0);
    }
    Buffer<std::int64_t> take() { return std::move(medoids_); }

  private:
    void measure(std::int64_t slot);
    void rank(std::int64_t row);
    void sum_up();

    const Table& table_;
    const Vector<double>& weights_;
    std::int64_t n_;
    std::int64_t k_;
    Buffer<std::int64_t> medoids_;
    Buffer<double> distances_;  // (medoids, rows)
    Buffer<std::int32_t> nearest_;
    Buffer<std::int32_t> next_;
    Buffer<double> first_;   // distance to the nearest medoid
    Buffer<double> second_;  // and to the next
    Buffer<double> limits_;  // powers of `second_`; minus infinity in the padding
    std::vector<double> removals_;
    double loss_ = 0.0;
};

Medoids::Medoids(const Table& table, const Vector<double>& weights, const Vector<std::int64_t>& medoids,
                 int threads)
    : table_(table),
      weights_(weights),
      n_(table.rows()),
      k_(medoids.size),
      medoids_(medoids.size),
      distances_(medoids.size, table.rows()),
      nearest_(table.rows()),
      next_(table.rows()),
      first_(table.rows()),
      second_(table.rows()),
      limits_(table.tiles() * size, 1, -infinity),
      removals_(static_cast<std::size_t>(medoids.size)) {
    std::copy_n(medoids.data, k_, medoids_.data());
    parallel_for(k_, threads, [&](std::int64_t slot) { measure(slot); });
    for (std::int64_t i = 0; i < n_; ++i) rank(i);
    sum_up();
}

void Medoids::measure(std::int64_t slot) {
    Table::Reader reader(table_);
    reader.set_row(medoids_[slot]);
    alignas(64) double room[size];
    double* out = distances_.data() + slot * n_;
    Pace pace;
    for (std::int64_t tile = 0; tile < table_.tiles(); ++tile) {
        pace.spend(table_.cells());
        const double* powered = reader.measure(tile, room);
        const std::int64_t filled = std::min(size, n_ - tile * size);
        std::copy_n(powered, filled, room);
        take_roots(room, table_.power());
        std::copy_n(room, filled, out + tile * size);
    }
}

// The nearest two medoids of a row; ties go to the first.
void Medoids::rank(std::int64_t row) {
    std::int32_t nearest = 0, next = -1;
    double first = distances_[row], second = infinity;
    for (std::int64_t slot = 1; slot < k_; ++slot) {
        const double distance = distances_[slot * n_ + row];
        if (distance < first) {
            next = nearest, second = first;
            nearest = static_cast<std::int32_t>(slot), first = distance;
        } else if (next < 0 || distance < second) {
            next = static_cast<std::int32_t>(slot), second = distance;
        }
    }
    nearest_[row] = nearest, next_[row] = next;
    first_[row] = first, second_[row] = second;
}

// The loss, what the removal of each medoid would add to it, and the limits.
void Medoids::sum_up() {
    loss_ = 0.0;
    std::fill(removals_.begin(), removals_.end(), 0.0);
    const double power = table_.power();
    for (std::int64_t i = 0; i < n_; ++i) {
        const double w = weights_.data[i];
        limits_[i] = power == 2.0              ? second_[i] * second_[i]
                     : root(2.0, power) == 2.0 ? second_[i]
                                               : std::pow(second_[i], power);
        // A product with weight 0 would make NaN of an infinite distance.
        if (w == 0.0) continue;
        loss_ += w * first_[i];
        removals_[static_cast<std::size_t>(nearest_[i])] += w * (second_[i] - first_[i]);
    }
}

Swap Medoids::best_swap(Table::Reader& reader, std::int64_t candidate, std::vector<double>& changes) const {
    alignas(64) double room[size];
    const double power = table_.power();
    double gain = 0.0;  // whichever medoid is removed
    changes.assign(removals_.begin(), removals_.end());
    reader.set_row(candidate);
    Pace pace;
    for (std::int64_t tile = 0; tile < table_.tiles(); ++tile) {
        pace.spend(table_.cells());
        const double* distances = reader.measure(tile, room);
        std::uint32_t mask = below(distances, limits_.data() + tile * size);
        if (mask == 0) continue;
        if (distances == room) take_roots(room, power);  // those of a matrix have none
        for (; mask != 0; mask &= mask - 1) {
            const std::int64_t r = std::countr_zero(mask);
            const std::int64_t i = tile * size + r;
            const double w = weights_.data[i];
            if (w == 0.0) continue;
            const double distance = distances[r];
            double& change = changes[static_cast<std::size_t>(nearest_[i])];
            if (distance < first_[i]) {
                gain += w * (distance - first_[i]);
                change += w * (first_[i] - second_[i]);
            } else {
                change += w * (distance - second_[i]);
            }
        }
    }
    const auto best = std::min_element(changes.begin(), changes.end());
    return {*best + gain, best - changes.begin()};
}

void Medoids::make(const Swap& swap, std::int64_t candidate) {
    medoids_[swap.slot] = candidate;
    measure(swap.slot);
    const double* distances = distances_.data() + swap.slot * n_;
    const auto slot = static_cast<std::int32_t>(swap.slot);
    for (std::int64_t i = 0; i < n_; ++i) {
        // Nothing changes for a row that was not near the old medoid and is not near the new one.
        if (nearest_[i] == slot || next_[i] == slot || distances[i] <= second_[i]) rank(i);
    }
    sum_up();
}

// Working memory of one candidate at a time.
struct Search {
    std::optional<Table::Reader> reader;
    std::vector<double> changes;
};

void check_search(const AllDistances& all, const Vector<double>& weights) {
    if (all.matrix == nullptr) check_metric(*all.rows, *all.metric);
    if (all.matrix != nullptr && all.matrix->rows != all.matrix->cols)
        refuse("distances must be square; got ", all.matrix->rows, " by ", all.matrix->cols, ".");
    const std::int64_t n = all.matrix == nullptr ? all.rows->numbers.rows : all.matrix->rows;
    if (weights.size != n)
        refuse("weights must have one entry per row; it has ", weights.size, " for ", n, " rows.");
}

}  // namespace

MedoidSearch swap_pass(const AllDistances& all, const Vector<double>& weights,
                       const Vector<std::int64_t>& medoids, std::int64_t still, int threads) {
    check_search(all, weights);
    if (medoids.size < 2) refuse("medoids must be at least two; got ", medoids.size, ".");
    for (std::int64_t m = 0; m < medoids.size; ++m)
        if (medoids.data[m] < 0 || medoids.data[m] >= weights.size)
            refuse("medoids must be rows from 0 to ", weights.size - 1, "; got ", medoids.data[m], ".");
    if (still < 0) refuse("still must be at least 0; got ", still, ".");
    const Table table(all, threads);
    Medoids state(table, weights, medoids, threads);
    const std::int64_t n = table.rows();
    const std::int64_t widest = std::clamp<std::int64_t>(threads == 1 ? 1 : most_ahead * threads, 1, n);
    std::vector<Swap> swaps(static_cast<std::size_t>(widest));
    std::vector<Search> searches(swaps.size());
    std::int64_t made = 0, ahead = 1;
    // Candidates are evaluated some at a time, on all threads; the first that lowers the loss is taken and
    // those behind it are evaluated again: the outcome is that of one at a time.
    for (std::int64_t first = 0; first < n && still < n;) {
        const std::int64_t count = std::min({ahead, n - first, n - still});
        parallel_for(count, threads, [&](std::int64_t item) {
            const std::int64_t candidate = first + item;
            auto& swap = swaps[static_cast<std::size_t>(item)];
            swap = {0.0, 0};
            if (!(weights.data[candidate] > 0.0) || state.is_medoid(candidate)) return;
            Search& search = searches[static_cast<std::size_t>(item)];
            if (!search.reader) search.reader.emplace(table);
            swap = state.best_swap(*search.reader, candidate, search.changes);
        });
        const auto end = swaps.begin() + count;
        const auto taken = std::find_if(swaps.begin(), end, [&](const Swap& s) { return state.improves(s); });
        const std::int64_t passed = taken - swaps.begin();
        still += passed;
        first += passed;
        if (taken == end) {
            ahead = std::min(2 * ahead, widest);
            continue;
        }
        state.make(*taken, first);
        ++first, ++made;
        still = 0;
        ahead = std::min<std::int64_t>(widest, std::max(1, threads));
    }
    const double loss = state.loss();
    return {state.take(), made, still, loss};
}

Buffer<double> joining_losses(const AllDistances& all, const Vector<double>& weights,
                              const Vector<double>& nearest, int threads) {
    constexpr std::int64_t run = 8;
    check_search(all, weights);
    if (nearest.size != weights.size)
        refuse("nearest must have one entry per row; it has ", nearest.size, " for ", weights.size, ".");
    const Table table(all, threads);
    const std::int64_t n = table.rows();
    Buffer<double> out(n);
    parallel_rows(n, run, threads, [&](std::int64_t first, std::int64_t last) {
        Table::Reader reader(table);
        alignas(64) double room[size];
        Pace pace;
        for (std::int64_t candidate = first; candidate < last; ++candidate) {
            reader.set_row(candidate);
            double loss = 0.0;
            for (std::int64_t tile = 0; tile < table.tiles(); ++tile) {
                pace.spend(table.cells());
                const double* powered = reader.measure(tile, room);
                for (std::int64_t r = 0; r < std::min(size, n - tile * size); ++r) {
                    const std::int64_t i = tile * size + r;
                    const double w = weights.data[i];
                    if (w != 0.0) loss += w * std::min(root(powered[r], table.power()), nearest.data[i]);
                }
            }
            out[candidate] = loss;
        }
    });
    return out;
}

}  // namespace hornbook
