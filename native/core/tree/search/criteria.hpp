// Gains of all criteria, and fast incremental scores of the most common ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/tree/columns/histogram.hpp"
#include "core/tree/grow/options.hpp"

namespace hornbook {

inline double xlog2x(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }

// -sum p log2 p of weights with their total.
double entropy(const double* weights, int classes, double total);

// Impurity of class weights, in the units of the criterion.
double class_impurity(const TreeOptions& options, const double* weights, int classes);

// Gain of a split of classes into branches; row v of the table holds the class weights of branch v. That of
// gain_ratio is the information gain: ratios are compared later.
double class_gain(const TreeOptions& options, const double* table, std::int64_t branches, int stride,
                  int classes);

// x log2 x for x = 0, 1, ..., up to a bounded table size.
class LogTable {
  public:
    LogTable() = default;
    explicit LogTable(std::int64_t largest) {
        constexpr std::int64_t most = std::int64_t{1} << 22;
        values_.resize(static_cast<std::size_t>(std::min(largest, most) + 1));
        for (std::size_t x = 0; x < values_.size(); ++x) values_[x] = xlog2x(static_cast<double>(x));
    }
    const double* data() const { return values_.data(); }
    double size() const { return static_cast<double>(values_.size()); }

  private:
    std::vector<double> values_;
};

// Smallest sides that are allowed.
struct Limits {
    double rows = 1.0;
    double weight = 0.0;

    static Limits of(const TreeOptions& options) {
        return {static_cast<double>(options.min_samples_leaf), options.min_weight_leaf};
    }
    bool bind() const { return rows > 1.0 || weight > 0.0; }
    bool hold(double left_rows, double rest_rows, double left_weight, double rest_weight) const {
        return left_rows >= rows && rest_rows >= rows && left_weight >= weight && rest_weight >= weight &&
               left_weight > 0.0 && rest_weight > 0.0;
    }
};

// Gini impurity of both sides, up to a factor, times the weight of both: from the weights of the sides and of
// the second class there. For one cut, or for a vector of them.
template <class Number>
inline void mix_pair(const Number& weight, const Number& second, const Number& rest, const Number& other,
                     Number& mixed) {
    mixed = (weight - second) * second * rest + (rest - other) * other * weight;
}

// Scores of binary splits grow with the gain, which is gain(score); gains are compared with `tolerance`.
template <Criterion C>
class ClassScore {
  public:
    static constexpr bool is_gini = C == Criterion::gini;
    static constexpr bool is_convex = is_gini || C == Criterion::entropy;  // in the sums on the left

    ClassScore(const TreeOptions& options, const Layout& layout, const double* total, const Limits& limits,
               const LogTable& logs)
        : options_(options), layout_(layout), total_(total), limits_(limits), logs_(logs.data()) {
        weight_ = sum_of_classes(total, layout.classes);
        tabulated_ = weight_ < logs.size();
        if constexpr (C == Criterion::gini)
            base_ = squares(total) / weight_;
        else if constexpr (C == Criterion::entropy)
            base_ = terms(total) - term(weight_);
        else
            pair_.resize(2 * static_cast<std::size_t>(layout.classes));
    }

    double operator()(const double* left) {
        const int classes = layout_.classes;
        const double weight = sum_of_classes(left, classes), rest = weight_ - weight;
        const double rows = layout_.count < 0 ? weight : left[layout_.count];
        const double rest_rows = layout_.count < 0 ? rest : total_[layout_.count] - rows;
        if (!limits_.hold(rows, rest_rows, weight, rest)) return no_gain;
        if constexpr (C == Criterion::gini) {
            double squares = 0.0, other_squares = 0.0;
            for (int k = 0; k < classes; ++k) {
                const double other = total_[k] - left[k];
                squares += left[k] * left[k];
                other_squares += other * other;
            }
            return squares / weight + other_squares / rest;
        } else if constexpr (C == Criterion::entropy) {
            double sum = -term(weight) - term(rest);
            for (int k = 0; k < classes; ++k) sum += term(left[k]) + term(total_[k] - left[k]);
            return sum;
        } else {
            for (int k = 0; k < classes; ++k) {
                pair_[static_cast<std::size_t>(k)] = left[k];
                pair_[static_cast<std::size_t>(classes + k)] = std::max(0.0, total_[k] - left[k]);
            }
            return class_gain(options_, pair_.data(), 2, classes, classes);
        }
    }

