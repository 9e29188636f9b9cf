#include "core/svm/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"
#include "core/stop.hpp"
#include "core/svm/add_rows.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t largest_set = 256;
constexpr std::int64_t usual_set = 192;   // larger ones ask for kernel rows that turn out not to matter
constexpr std::int64_t modest_set = 128;  // of few rows
constexpr std::int64_t smallest_set = 16;
constexpr std::int64_t first_set = 32;
constexpr std::int64_t least_cache = 64 << 20;   // bytes, so that few rows are solved alike with any cache
constexpr std::int64_t most_at_once = 512;       // variables that are optimized together from the beginning
constexpr std::int64_t update_run = 2048;        // rows at a time
constexpr std::int64_t shrink_every = 8;         // rounds
constexpr double least_gain = 1e-14;             // of the objective, in a round, that is more than rounding
constexpr std::int64_t most_idle = 32;           // rounds without it
constexpr std::int64_t least_shared = 1 << 20;   // products for which starting another thread pays
constexpr std::int64_t most_products = 1 << 10;  // of one kernel value that are counted
constexpr double inner_share = 0.1;              // of the violation that a working set may keep

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// All variables if they are few; of many rows, as many as have room for their kernel values. In regression
// two variables share those of a row: large sets cost less there, and smaller ones take up to half as many
// steps again.
std::int64_t set_size(std::int64_t n, std::int64_t n_rows, std::int64_t cache_bytes) {
    if (n <= most_at_once) return n;
    const std::int64_t bytes = std::max<std::int64_t>(n_rows, 1) * static_cast<std::int64_t>(sizeof(double));
    const std::int64_t room = std::max(cache_bytes, least_cache) / bytes;
    const std::int64_t most = n > n_rows ? largest_set : std::clamp(n / 8, modest_set, usual_set);
    return std::min({std::max(room, smallest_set), most, n});
}

void check(const TableRows& table, const KernelSpec& spec, const SmoProblem& problem) {
    const std::size_t n = problem.row_of.size();
    if (spec.kind == KernelKind::precomputed && table.sparse())
        refuse("a precomputed table must be a matrix, not a sparse one.");
    if (spec.kind == KernelKind::precomputed && table.rows != table.cols)
        refuse("a precomputed table must be square; got ", table.rows, " by ", table.cols, ".");
    if (n == 0 || problem.rows.empty()) refuse("a problem needs rows and variables.");
    for (const auto* numbers : {&problem.low, &problem.high, &problem.linear, &problem.ridge, &problem.start})
        if (numbers->size() != n)
            refuse("a problem needs one bound, start and term for each of its ", n, " variables.");
    for (const std::int64_t row : problem.rows)
        if (row < 0 || row >= table.rows) refuse("row ", row, " is not in a table of ", table.rows, ".");
    for (std::size_t v = 0; v < n; ++v) {
        if (problem.row_of[v] < 0 || at(problem.row_of[v]) >= problem.rows.size())
            refuse("variable ", v, " belongs to no row of the problem.");
        if (!(problem.low[v] <= problem.start[v] && problem.start[v] <= problem.high[v]) ||
            !std::isfinite(problem.start[v]) || !std::isfinite(problem.linear[v]) ||
            !(problem.ridge[v] >= 0.0 && problem.ridge[v] < infinity))
            refuse("variable ", v, " needs a start between its bounds, and finite terms.");
    }
}

}  // namespace

SmoSolver::SmoSolver(const TableRows& table, const KernelSpec& spec, SmoProblem problem, SmoOptions options,
                     int threads)
    : table_(table),
      spec_(spec),
      problem_((check(table, spec, problem), std::move(problem))),
      options_(options),
      set_size_(set_size(std::ssize(problem_.row_of), std::ssize(problem_.rows), options.cache_bytes)),
      value_(problem_.start),
      sums_(problem_.rows.size(), 0.0),
      may_shrink_(options.shrinking),
      is_chosen_(problem_.row_of.size(), 0),
      set_(set_size_) {
    for (std::size_t v = 0; v < value_.size(); ++v)
        if (problem_.ridge[v] == 0.0 && (problem_.high[v] == infinity || problem_.low[v] == -infinity))
            hard_ = true;
    active_.resize(problem_.rows.size());
    std::iota(active_.begin(), active_.end(), 0);
    pack();
    own_ = packed_->diagonal(table_);
    for (const double own : own_) largest_own_ = std::max(largest_own_, std::abs(own));
    begin(threads);
}

