#include "core/tree/search/criteria.hpp"

namespace hornbook {

double entropy(const double* weights, int classes, double total) {
    double sum = 0.0;
    for (int k = 0; k < classes; ++k) sum -= xlog2x(weights[k] / total);
    return std::max(0.0, sum);
}

namespace {

// Sum of squares of the shares.
double squared_shares(const double* weights, int classes, double total) {
    double sum = 0.0;
    for (int k = 0; k < classes; ++k) sum += (weights[k] / total) * (weights[k] / total);
    return sum;
}

// Daroczy (1970): 2^(b-1) / (2^(b-1) - 1) (1 - sum p^b); Shannon's entropy in the limit b -> 1.
double generalized_entropy(const double* weights, int classes, double total, double beta) {
    if (beta == 1.0) return entropy(weights, classes, total);
    double sum = 0.0;
    for (int k = 0; k < classes; ++k)
        if (weights[k] > 0.0) sum += std::pow(weights[k] / total, beta);
    const double power = std::exp2(beta - 1.0);
    return power / (power - 1.0) * (1.0 - sum);
}

double largest(const double* weights, int classes) { return *std::max_element(weights, weights + classes); }

// Weights of classes and of branches in one table.
struct Margins {
    std::vector<double> classes, branches;
    double total = 0.0;
};

Margins margins_of(const double* table, std::int64_t branches, int stride, int classes) {
    Margins m{std::vector<double>(static_cast<std::size_t>(classes)), {}, 0.0};
    for (std::int64_t v = 0; v < branches; ++v) {
        const double* row = table + v * stride;
        for (int k = 0; k < classes; ++k) m.classes[static_cast<std::size_t>(k)] += row[k];
        m.branches.push_back(sum_of_classes(row, classes));
        m.total += m.branches.back();
    }
    return m;
}

double cart(const double* table, int stride, int classes, const Margins& m) {
    double distance = 0.0;
    for (int k = 0; k < classes; ++k)
        distance += std::abs(table[k] / m.branches[0] - table[stride + k] / m.branches[1]);
    return 2.0 * (m.branches[0] / m.total) * (m.branches[1] / m.total) * distance;
}

double quadratic_gain(const double* table, std::int64_t branches, int stride, int classes, const Margins& m) {
    double joint = 0.0;
    for (std::int64_t v = 0; v < branches; ++v) joint += squared_shares(table + v * stride, classes, m.total);
    return 2.0 - 2.0 * squared_shares(m.classes.data(), classes, m.total) -
           2.0 * squared_shares(m.branches.data(), static_cast<int>(branches), m.total) + 2.0 * joint;
}

}  // namespace

double class_impurity(const TreeOptions& options, const double* weights, int classes) {
    const double total = sum_of_classes(weights, classes);
    if (!(total > 0.0)) return 0.0;
    switch (options.criterion) {
        case Criterion::entropy:
        case Criterion::gain_ratio:
        case Criterion::raw_gain_ratio:
        case Criterion::symmetric_gain_ratio:
        case Criterion::symmetric_gain_ratio_sum:
            return entropy(weights, classes, total);
        case Criterion::quadratic_gain:
            return 2.0 - 2.0 * squared_shares(weights, classes, total);
        case Criterion::daroczy:
            return generalized_entropy(weights, classes, total, options.beta);
        case Criterion::misclassification:
            return 1.0 - largest(weights, classes) / total;
        default:
            return 1.0 - squared_shares(weights, classes, total);
    }
}

double class_gain(const TreeOptions& options, const double* table, std::int64_t branches, int stride,
                  int classes) {
    const Margins m = margins_of(table, branches, stride, classes);
    if (options.criterion == Criterion::cart) return cart(table, stride, classes, m);
    if (options.criterion == Criterion::quadratic_gain)
        return quadratic_gain(table, branches, stride, classes, m);
    double inside = 0.0;
    for (std::int64_t v = 0; v < branches; ++v)
        inside += m.branches[static_cast<std::size_t>(v)] / m.total *
                  class_impurity(options, table + v * stride, classes);
    const double before = class_impurity(options, m.classes.data(), classes);
    const double gain = before - inside;
    const auto of_branches = [&] { return entropy(m.branches.data(), static_cast<int>(branches), m.total); };
    double divisor = 1.0;
    if (options.criterion == Criterion::raw_gain_ratio) divisor = of_branches();
    if (options.criterion == Criterion::symmetric_gain_ratio) divisor = of_branches() + inside;
    if (options.criterion == Criterion::symmetric_gain_ratio_sum) divisor = of_branches() + before;
    return divisor > 0.0 ? gain / divisor : 0.0;
}

double sum_gain(const TreeOptions& options, const double* table, std::int64_t branches) {
    double sum = 0.0, weight = 0.0;
    for (std::int64_t v = 0; v < branches; ++v) {
        sum += table[3 * v];
        weight += table[3 * v + 1];
    }
    const double mean = sum / weight;
    if (options.criterion == Criterion::poisson) {
        double decrease = 0.0;
        for (std::int64_t v = 0; v < branches; ++v) {
            if (!(table[3 * v] > trace_of_sums * sum)) return no_gain;
            decrease += table[3 * v] * std::log(table[3 * v] / table[3 * v + 1] / mean);
        }
        return decrease / weight;
    }
    const bool penalized = options.l1 > 0.0 || options.l2 > 0.0;
    double score = 0.0;
    for (std::int64_t v = 0; v < branches; ++v) {
        const double inside = table[3 * v + 1];
        const double part = penalized ? shrunk(table[3 * v], options.l1) : table[3 * v] - inside * mean;
        score += part * part / (inside + options.l2);
    }
    const double whole = shrunk(sum, options.l1);
    if (penalized) score -= whole * whole / (weight + options.l2);
    return score / weight;
}

}  // namespace hornbook
