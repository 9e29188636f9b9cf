#include "core/tree/grow/node_totals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

void class_totals(const Layout& layout, const TreeOptions& options, NodeTotals& totals) {
    const int classes = layout.classes;
    totals.value.assign(totals.slots.begin(), totals.slots.begin() + classes);
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

void sum_totals(const Rows& rows, const TreeOptions& options, NodeTotals& totals) {
    const double sum = totals.slots[0], weight = totals.slots[1], mean = sum / weight;
    double squares = 0.0, low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const double w = rows.weight_of(i);
        if (!(w > 0.0)) continue;
        const double number = rows.sum[i] / w, off = number - mean;
        squares += w * off * off;
        low = std::min(low, number);
        high = std::max(high, number);
    }
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    // A number times its weight, divided by it, may be off by a rounding.
    const double rounding = 4.0 * epsilon * std::max(high, -low);
    totals.weight = weight;
    totals.value.assign(1, sum / (weight + options.l2));
    totals.pure = !(high - low > rounding);
    totals.impurity = totals.pure ? 0.0 : squares / weight;
    // What a side has above its share is off by roundings of the mean: the less numbers spread around it, the
    // more of a gain is rounding.
    totals.tolerance = 1e-12 * totals.impurity + 32.0 * epsilon * std::abs(mean) * std::sqrt(totals.impurity);
}

}  // namespace

void count_totals(const Rows& rows, const Layout& layout, const TreeOptions& options, NodeTotals& totals) {
    totals.slots.assign(static_cast<std::size_t>(layout.stride), 0.0);
    if (rows.pair)
        write_pairs(sum_of_pairs(rows), rows.size, layout, totals.slots.data());
    else
        with_adder<double>(rows, layout, [&](auto add) {
            for (std::int64_t i = 0; i < rows.size; ++i) add(totals.slots.data(), i);
        });
    if (layout.classes)
        class_totals(layout, options, totals);
    else
        sum_totals(rows, options, totals);
}

}  // namespace hornbook