// Kernel sums of the start. Its rows of the kernel matrix stay in the cache: they will be wanted again.
void SmoSolver::begin(int threads) {
    std::vector<std::int64_t> started;
    for (std::size_t v = 0; v < value_.size(); ++v)
        if (value_[v] != 0.0) started.push_back(static_cast<std::int64_t>(v));
    for (std::int64_t k = 0; k < std::ssize(started); k += set_size_) {
        stop_point();
        const std::int64_t end = std::min(k + set_size_, std::ssize(started));
        chosen_.assign(started.begin() + k, started.begin() + end);
        load_rows(threads);
        std::vector<double> steps;
        for (const std::int64_t v : chosen_) steps.push_back(value_[at(v)]);
        add({kernel_.begin(), kernel_.end()}, steps, threads);
    }
    chosen_.clear();
    dual_ = measured().dual;
}

double SmoSolver::gradient(std::int64_t variable) const {
    const std::size_t v = at(variable);
    return sums_[at(problem_.row_of[v])] + problem_.linear[v] + problem_.ridge[v] * value_[v];
}

// How far variables are from being optimal, and which violate that.
void SmoSolver::scan() {
    rising_.clear();
    falling_.clear();
    steepest_ = -infinity;
    lowest_ = infinity;
    for (const std::int64_t v : variables_) {
        const double pull = -gradient(v);
        if (value_[at(v)] < problem_.high[at(v)]) {
            steepest_ = std::max(steepest_, pull);
            rising_.push_back({-pull, v});
        }
        if (value_[at(v)] > problem_.low[at(v)]) {
            lowest_ = std::min(lowest_, pull);
            falling_.push_back({pull, v});
        }
    }
    violation_ = rising_.empty() || falling_.empty() ? 0.0 : std::max(steepest_ - lowest_, 0.0);
}

void SmoSolver::take(std::vector<Candidate>& candidates, std::int64_t most) {
    const auto middle = candidates.begin() + std::min<std::ptrdiff_t>(most, std::ssize(candidates));
    std::nth_element(candidates.begin(), middle, candidates.end());
    std::sort(candidates.begin(), middle);
    for (auto it = candidates.begin(); it != middle; ++it)
        if (!is_chosen_[at(it->variable)]) {
            is_chosen_[at(it->variable)] = 1;
            chosen_.push_back(it->variable);
        }
}

// The variables that violate most, and those of the last round as far as there is room.
void SmoSolver::choose() {
    const std::vector<std::int64_t> before = std::move(chosen_);
    chosen_.clear();
    for (const std::int64_t v : before) is_chosen_[at(v)] = 0;
    kept_.clear();
    if (std::ssize(variables_) <= std::min(most_at_once, set_size_)) {
        chosen_ = variables_;
        return;
    }
    // The first rounds know little about which variables will matter: small sets, few rows of the kernel.
    const std::int64_t room = rounds_ < 4 ? std::min(set_size_, first_set << rounds_) : set_size_;
    const bool shared = problem_.row_of.size() > problem_.rows.size();  // kernel rows, by two variables
    const std::int64_t half = room / (before.empty() ? 2 : shared ? 4 : 6);
    take(rising_, half);
    take(falling_, half);
    for (std::int64_t k = 0; k < std::ssize(before) && std::ssize(chosen_) < room; ++k) {
        const std::int64_t v = before[at(k)];
        if (is_chosen_[at(v)] || place_[at(problem_.row_of[at(v)])] < 0) continue;
        is_chosen_[at(v)] = 1;
        chosen_.push_back(v);
        kept_.push_back(k);
    }
}

