// Absolute deviations from the median of a growing set of numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

// A growing set of numbers with the sum of absolute deviations from its median: a Fenwick tree (Fenwick 1994)
// over the ranks of the numbers, with weights and weighted numbers.
class Deviations {
  public:
    explicit Deviations(std::span<const double> sorted)
        : sorted_(sorted), weight_(sorted.size() + 1), sum_(sorted.size() + 1) {}

    void clear() {
        std::fill(weight_.begin(), weight_.end(), 0.0);
        std::fill(sum_.begin(), sum_.end(), 0.0);
        total_weight_ = total_sum_ = rows_ = 0.0;
        pace_.spend(std::ssize(weight_));
    }

    void add(std::int32_t place, double weight) {
        const double number = sorted_[static_cast<std::size_t>(place)];
        for (auto i = static_cast<std::size_t>(place) + 1; i < weight_.size(); i += i & (~i + 1)) {
            weight_[i] += weight;
            sum_[i] += weight * number;
        }
        total_weight_ += weight;
        total_sum_ += weight * number;
        rows_ += 1.0;
        pace_.spend(std::bit_width(weight_.size()));
    }

    double cost() const {
        const Prefix before = prefix([&](double weight) { return weight < 0.5 * total_weight_; });
        const double median = number_at(before.size);
        return std::max(0.0, median * (2.0 * before.weight - total_weight_) + total_sum_ - 2.0 * before.sum);
    }

    // The middle of two numbers when exactly half of the weight lies on either side.
    double median() const {
        const double low = number_at(prefix([&](double w) { return w < 0.5 * total_weight_; }).size);
        const double high = number_at(prefix([&](double w) { return w <= 0.5 * total_weight_; }).size);
        return 0.5 * low + 0.5 * high;
    }

    double weight() const { return total_weight_; }
    double rows() const { return rows_; }

  private:
    struct Prefix {
        std::size_t size = 0;
        double weight = 0.0, sum = 0.0;
    };

    // Descends to the last rank of which the weights before it, and its own, are as asked for.
    template <class Fn>
    Prefix prefix(Fn&& holds) const {
        Prefix at;
        for (std::size_t step = std::bit_floor(weight_.size() - 1); step > 0; step /= 2) {
            if (at.size + step >= weight_.size() || !holds(at.weight + weight_[at.size + step])) continue;
            at.size += step;
            at.weight += weight_[at.size];
            at.sum += sum_[at.size];
        }
        return at;
    }
    double number_at(std::size_t rank) const { return sorted_[std::min(rank, sorted_.size() - 1)]; }

    std::span<const double> sorted_;
    std::vector<double> weight_, sum_;
    double total_weight_ = 0.0, total_sum_ = 0.0, rows_ = 0.0;
    Pace pace_;
};

// The numbers of a node in order, the rank of each row's number, and their weighted median.
struct RankedNumbers {
    std::vector<double> sorted;
    std::vector<std::int32_t> place;
    double median = 0.0;
    double cost = 0.0;  // sum of weighted deviations from it

    template <class Number>
    static RankedNumbers of(const Rows& rows, Number&& number) {
        const auto size = static_cast<std::size_t>(rows.size);
        std::vector<std::int32_t> order(size);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int32_t a, std::int32_t b) { return number(a) < number(b); });
        RankedNumbers ranked;
        ranked.sorted.resize(size);
        ranked.place.resize(size);
        double total = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            ranked.sorted[i] = number(order[i]);
            ranked.place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
            total += rows.weight_of(order[i]);
        }
        ranked.median = ranked.sorted.back();
        double below = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            below += rows.weight_of(order[i]);
            if (2.0 * below < total) continue;
            const bool even = 2.0 * below == total && i + 1 < size;
            ranked.median = even ? 0.5 * ranked.sorted[i] + 0.5 * ranked.sorted[i + 1] : ranked.sorted[i];
            break;
        }
        for (std::int64_t i = 0; i < rows.size; ++i)
            ranked.cost += rows.weight_of(i) * std::abs(number(static_cast<std::int32_t>(i)) - ranked.median);
        return ranked;
    }
    bool is_constant() const { return sorted.front() == sorted.back(); }
};

}  // namespace hornbook