    // The same for two classes: weight of the left side, and of the second class there.
    double of_pair(double weight, double second) const {
        const double rest = weight_ - weight, other = total_[1] - second;
        if constexpr (C == Criterion::entropy)
            return term(second) + term(weight - second) + term(other) + term(rest - other) - term(weight) -
                   term(rest);
        // sum c^2 / w over both sides: the total weight minus the impurity
        double mixed;
        mix_pair(weight, second, rest, other, mixed);
        return weight_ - 2.0 * mixed / (weight * rest);
    }
    // Whether of_pair is at least `level`, without a division. A cut with an empty side gains nothing.
    bool pair_reaches(double level, double weight, double second) const {
        const double rest = weight_ - weight, other = total_[1] - second;
        if (!(weight > 0.0 && rest > 0.0)) return level == no_gain;
        if constexpr (C == Criterion::gini) {
            double mixed;
            mix_pair(weight, second, rest, other, mixed);
            return 2.0 * mixed <= (weight_ - level) * (weight * rest);
        }
        return of_pair(weight, second) >= level;
    }
    const Limits& limits() const { return limits_; }
    double weight() const { return weight_; }
    double second() const { return total_[1]; }

    double gain(double score) const {
        if constexpr (is_convex) return (score - base_) / weight_;
        return score;
    }

    double tolerance(double of_gains) const { return is_convex ? of_gains * weight_ : of_gains; }

  private:
    double term(double x) const {
        return tabulated_ && x >= 0.0 ? logs_[static_cast<std::size_t>(x)] : xlog2x(x);
    }
    double terms(const double* weights) const {
        double sum = 0.0;
        for (int k = 0; k < layout_.classes; ++k) sum += term(weights[k]);
        return sum;
    }
    double squares(const double* weights) const {
        double sum = 0.0;
        for (int k = 0; k < layout_.classes; ++k) sum += weights[k] * weights[k];
        return sum;
    }

    const TreeOptions& options_;
    Layout layout_;
    const double* total_;
    Limits limits_;
    const double* logs_;
    bool tabulated_ = false;
    double weight_ = 0.0;
    double base_ = 0.0;
    std::vector<double> pair_;
};

// T(G) of XGBoost's penalty l1: the part of a sum that is left after l1 of it.
inline double shrunk(double sum, double l1) {
    return l1 > 0.0 ? (sum > l1 ? sum - l1 : sum < -l1 ? sum + l1 : 0.0) : sum;
}

// Sums and weights: the score is the decrease of the weighted sum of squares, or its penalized form.
class SumScore {
  public:
    static constexpr bool is_gini = false, is_convex = true;

    SumScore(const TreeOptions& options, const double* total, const Limits& limits)
        : total_(total), limits_(limits), l2_(options.l2), mean_(total[0] / total[1]) {
        base_ = l2_ > 0.0 ? total[0] * total[0] / (total[1] + l2_) : 0.0;
    }

    double operator()(const double* left) const {
        const double weight = left[1], rest = total_[1] - left[1];
        if (!limits_.hold(left[2], total_[2] - left[2], weight, rest)) return no_gain;
        return of_sum(left[0], weight);
    }