// Kernel values, bounds and gradients of the chosen variables.
void SmoSolver::load(int threads) {
    set_.resize(std::ssize(chosen_));
    if (is_whole()) {
        fill_whole();
    } else {
        load_rows(threads);
        fill_kernel();
    }
    for (std::int64_t a = 0; a < set_.size; ++a) {
        const std::int64_t v = chosen_[at(a)];
        const std::int64_t row = problem_.row_of[at(v)];
        set_.ridge[a] = problem_.ridge[at(v)];
        set_.own[a] = own_[at(row)] + set_.ridge[a];
        set_.value[a] = value_[at(v)];
        set_.low[a] = problem_.low[at(v)];
        set_.high[a] = problem_.high[at(v)];
        set_.gradient[a] = gradient(v);
    }
}

// Whether the chosen variables are all there are, one for each row.
bool SmoSolver::is_whole() const {
    if (chosen_.size() != variables_.size() || chosen_.size() != active_.size()) return false;
    for (std::size_t a = 0; a < chosen_.size(); ++a)
        if (problem_.row_of[at(chosen_[a])] != active_[a]) return false;
    return true;
}

// The kernel matrix of few rows goes where it is used; half of it is computed, and mirrored.
void SmoSolver::fill_whole() {
    constexpr std::int64_t batch = KernelRows::batch;
    std::int64_t queries[batch];
    double* places[batch];
    kernel_.resize(chosen_.size());
    for (std::int64_t a = 0; a < set_.size; ++a) kernel_[at(a)] = set_.row(a);
    for (std::int64_t a = 0; a < set_.size; a += batch) {
        const std::int64_t count = std::min(batch, set_.size - a);
        for (std::int64_t k = 0; k < count; ++k) {
            queries[k] = problem_.rows[at(active_[at(a + k)])];
            places[k] = set_.row(a + k);
        }
        packed_->values(table_, queries, count, a, set_.size, places);
    }
    for (std::int64_t a = 0; a < set_.size; ++a) {
        double* line = set_.row(a);
        for (std::int64_t b = 0; b < a; ++b) line[b] = set_.row(b)[a];
        for (std::int64_t b = set_.size; b < set_.stride; ++b) line[b] = 0.0;
    }
}

// Kernel values of the chosen variables with all rows that take part.
void SmoSolver::load_rows(int threads) {
    if (cache_ == nullptr) renew_cache();
    std::vector<std::int64_t> queries;
    std::vector<double*> places;
    kernel_.assign(chosen_.size(), nullptr);
    for (std::size_t k = 0; k < chosen_.size(); ++k)
        kernel_[k] = cache_->find(problem_.row_of[at(chosen_[k])]);
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
        const std::int64_t row = problem_.row_of[at(chosen_[k])];
        if (kernel_[k] != nullptr || (kernel_[k] = cache_->find(row)) != nullptr) continue;
        kernel_[k] = cache_->claim(row);
        queries.push_back(problem_.rows[at(row)]);
        places.push_back(kernel_[k]);
    }
    if (queries.empty()) return;
    const bool few =
        std::ssize(queries) * packed_->size() * std::min(table_.cols, most_products) < least_shared;
    parallel_rows(
        packed_->size(), packed_->part(), few ? 1 : threads, [&](std::int64_t first, std::int64_t last) {
            packed_->values(table_, queries.data(), std::ssize(queries), first, last, places.data());
        });
}

// Kernel values of all pairs of chosen variables; those of variables that were there before are copied.
void SmoSolver::fill_kernel() {
    const std::int64_t fresh = std::ssize(chosen_) - std::ssize(kept_);
    std::vector<std::int64_t> places;
    for (const std::int64_t v : chosen_) places.push_back(place_[at(problem_.row_of[at(v)])]);
    for (std::int64_t a = 0; a < fresh; ++a) {
        const double* values = kernel_[at(a)];
        double* line = set_.row(a);
        for (std::int64_t b = 0; b < set_.size; ++b) line[b] = values[places[at(b)]];
    }
    for (std::int64_t a = fresh; a < set_.size; ++a) {
        double* line = set_.row(a);
        const double* old = set_.previous_row(kept_[at(a - fresh)]);
        for (std::int64_t b = 0; b < fresh; ++b) line[b] = set_.row(b)[a];
        for (std::int64_t b = fresh; b < set_.size; ++b) line[b] = old[kept_[at(b - fresh)]];
    }
}

