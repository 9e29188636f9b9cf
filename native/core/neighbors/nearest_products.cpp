#include "core/neighbors/nearest_products.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/neighbors/rough_rows.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run = RoughRows::run;
constexpr std::int64_t batch = RoughQueries::batch;
constexpr std::int64_t batches = 4;  // whose scores are computed while a run of rows is in the cache
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float lowest = std::numeric_limits<float>::lowest();  // of the scores of rows

// Rounded down, so that nothing at the limit is lost.
float as_limit(double limit) {
    const auto close = static_cast<float>(limit);
    return static_cast<double>(close) <= limit ? close : std::nextafter(close, -infinity);
}

typedef float FloatLanes __attribute__((vector_size(32), may_alias));
typedef std::uint32_t WordLanes __attribute__((vector_size(32), may_alias));
typedef std::int64_t LongLanes __attribute__((vector_size(32), may_alias));
constexpr std::int64_t lanes_of_run = 8;
static_assert(run == 32 * lanes_of_run);

// Sets bit g of word l if score 8 g + l of a run is at or above the limit; returns whether there is one.
HORNBOOK_WIDE bool mark_above(const float* scores, float limit, std::uint32_t* words) {
    const auto* x = reinterpret_cast<const FloatLanes*>(scores);
    WordLanes bit = {1, 1, 1, 1, 1, 1, 1, 1};
    WordLanes marks{};
    for (std::int64_t g = 0; g < run / lanes_of_run; ++g, bit += bit)
        marks |= reinterpret_cast<WordLanes>(x[g] >= limit) & bit;
    const auto pairs = reinterpret_cast<const LongLanes&>(marks);
    if (((pairs[0] | pairs[1]) | (pairs[2] | pairs[3])) == 0) [[likely]]
        return false;
    *reinterpret_cast<WordLanes*>(words) = marks;
    return true;
}

// Writes which scores of a run are at or above the limit, in their order; returns how many.
std::int64_t collect(const float* scores, float limit, std::int32_t* places) {
    alignas(32) std::uint32_t words[lanes_of_run];
    if (!mark_above(scores, limit, words)) [[likely]]
        return 0;
    std::int64_t n = 0;
    for (std::int32_t lane = 0; lane < lanes_of_run; ++lane)
        for (std::uint32_t word = words[lane]; word != 0; word &= word - 1)
            places[n++] = std::countr_zero(word) * static_cast<std::int32_t>(lanes_of_run) + lane;
    std::sort(places, places + n);
    return n;
}

// The largest score of each of several disjoint parts of a run.
constexpr std::int64_t parts = 64;
HORNBOOK_WIDE void best_of_parts(const float* scores, float* best) {
    for (std::int64_t p = 0; p < parts; ++p) best[p] = scores[p];
    for (std::int64_t from = parts; from < run; from += parts)
        for (std::int64_t p = 0; p < parts; ++p)
            best[p] = scores[from + p] > best[p] ? scores[from + p] : best[p];
}

// The k-th largest of n numbers, which are reordered.
template <class Number>
Number kth_largest(Number* numbers, std::int64_t n, std::int64_t k) {
    constexpr std::int64_t few = 16;
    if (k > few) {
        std::nth_element(numbers, numbers + k - 1, numbers + n, std::greater<>());
        return numbers[k - 1];
    }
    // The best so far in order, in which few of the others take a place.
    Number best[few];
    std::fill_n(best, few, -std::numeric_limits<Number>::infinity());
    for (std::int64_t i = 0; i < n; ++i) {
        if (!(numbers[i] > best[k - 1])) continue;
        std::int64_t place = k - 1;
        for (; place > 0 && best[place - 1] < numbers[i]; --place) best[place] = best[place - 1];
        best[place] = numbers[i];
    }
    return best[k - 1];
}

struct Candidate {
    float score;
    std::int32_t row;
};

// The rows that may be among the k nearest of one query.
class Shortlist {
  public:
    Shortlist(const RoughRows& rows, std::int64_t k) : rows_(rows), k_(k), room_(k + std::max(k / 2, more)) {}

