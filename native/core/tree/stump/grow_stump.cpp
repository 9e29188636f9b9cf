#include "core/tree/stump/grow_stump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/tree/columns/threshold.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/search/criteria.hpp"
#include "core/tree/stump/scan_cuts.hpp"

namespace hornbook {

namespace {

// Totals of all rows, and the gain of a cut from the sums on its left.
struct Gains {
    double weight, sum;  // of all rows
    double mean;
    bool errors;  // misclassification instead of variance
    double factor = 1.0;

    // For one cut, or for a vector of them, which is not returned: its registers depend on the machine.
    template <class Number>
    void write(const Number& left, const Number& part, Number& gain) const {
        const Number rest = weight - left;
        if (errors) {
            const Number other = sum - part, zero = left - part, rest_zero = rest - other;
            const Number wrong = (zero < part ? zero : part) + (rest_zero < other ? rest_zero : other);
            gain = (std::min(sum, weight - sum) - wrong) / weight;
            return;
        }
        const Number excess = part - left * mean;
        gain = factor * excess * excess / (left * rest);
    }
    double of(const Cuts& cuts, std::int64_t i) const {
        double gain;
        write(cuts.weight[i], cuts.first[i], gain);
        return gain;
    }
};

// The same for many classes: Gini's gain from the squared class weights of both sides.
struct ClassGains {
    double weight, before;  // of all rows: weight, and squares over it

    template <class Number>
    void write(const Number& left, const Number& squares, const Number& right_squares, Number& gain) const {
        // What is left of large squares may be all rounding; it is never more than for a pure side.
        const Number rest = weight - left, pure = rest * rest;
        gain = (squares / left + (right_squares < pure ? right_squares : pure) / rest - before) / weight;
    }
    double of(const Cuts& cuts, std::int64_t i) const {
        double gain;
        write(cuts.weight[i], cuts.first[i], cuts.second[i], gain);
        return gain;
    }
};

// The largest of the gains that write_gain(i, left, gain) gives; cuts without weight on one side have none.
template <class Write>
__attribute__((always_inline)) inline double largest_gain(double weight, Cuts& cuts, std::int64_t size,
                                                          const Write& write_gain) {
    for (std::int64_t i = size; i % lanes != 0; ++i) cuts.weight[i] = cuts.first[i] = cuts.second[i] = 0.0;
    Lanes best = Lanes{} + no_gain;
    const Lanes none = Lanes{} + no_gain;
    for (std::int64_t i = 0; i < size; i += lanes) {
        const Lanes left = *reinterpret_cast<const Lanes*>(cuts.weight + i);
        Lanes gain;
        write_gain(i, left, gain);
        gain = left > 0.0 ? gain : none;
        gain = weight - left > 0.0 ? gain : none;
        best = gain > best ? gain : best;
    }
    double most = no_gain;
    for (std::int64_t k = 0; k < lanes; ++k) most = std::max(most, best[k]);
    return most;
}

HORNBOOK_WIDE double best_of(const Gains& gains, Cuts& cuts, std::int64_t size) {
    return largest_gain(gains.weight, cuts, size, [&](std::int64_t i, const Lanes& left, Lanes& gain) {
        gains.write(left, *reinterpret_cast<const Lanes*>(cuts.first + i), gain);
    });
}

HORNBOOK_WIDE double best_of(const ClassGains& gains, Cuts& cuts, std::int64_t size) {
    return largest_gain(gains.weight, cuts, size, [&](std::int64_t i, const Lanes& left, Lanes& gain) {
        gains.write(left, *reinterpret_cast<const Lanes*>(cuts.first + i),
                    *reinterpret_cast<const Lanes*>(cuts.second + i), gain);
    });
}

// The code on the left of a cut, counted from 0.
std::int32_t code_of(const CodedColumn& column, const std::uint32_t* order, std::int64_t n,
                     std::int64_t cut) {
    if (!order) return static_cast<std::int32_t>(cut);
    std::int64_t i = 0;
    for (std::int64_t seen = -1; i < n; ++i)
        if ((seen += order[i] >> 31) == cut) break;
    return with_codes(column, n, [&](const auto& codes) {
        return static_cast<std::int32_t>(codes[static_cast<std::int32_t>(order[i] & ~SortedRows::last)]);
    });
}

struct Cut {
    std::int64_t column = -1;
    std::int32_t code = 0;  // the largest on the left
    double gain = 0.0;
};

template <class Target, class Gain>
Cut best_cut(const CodedTable& table, const SortedRows& rows, const Target& target, const Gain& gains,
             double tolerance, int threads) {
    const std::int64_t n = rows.n_rows();
    const auto scan = [&](std::int64_t j, const auto& take) {
        if (const std::uint32_t* order = rows.order(j))
            scan_order(order, n, target, take);
        else
            scan_codes(table.columns[static_cast<std::size_t>(j)], n, target, take);
    };
    std::vector<double> best(static_cast<std::size_t>(rows.n_columns()), no_gain);
    parallel_for(rows.n_columns(), threads, [&](std::int64_t j) {
        double& most = best[static_cast<std::size_t>(j)];
        scan(j, [&](Cuts& cuts, std::int64_t size) {
            most = std::max(most, best_of(gains, cuts, size));
            return true;
        });
    });
    const double most = *std::max_element(best.begin(), best.end());
    if (most == no_gain) return {};
    Cut cut;
    while (best[static_cast<std::size_t>(++cut.column)] < most - tolerance) {
    }
    std::int64_t number = 0;
    scan(cut.column, [&](Cuts& cuts, std::int64_t size) {
        for (std::int64_t i = 0; i < size; ++i, ++number) {
            if (!(cuts.weight[i] > 0.0 && gains.weight - cuts.weight[i] > 0.0)) continue;
            cut.gain = gains.of(cuts, i);
            if (cut.gain >= most - tolerance) return false;
        }
        return true;
    });
    const CodedColumn& column = table.columns[static_cast<std::size_t>(cut.column)];
    cut.code = code_of(column, rows.order(cut.column), n, number);
    return cut;
}

// Sums over the rows of a node: the weight of each class, or those of numbers.
struct NodeSums {
    explicit NodeSums(const TreeTarget& target) : classes(static_cast<std::size_t>(target.n_classes), 0.0) {}

