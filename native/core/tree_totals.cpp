#include "core/tree_totals.hpp"

#include <algorithm>
#include <limits>

#include "core/tree_score.hpp"

namespace hornbook {

namespace {

void pair_totals(const Rows& rows, const Layout& layout, NodeTotals& totals) {
    PairSums sums;
    for (std::int64_t i = 0; i < rows.size; ++i) sums.pair += rows.pair[i];
    totals.slots[0] = sums.first();
    totals.slots[1] = sums.second();
    if (layout.count >= 0)
        totals.slots[static_cast<std::size_t>(layout.count)] = static_cast<double>(rows.size);
}

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
        const double w = rows.weight ? rows.weight[i] : 1.0;
        if (!(w > 0.0)) continue;
        const double number = rows.sum[i] / w, off = number - mean;
        squares += w * off * off;
        low = std::min(low, number);
        high = std::max(high, number);
    }
    totals.weight = weight;
    totals.value.assign(1, sum / (weight + options.l2));
    totals.impurity = low < high ? squares / weight : 0.0;
    totals.pure = !(low < high);
    totals.tolerance = 1e-12 * totals.impurity;
}

}  // namespace

void count_totals(const Rows& rows, const Layout& layout, const TreeOptions& options, NodeTotals& totals) {
    totals.slots.assign(static_cast<std::size_t>(layout.stride), 0.0);
    if (rows.pair)
        pair_totals(rows, layout, totals);
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