    void start(double error) {
        error_ = error;
        limit_ = lowest;
        list_.clear();
        list_.reserve(static_cast<std::size_t>(room_ + more));
    }

    // Takes the rows of a run from `first`; scores beyond the last row are below all.
    void take(const float* scores, std::int64_t first, std::vector<double>& room) {
        if (first == 0 && k_ <= parts / 4) limit_ = first_limit(scores);
        std::int32_t places[run];
        const std::int64_t n = collect(scores, limit_, places);
        if (n == 0) [[likely]]
            return;
        for (std::int64_t i = 0; i < n; ++i)
            list_.push_back({scores[places[i]], static_cast<std::int32_t>(first + places[i])});
        if (std::ssize(list_) >= room_) tighten(room);
    }

    const std::vector<Candidate>& close(std::vector<double>& room) {
        tighten(room);
        return list_;
    }

  private:
    static constexpr std::int64_t more = 16;

    // k parts have a row at least as good as their k-th best.
    float first_limit(const float* scores) const {
        float best[parts];
        best_of_parts(scores, best);
        const double sure = kth_largest(best, parts, k_);
        return std::max(as_limit(sure - 2.0 * (rows_.largest_error() + error_)), lowest);
    }

    // Drops what k others are nearer than, whatever the errors are.
    void tighten(std::vector<double>& room) {
        const std::int64_t n = std::ssize(list_);
        if (n <= k_) return;
        room.resize(list_.size());
        for (std::int64_t i = 0; i < n; ++i) {
            const Candidate& candidate = list_[static_cast<std::size_t>(i)];
            room[static_cast<std::size_t>(i)] =
                static_cast<double>(candidate.score) - 2.0 * rows_.error(candidate.row);
        }
        limit_ = as_limit(kth_largest(room.data(), n, k_) - 2.0 * error_);
        if (rows_.exact()) return tighten_exactly();
        std::erase_if(list_, [&](const Candidate& candidate) { return candidate.score < limit_; });
        room_ = std::max(room_, std::ssize(list_) + k_ / 2 + more);
    }

    // Without errors, rows that come later must be better: of two as near, the lower index wins.
    void tighten_exactly() {
        std::int64_t ties = k_ - std::count_if(list_.begin(), list_.end(), [&](const Candidate& candidate) {
                                return candidate.score > limit_;
                            });
        std::erase_if(list_, [&](const Candidate& candidate) {
            return candidate.score < limit_ || (candidate.score == limit_ && ties-- <= 0);
        });
        limit_ = std::nextafter(limit_, infinity);
    }

    const RoughRows& rows_;
    const std::int64_t k_;
    std::int64_t room_;
    double error_ = 0.0;
    float limit_ = lowest;
    std::vector<Candidate> list_ = {};
};

// Squares of the distances from a query to several rows, each summed in the order of the columns.
constexpr std::int64_t abreast = 4;
void square_distances(const double* query, const double* const* rows, std::int64_t cols, double* out) {
    double sums[abreast] = {};
    for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t r = 0; r < abreast; ++r) {
            const double gap = rows[r][j] - query[j];
            sums[r] += gap * gap;
        }
    std::copy_n(sums, abreast, out);
}

struct Search {
    const RoughRows& rough;
    const Matrix<double>& rows;
    const Matrix<double>& queries;
    std::int64_t k;
    Nearest& out;