    std::vector<double> classes;
    double weight = 0.0, sum = 0.0, squares = 0.0;
    std::int32_t rows = 0;

    // `around` is a number close to the mean, so that squares do not cancel.
    void add(const TreeTarget& target, std::int64_t i, double w, double around) {
        ++rows;
        if (target.label) {
            classes.data()[target.label[i]] += w;
            return;
        }
        const double deviation = target.sum[i] / w - around;
        weight += w;
        sum += target.sum[i];
        squares += w * deviation * deviation;
    }
    double all() const { return std::accumulate(classes.begin(), classes.end(), weight); }
};

double weight_of(const TreeTarget& target, std::int64_t i) { return target.weight ? target.weight[i] : 1.0; }

Tree empty_tree(std::int64_t nodes, int value_size) {
    Tree tree;
    tree.kind = Buffer<std::uint8_t>(nodes, 1, static_cast<std::uint8_t>(SplitKind::leaf));
    tree.feature = Buffer<std::int32_t>(nodes, 1, -1);
    tree.threshold = Buffer<double>(nodes, 1, std::numeric_limits<double>::quiet_NaN());
    tree.first_child = Buffer<std::int32_t>(nodes);
    tree.missing_child = Buffer<std::int32_t>(nodes, 1, -1);
    tree.level_offset = Buffer<std::int32_t>(nodes + 1, 1, 0);
    tree.n_rows = Buffer<std::int32_t>(nodes);
    for (Buffer<double>* numbers : {&tree.weight, &tree.impurity, &tree.share})
        *numbers = Buffer<double>(nodes);
    tree.gain = Buffer<double>(nodes, 1, 0.0);
    tree.value = Buffer<double>(nodes, value_size);
    tree.value_size = value_size;
    return tree;
}

void write_node(Tree& tree, std::int32_t node, const NodeSums& sums, const TreeOptions& options,
                double around) {
    tree.first_child[node] = node;
    tree.n_rows[node] = sums.rows;
    if (sums.classes.empty()) {
        const double mean = sums.sum / sums.weight, off = mean - around;
        tree.value[node] = mean;
        tree.weight[node] = sums.weight;
        tree.impurity[node] = std::max(0.0, sums.squares / sums.weight - off * off);
    } else {
        std::copy(sums.classes.begin(), sums.classes.end(), tree.value.data() + tree.value_size * node);
        tree.weight[node] = sums.all();
        tree.impurity[node] = class_impurity(options, sums.classes.data(), tree.value_size);
    }
    tree.share[node] = tree.weight[node] / tree.weight[0];
}

// What the search starts from: sums and tolerance of all rows, and whether they need a split at all.
struct Root {
    NodeSums sums;
    double mean = 0.0, tolerance = 1e-12;
    bool pure = false;

