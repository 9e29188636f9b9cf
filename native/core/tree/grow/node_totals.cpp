#include "core/tree/grow/node_totals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

void class_totals(const Layout& layout, const TreeOptions& options, NodeTotals& totals) {
    const int classes = layout.classes;
    totals.value.assign(totals.stats.begin(), totals.stats.begin() + classes);
    double largest = 0.0;
    totals.weight = 0.0;
    for (const double weight : totals.value) {
        totals.weight += weight;
        largest = std::max(largest, weight);
    }
    totals.impurity = class_impurity(options, totals.value.data(), classes);
    totals.largest_share = largest / totals.weight;
    totals.pure =
        std::count_if(totals.value.begin(), totals.value.end(), [](double v) { return v > 0.0; }) < 2;
    totals.tolerance = 1e-12;
}

// Numbers of a node, whose mean and squares around it are known.
void number_totals(const TreeOptions& options, double squares, double low, double high, NodeTotals& totals) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double sum = totals.stats[0], weight = totals.stats[1];
    // A number times its weight, divided by it, may differ by rounding.
    const double rounding = 4.0 * epsilon * std::max(high, -low);
    totals.weight = weight;
    totals.value.assign(1, sum / (weight + options.l2));
    totals.pure = !(high - low > rounding);
    totals.impurity = totals.pure ? 0.0 : squares / weight;
    // The excess of a side over its share has the rounding error of the mean: the less numbers spread around
    // it, the larger the part of a gain that is rounding.
    totals.tolerance =
        1e-12 * totals.impurity + 32.0 * epsilon * std::abs(sum / weight) * std::sqrt(totals.impurity);
}

// Half the Poisson deviance of the numbers from their mean: the mean of y log(y / mean).
void poisson_totals(const Rows& rows, NodeTotals& totals) {
    const double sum = totals.stats[0], weight = totals.stats[1], mean = sum / weight;
    double deviance = 0.0, low = std::numeric_limits<double>::infinity(), high = 0.0;
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const double w = rows.weight_of(i);
        if (!(w > 0.0)) continue;
        const double number = rows.sum[i] / w;
        if (number > 0.0) deviance += rows.sum[i] * std::log(number / mean);
        low = std::min(low, number);
        high = std::max(high, number);
    }
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    totals.weight = weight;
    totals.value.assign(1, mean);
    totals.pure = !(high - low > 4.0 * epsilon * high);
    totals.impurity = totals.pure ? 0.0 : std::max(0.0, deviance / weight);
    totals.tolerance = 1e-12 * totals.impurity + 32.0 * epsilon * mean;
}

void sum_totals(const Rows& rows, const TreeOptions& options, NodeTotals& totals) {
    const double mean = totals.stats[0] / totals.stats[1];
    double squares = 0.0, low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::int64_t i = 0; i < rows.size && !rows.weight; ++i) {  // without a division
        const double number = rows.sum[i], deviation = number - mean;
        squares += deviation * deviation;
        low = std::min(low, number);
        high = std::max(high, number);
    }
    for (std::int64_t i = 0; i < rows.size && rows.weight; ++i) {
        const double w = rows.weight_of(i);
        if (!(w > 0.0)) continue;
        const double number = rows.sum[i] / w, deviation = number - mean;
        squares += w * deviation * deviation;
        low = std::min(low, number);
        high = std::max(high, number);
    }
    number_totals(options, squares, low, high, totals);
}

// In registers, which with_adder cannot use.
void write_sums(const Rows& rows, double* stats) {
    double sum = 0.0, weight = 0.0;
    if (rows.weight)
        for (std::int64_t i = 0; i < rows.size; ++i) {
            sum += rows.sum[i];
            weight += rows.weight[i];
        }
    else
        for (std::int64_t i = 0; i < rows.size; ++i) sum += rows.sum[i];
    stats[0] = sum;
    stats[1] = rows.weight ? weight : static_cast<double>(rows.size);
    stats[2] = static_cast<double>(rows.size);
}

}  // namespace

void finish_totals(const Layout& layout, const TreeOptions& options, const Spread& spread,
                   NodeTotals& totals) {
    if (layout.classes) {
        class_totals(layout, options, totals);
        return;
    }
    const double sum = totals.stats[0], around = spread.squares - sum * (sum / totals.stats[1]);
    number_totals(options, std::max(0.0, around), spread.low, spread.high, totals);
}

void count_totals(const Rows& rows, const Layout& layout, const TreeOptions& options, double square_unit,
                  NodeTotals& totals) {
    totals.stats.assign(static_cast<std::size_t>(layout.stride), 0.0);
    if (rows.pair)
        write_pairs(sum_of_pairs(rows), rows.size, layout, totals.stats.data());
    else if (!rows.label)
        write_sums(rows, totals.stats.data());
    else
        with_adder<double>(rows, layout, [&](auto add) {
            for (std::int64_t i = 0; i < rows.size; ++i) add(totals.stats.data(), i);
        });
    if (options.criterion == Criterion::poisson) {
        poisson_totals(rows, totals);
        return;
    }
    if (!layout.classes && square_unit == 0.0) {
        sum_totals(rows, options, totals);
        return;
    }
    Spread spread;
    for (std::int64_t i = 0; !layout.classes && i < rows.size; ++i)
        if (rows.weight_of(i) > 0.0) spread.add(rows.sum[i], rows.weight_of(i), square_unit);
    finish_totals(layout, options, spread, totals);
}

}  // namespace hornbook
