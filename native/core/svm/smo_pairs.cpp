#include "core/svm/smo_pairs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(const PairProblems& problems) {
    const Vector<std::int64_t>& starts = problems.starts;
    const std::int64_t n = problems.rows.size;
    if (problems.signs.size != n || problems.costs.size != n)
        refuse("every row of a problem needs a sign and a cost.");
    if (problems.values.size != 0 && problems.values.size != n)
        refuse("a start needs one value for each row of the problems.");
    if (starts.size < 1 || starts.data[0] != 0 || starts.data[starts.size - 1] != n)
        refuse("starts must begin with 0 and end with the number of rows.");
    for (std::int64_t p = 0; p + 1 < starts.size; ++p)
        if (starts.data[p] > starts.data[p + 1]) refuse("starts must not fall.");
    for (std::int64_t i = 0; i < n; ++i) {
        if (problems.signs.data[i] != 1.0 && problems.signs.data[i] != -1.0)
            refuse("signs must be +1 or -1.");
        if (!(problems.costs.data[i] > 0.0)) refuse("costs must be above 0.");
    }
}

SmoProblem problem_at(const PairProblems& problems, std::int64_t first, std::int64_t last) {
    const auto n = static_cast<std::size_t>(last - first);
    SmoProblem one{{problems.rows.data + first, problems.rows.data + last},
                   std::vector<std::int64_t>(n),
                   std::vector<double>(n),
                   std::vector<double>(n),
                   std::vector<double>(n),
                   std::vector<double>(n, 0.0),
                   std::vector<double>(n, 0.0)};
    std::iota(one.row_of.begin(), one.row_of.end(), 0);
    for (std::size_t i = 0; i < n; ++i) {
        const double sign = problems.signs.data[first + static_cast<std::int64_t>(i)];
        const double cost = problems.costs.data[first + static_cast<std::int64_t>(i)];
        const double bound = problems.squared ? infinity : cost;
        one.low[i] = sign > 0.0 ? 0.0 : -bound;
        one.high[i] = sign > 0.0 ? bound : 0.0;
        one.linear[i] = -sign;
        if (problems.squared) one.ridge[i] = 0.5 / cost;
        if (problems.values.size > 0)
            one.start[i] = problems.values.data[first + static_cast<std::int64_t>(i)];
    }
    return one;
}

}  // namespace

PairSolutions solve_pairs(const TableRows& table, const KernelSpec& spec, const PairProblems& problems,
                          const SmoOptions& options, int threads) {
    check(problems);
    const std::int64_t count = problems.starts.size - 1;
    PairSolutions out{Buffer<double>(problems.rows.size), Buffer<double>(problems.rows.size),
                      Buffer<double>(count, PairSolutions::n_facts)};
    parallel_for(count, threads, [&](std::int64_t p) {
        const std::int64_t first = problems.starts.data[p];
        SmoSolver solver(table, spec, problem_at(problems, first, problems.starts.data[p + 1]), options, 1);
        while (solver.run(16, 1)) {
        }
        std::copy(solver.values().begin(), solver.values().end(), out.values.data() + first);
        std::copy(solver.sums().begin(), solver.sums().end(), out.sums.data() + first);
        const SmoObjective reached = solver.objective();
        double* facts = out.facts.data() + p * PairSolutions::n_facts;
        const double numbers[PairSolutions::n_facts] = {solver.bias(),
                                                        static_cast<double>(solver.steps()),
                                                        solver.violation(),
                                                        reached.dual,
                                                        reached.gap,
                                                        static_cast<double>(solver.status()),
                                                        solver.indefinite() ? 1.0 : 0.0};
        std::copy_n(numbers, PairSolutions::n_facts, facts);
    });
    return out;
}

}  // namespace hornbook