    Root(const TreeTarget& target, std::int64_t n) : sums(target) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::int64_t i = 0; i < n; ++i)
            if (const double w = weight_of(target, i); w > 0.0) sums.add(target, i, w, 0.0);
        if (sums.rows == 0) refuse("a tree needs at least one row of positive weight.");
        if (target.label) {
            const auto present = [](double weight) { return weight > 0.0; };
            pure = std::count_if(sums.classes.begin(), sums.classes.end(), present) < 2;
            return;
        }
        mean = sums.sum / sums.weight;
        sums.squares = 0.0;
        for (std::int64_t i = 0; i < n; ++i)
            if (const double w = weight_of(target, i); w > 0.0) {
                const double number = target.sum[i] / w;
                sums.squares += w * (number - mean) * (number - mean);
                low = std::min(low, number);
                high = std::max(high, number);
            }
        constexpr double epsilon = std::numeric_limits<double>::epsilon();
        pure = !(high - low > 4.0 * epsilon * std::max(high, -low));
        const double impurity = pure ? 0.0 : sums.squares / sums.weight;
        tolerance = 1e-12 * impurity + 32.0 * epsilon * std::abs(mean) * std::sqrt(impurity);
    }
};

Cut searched(const CodedTable& table, const SortedRows& rows, const TreeTarget& target, Criterion criterion,
             const Root& root, int threads) {
    const std::int64_t n = table.n_rows;
    const std::vector<double>& classes = root.sums.classes;
    if (target.n_classes > 2) {
        std::vector<ClassWeights::Entry> entry(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < n; ++i)
            entry[static_cast<std::size_t>(i)] = {weight_of(target, i), target.label[i]};
        const double weight = root.sums.all();
        const double squares = std::inner_product(classes.begin(), classes.end(), classes.begin(), 0.0);
        return best_cut(table, rows, ClassWeights{entry.data(), classes},
                        ClassGains{weight, squares / weight}, root.tolerance, threads);
    }
    if (target.label) {
        Buffer<double> entry(n);
        for (std::int64_t i = 0; i < n; ++i)
            entry[i] = target.label[i] ? weight_of(target, i) : -weight_of(target, i);
        const bool errors = criterion == Criterion::misclassification;
        const double weight = root.sums.all();
        const Gains gains{weight, classes[1], classes[1] / weight, errors, 2.0};
        return best_cut(table, rows, SignedWeights{entry.data()}, gains, root.tolerance, threads);
    }
    Buffer<double> entry(n, 2);
    for (std::int64_t i = 0; i < n; ++i) {  // centered, so that sums of the sides do not cancel
        const double w = weight_of(target, i);
        entry[2 * i] = w;
        entry[2 * i + 1] = target.sum[i] - w * root.mean;
    }
    const Gains gains{root.sums.weight, 0.0, 0.0, false, 1.0};
    return best_cut(table, rows, WeightedNumbers{{entry.data()}}, gains, root.tolerance, threads);
}

}  // namespace

Tree grow_stump(const CodedTable& table, const SortedRows& rows, const TreeTarget& target,
                Criterion criterion, int threads, std::int32_t* leaf) {
    require_ordered(table);
    const std::int64_t n = table.n_rows;
    const Root root(target, n);
    TreeOptions options;
    options.criterion = criterion;
    const Cut cut = root.pure ? Cut{} : searched(table, rows, target, criterion, root, threads);
    const int value_size = std::max(target.n_classes, 1);
    if (cut.column < 0) {
        Tree tree = empty_tree(1, value_size);
        write_node(tree, 0, root.sums, options, root.mean);
        for (std::int64_t i = 0; i < n; ++i) leaf[i] = weight_of(target, i) > 0.0 ? 0 : -1;
        return tree;
    }
    const CodedColumn& column = table.columns[static_cast<std::size_t>(cut.column)];
    Split split;
    split.below = -1;
    split.above = column.bins;
    NodeSums sides[2] = {NodeSums(target), NodeSums(target)};
    with_codes(column, n, [&](const auto& codes) {
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(n); ++i) {
            const double w = weight_of(target, i);
            leaf[i] = -1;
            if (!(w > 0.0)) continue;
            const auto code = static_cast<std::int32_t>(codes[i]);
            const int side = code > cut.code ? 1 : 0;
            if (side)
                split.above = std::min(split.above, code);
            else
                split.below = std::max(split.below, code);
            leaf[i] = 1 + side;
            sides[side].add(target, i, w, root.mean);
        }
    });
    Tree tree = empty_tree(3, value_size);
    write_node(tree, 0, root.sums, options, root.mean);
    for (std::int32_t side = 0; side < 2; ++side) write_node(tree, 1 + side, sides[side], options, root.mean);
    tree.kind[0] = static_cast<std::uint8_t>(SplitKind::threshold);
    tree.feature[0] = static_cast<std::int32_t>(cut.column);
    tree.threshold[0] = threshold_of(column, split);
    tree.first_child[0] = 1;
    tree.missing_child[0] = tree.weight[1] >= tree.weight[2] ? 0 : 1;
    tree.gain[0] = cut.gain;
    return tree;
}

}  // namespace hornbook