// Adds rows of the kernel matrix, each times its step, to the kernel sums of all active rows.
void SmoSolver::add(const std::vector<const double*>& rows, const std::vector<double>& steps, int threads) {
    const bool few = std::ssize(rows) * packed_->size() < least_shared;
    parallel_rows(packed_->size(), update_run, few ? 1 : threads, [&](std::int64_t first, std::int64_t last) {
        alignas(64) double sums[update_run];
        for (std::int64_t r = first; r < last; r += update_run) {
            const std::int64_t end = std::min(r + update_run, last);
            for (std::int64_t i = r; i < end; ++i) sums[i - r] = sums_[at(active_[at(i)])];
            for (std::int64_t i = end; i % lanes != 0; ++i) sums[i - r] = 0.0;
            add_rows(sums - r, rows.data(), steps.data(), std::ssize(rows), r,
                     (end + lanes - 1) / lanes * lanes);
            for (std::int64_t i = r; i < end; ++i) sums_[at(active_[at(i)])] = sums[i - r];
        }
    });
}

// What rounding can change in a gradient: kernel sums have as many terms as there are variables above 0, and
// may cancel.
double SmoSolver::noise() const {
    double mass = 0.0;
    for (const double value : value_) mass += std::abs(value);
    return std::numeric_limits<double>::epsilon() * mass * largest_own_;
}

// Takes over the new values. The objective is quadratic: it changes by the step times the mean of the
// gradients before and after.
void SmoSolver::update(int threads) {
    std::vector<const double*> rows;
    std::vector<double> steps;
    double gain = 0.0;
    double moved = 0.0;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
        const auto a = static_cast<std::int64_t>(k);
        const double step = set_.value[a] - value_[at(chosen_[k])];
        if (step == 0.0) continue;
        moved += std::abs(step);
        gain -= 0.5 * step * (gradient(chosen_[k]) + set_.gradient[a]);
        value_[at(chosen_[k])] = set_.value[a];
        rows.push_back(kernel_[k]);
        steps.push_back(step);
    }
    dual_ += gain;
    idle_ = gain > std::max(least_gain * std::abs(dual_), moved * noise()) ? 0 : idle_ + 1;
    add(rows, steps, threads);
    if (rows.empty() || idle_ >= most_idle) status_ = SmoStatus::stalled;
}

bool SmoSolver::round(int threads) {
    scan();
    const bool whole = is_all();
    if (violation_ <= options_.tol) {
        if (whole) {
            status_ = SmoStatus::optimal;
            return false;
        }
        restore(threads);
        may_shrink_ = false;
        return true;
    }
    if (may_shrink_ && rounds_ % shrink_every == shrink_every - 1 && std::ssize(variables_) > set_size_) {
        if (whole) primal_ = std::min(primal_, objective().dual + objective().gap);
        shrink();
        scan();
    }
    choose();
    load(threads);
    const bool all = std::ssize(chosen_) == std::ssize(variables_);
    const double tol = all ? options_.tol : std::max(options_.tol, inner_share * violation_);
    const PairSteps steps = optimize_pairs(set_, tol, std::min(options_.max_steps - steps_, 100 * set_.size));
    ++rounds_;
    steps_ += steps.count;
    indefinite_ = indefinite_ || steps.indefinite;
    update(threads);
    // Negative curvature without a bound: values grow until they overflow.
    if (steps.unbounded || !std::isfinite(dual_) || (hard_ && whole && inseparable()))
        status_ = SmoStatus::unbounded;
    else if (status_ == SmoStatus::running && steps_ >= options_.max_steps)
        status_ = SmoStatus::out_of_steps;
    return status_ == SmoStatus::running;
}

bool SmoSolver::run(std::int64_t rounds, int threads) {
    for (std::int64_t i = 0; i < rounds && status_ == SmoStatus::running; ++i) {
        stop_point();
        round(threads);
    }
    if (status_ != SmoStatus::running) settle(threads);
    return status_ == SmoStatus::running;
}

void SmoSolver::settle(int threads) {
    if (is_all()) return;
    restore(threads);
    scan();
}

}  // namespace hornbook
