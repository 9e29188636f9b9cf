// Support vector machines as one quadratic program, solved by decomposition.
//
// The variables b of a problem have bounds, and each belongs to a row. Minimized is
//     ½ Σ Σ b_i b_j K(row of i, row of j) + ½ Σ ridge_i b_i² + Σ linear_i b_i,   with Σ b constant.
// Classification: b = y alpha, from 0 to y C, linear = -y. Squared hinge: no upper bound, ridge = 1 / (2 C).
// Regression: two variables for each row. One class: b from 0 to 1, and their sum says how many rows are out.
//
// Each round takes the variables that violate the optimality conditions most, computes their rows of the
// kernel matrix in one block, optimizes them pair by pair (working_set.hpp), and updates all gradients once
// (Joachims 1999; many variables at a time as in Wen et al., ThunderSVM, JMLR 2018).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/svm/kernel_rows.hpp"
#include "core/svm/row_cache.hpp"
#include "core/svm/working_set.hpp"

namespace hornbook {

struct SmoProblem {
    std::vector<std::int64_t> rows;    // of the table
    std::vector<std::int64_t> row_of;  // of each variable, a position in rows
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> linear;
    std::vector<double> ridge;
    std::vector<double> start;
};

struct SmoOptions {
    double tol;
    std::int64_t max_steps;
    std::int64_t cache_bytes;
    bool shrinking;
};

enum class SmoStatus : int { running, optimal, out_of_steps, unbounded, stalled };

struct SmoObjective {
    double dual;  // of the maximization, as textbooks write it
    double gap;   // primal less dual; at least 0, and 0 at the optimum
};

class SmoSolver {
  public:
    // Refuses what would make it read beyond its arrays. The table must outlive the solver.
    SmoSolver(const TableRows& table, const KernelSpec& spec, SmoProblem problem, SmoOptions options,
              int threads);

    // Goes on for at most this many rounds; false when there is nothing more to do.
    bool run(std::int64_t rounds, int threads);

    // All rows take part again, so that the sums of all are what they should be.
    void settle(int threads);

    SmoStatus status() const { return status_; }
    std::int64_t steps() const { return steps_; }
    bool indefinite() const { return indefinite_; }
    double violation() const { return violation_; }
    const std::vector<double>& values() const { return value_; }
    // Kernel sums of all rows of the problem.
    const std::vector<double>& sums() const { return sums_; }
    double bias() const;
    // While rows are left out, the gap is that to the lowest value of the primal problem that is known.
    SmoObjective objective() const;

  private:
    struct Candidate {
        double merit;
        std::int64_t variable;
        bool operator<(const Candidate& other) const {
            return merit != other.merit ? merit < other.merit : variable < other.variable;
        }
    };

    double gradient(std::int64_t variable) const;
    double noise() const;
    bool is_all() const { return active_.size() == problem_.rows.size(); }
    SmoObjective measured() const;
    void scan();
    void choose();
    void take(std::vector<Candidate>& candidates, std::int64_t most);
    void load(int threads);
    bool is_whole() const;
    void fill_whole();
    void load_rows(int threads);
    void add(const std::vector<const double*>& rows, const std::vector<double>& steps, int threads);
    void begin(int threads);
    void update(int threads);
    bool round(int threads);
    bool inseparable() const;
    void shrink();
    void restore(int threads);
    void pack();
    void renew_cache();
    void fill_kernel();

    TableRows table_;
    KernelSpec spec_;
    SmoProblem problem_;
    SmoOptions options_;
    std::int64_t set_size_;
    std::vector<double> own_;
    double largest_own_ = 0.0;
    std::vector<double> value_;
    std::vector<double> sums_;
    bool hard_ = false;  // some variable has neither an upper bound nor a ridge

    std::vector<std::int64_t> active_;     // rows that take part, ascending
    std::vector<std::int64_t> place_;      // of each row among them, -1: left out
    std::vector<std::int64_t> variables_;  // of active rows
    std::unique_ptr<KernelRows> packed_;
    std::unique_ptr<RowCache> cache_;  // none until rows are wanted
    bool may_shrink_;

    std::vector<Candidate> rising_;
    std::vector<Candidate> falling_;
    std::vector<std::int64_t> chosen_;
    std::vector<char> is_chosen_;
    std::vector<std::int64_t> kept_;  // places that the last of them had in the round before
    std::vector<double*> kernel_;     // row of the kernel matrix of each chosen variable
    WorkingSet set_;

    SmoStatus status_ = SmoStatus::running;
    std::int64_t steps_ = 0;
    std::int64_t rounds_ = 0;
    bool indefinite_ = false;
    double dual_ = 0.0;                                        // exact, whichever rows take part
    double primal_ = std::numeric_limits<double>::infinity();  // lowest of rounds with all rows
    std::int64_t idle_ = 0;  // rounds in which the objective has hardly changed
    double steepest_ = 0.0;
    double lowest_ = 0.0;
    double violation_ = 0.0;
};

}  // namespace hornbook