    // Queries [first, last), at most `batches` batches.
    void find(std::int64_t first, std::int64_t last) const {
        const std::int64_t n = (last - first + batch - 1) / batch;
        std::vector<RoughQueries> packed(static_cast<std::size_t>(n));
        std::vector<Shortlist> lists(static_cast<std::size_t>(last - first), Shortlist(rough, k));
        for (std::int64_t b = 0; b < n; ++b) {
            RoughQueries& mine = packed[static_cast<std::size_t>(b)];
            rough.prepare(queries, first + b * batch, std::min(first + (b + 1) * batch, last), mine);
            for (std::int64_t i = 0; i < mine.count; ++i)
                lists[static_cast<std::size_t>(b * batch + i)].start(mine.errors[i]);
        }
        alignas(64) float scores[batch * run];
        std::vector<double> room;
        Pace pace;
        for (std::int64_t from = 0; from < rows.rows; from += run) {
            const std::int64_t count = std::min(run, rows.rows - from);
            for (std::int64_t b = 0; b < n; ++b) {
                const RoughQueries& mine = packed[static_cast<std::size_t>(b)];
                pace.spend(count * rows.cols);
                rough.score(mine, from, scores);
                for (std::int64_t i = 0; i < mine.count && count < run; ++i)
                    std::fill(scores + i * run + count, scores + (i + 1) * run, -infinity);
                for (std::int64_t i = 0; i < mine.count; ++i)
                    lists[static_cast<std::size_t>(b * batch + i)].take(scores + i * run, from, room);
            }
        }
        std::vector<Neighbor> neighbors;
        for (std::int64_t i = 0; i < last - first; ++i) {
            const double square = packed[static_cast<std::size_t>(i / batch)].squares[i % batch];
            settle(lists[static_cast<std::size_t>(i)].close(room), first + i, square, neighbors);
            pace.spend(std::ssize(neighbors) * rows.cols);
        }
    }

    void settle(const std::vector<Candidate>& list, std::int64_t query, double square,
                std::vector<Neighbor>& neighbors) const {
        neighbors.clear();
        for (const Candidate& candidate : list)
            neighbors.push_back({square - 2.0 * static_cast<double>(candidate.score), candidate.row});
        if (!rough.exact()) measure(query, neighbors);
        if (std::ssize(list) > k)
            std::nth_element(neighbors.begin(), neighbors.begin() + k - 1, neighbors.end());
        std::sort(neighbors.begin(), neighbors.begin() + k);
        for (std::int64_t i = 0; i < k; ++i) {
            const Neighbor& neighbor = neighbors[static_cast<std::size_t>(i)];
            out.distances[query * k + i] = std::sqrt(neighbor.powered);
            out.indices[query * k + i] = neighbor.index;
        }
    }

    void measure(std::int64_t query, std::vector<Neighbor>& neighbors) const {
        const std::int64_t n = std::ssize(neighbors);
        for (std::int64_t from = 0; from < n; from += abreast) {
            const double* several[abreast];
            double squares[abreast];
            for (std::int64_t r = 0; r < abreast; ++r)
                several[r] = rows.row(neighbors[static_cast<std::size_t>(std::min(from + r, n - 1))].index);
            square_distances(queries.row(query), several, rows.cols, squares);
            for (std::int64_t r = 0; r < std::min(abreast, n - from); ++r)
                neighbors[static_cast<std::size_t>(from + r)].powered = squares[r];
        }
    }
};

}  // namespace

Nearest nearest_products(const Matrix<double>& rows, const Matrix<double>& queries, std::int64_t k,
                         int threads) {
    if (rows.cols < 1) refuse("rows must have at least one column.");
    if (queries.cols != rows.cols)
        refuse("queries must have the ", rows.cols, " columns of the rows; they have ", queries.cols, ".");
    if (k < 1 || k > rows.rows) refuse("k must be from 1 to the ", rows.rows, " rows; got ", k, ".");
    const RoughRows rough(rows, queries, threads);
    if (!rough.usable() || rows.rows > std::numeric_limits<std::int32_t>::max()) {
        const std::vector<double> shares(static_cast<std::size_t>(rows.cols), 1.0);
        const Metric metric{2.0, {shares.data(), rows.cols}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0, 0}};
        return nearest_brute({rows, {nullptr, rows.rows, 0}}, {queries, {nullptr, queries.rows, 0}}, metric,
                             k, threads);
    }
    Nearest out{Buffer<double>(queries.rows, k), Buffer<std::int64_t>(queries.rows, k)};
    const Search search{rough, rows, queries, k, out};
    parallel_rows(queries.rows, batches * batch, threads,
                  [&](std::int64_t first, std::int64_t last) { search.find(first, last); });
    return out;
}

}  // namespace hornbook