    double of_sum(double sum, double weight) const {
        const double rest = total_[1] - weight;
        if (l2_ > 0.0) {
            const double other = total_[0] - sum;
            return sum * sum / (weight + l2_) + other * other / (rest + l2_);
        }
        const double excess = sum - weight * mean_;  // of the left side above its share
        return excess * excess * total_[1] / (weight * rest);
    }
    double of_pair(double, double) const { return no_gain; }  // there are no classes
    // Whether a score of `level` is possible when the weight of the left side is in [light, heavy] and its
    // excess over its share in [low, high].
    bool reaches(double level, double low, double high, double light, double heavy) const {
        const double all = total_[1];
        if (l2_ > 0.0) {
            double most = no_gain;
            for (const double weight : {light, heavy})
                for (const double excess : {low, high})
                    most = std::max(most, of_sum(excess + weight * mean_, weight));
            return most >= level;
        }
        const double narrow = std::min(light * (all - light), heavy * (all - heavy));
        const double excess = std::max(std::abs(low), std::abs(high));
        return !(narrow > 0.0) || excess * excess * all >= level * narrow;
    }
    const Limits& limits() const { return limits_; }
    double weight() const { return total_[1]; }
    double mean() const { return mean_; }

    double gain(double score) const { return (score - base_) / total_[1]; }
    double tolerance(double of_gains) const { return of_gains * total_[1]; }

  private:
    const double* total_;
    Limits limits_;
    double l2_;
    double mean_;
    double base_ = 0.0;
};

inline constexpr double trace_of_sums = 1e-12;

// Sums and weights: the score is the decrease of half the Poisson deviance, sum of y log(y / mean) over the
// rows. With the mean of a side relative to that of the node, the score of no split is 0, and little cancels.
class PoissonScore {
  public:
    static constexpr bool is_gini = false, is_convex = false;  // not bounded by sums over bins

    PoissonScore(const double* total, const Limits& limits)
        : total_(total), limits_(limits), mean_(total[0] / total[1]) {}

    double operator()(const double* left) const {
        const double weight = left[1], rest = total_[1] - left[1];
        if (!limits_.hold(left[2], total_[2] - left[2], weight, rest)) return no_gain;
        const double other = total_[0] - left[0];
        // A side of zeros would answer 0, whose deviance from any later count is infinite. Differences of
        // sums leave a trace of what was taken off.
        const double least = trace_of_sums * total_[0];
        if (!(left[0] > least && other > least)) return no_gain;
        return left[0] * std::log(left[0] / weight / mean_) + other * std::log(other / rest / mean_);
    }
    double of_pair(double, double) const { return no_gain; }  // there are no classes
    const Limits& limits() const { return limits_; }
    double weight() const { return total_[1]; }

    double gain(double score) const { return score / total_[1]; }
    double tolerance(double of_gains) const { return of_gains * total_[1]; }

  private:
    const double* total_;
    Limits limits_;
    double mean_;
};

// Scores of splits that keep the values of both sides in order and within the bounds of their node; others
// have none.
template <class Score>
class MonotoneScore {
  public:
    static constexpr bool is_gini = false, is_convex = false;

    MonotoneScore(Score& score, const Layout& layout, const double* total, const Bounds& bounds, int sign)
        : score_(score), layout_(layout), total_(total), bounds_(bounds), sign_(sign) {}

    double operator()(const double* left) {
        const double value = score_(left);
        if (value == no_gain) return value;
        const int part = layout_.classes ? 1 : 0;
        const double weight = weight_of(left, layout_), rest = weight_of(total_, layout_) - weight;
        const double one = left[part] / weight, two = (total_[part] - left[part]) / rest;
        return bounds_.hold(one) && bounds_.hold(two) && (one - two) * sign_ <= 0.0 ? value : no_gain;
    }
    double of_pair(double, double) const { return no_gain; }
    const Limits& limits() const { return score_.limits(); }
    double weight() const { return score_.weight(); }
    double gain(double score) const { return score_.gain(score); }
    double tolerance(double of_gains) const { return score_.tolerance(of_gains); }

  private:
    Score& score_;
    const Layout& layout_;
    const double* total_;
    Bounds bounds_;
    double sign_;
};

// The same for more than two branches of (sum, weight, rows).
double sum_gain(const TreeOptions& options, const double* table, std::int64_t branches);

}  // namespace hornbook
