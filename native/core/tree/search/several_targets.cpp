// Splits that serve several targets at once: the mean of their gains counts, as in multi-objective trees
// (Blockeel, De Raedt and Ramon 1998).

#include "core/tree/search/several_targets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/refuse.hpp"
#include "core/stats/levels.hpp"
#include "core/tree/search/median_costs.hpp"
#include "core/tree/search/prefix_search.hpp"

namespace hornbook {

namespace {

constexpr double unlimited_cost = std::numeric_limits<double>::infinity();

// Where the statistics of each target begin, and where they end.
std::vector<std::size_t> places_of(const SeveralTargets& targets) {
    std::vector<std::size_t> places{0};
    for (std::int64_t t = 0; t < targets.targets; ++t) {
        const auto at = static_cast<std::size_t>(t);
        places.push_back(places.back() +
                         (targets.label ? static_cast<std::size_t>(targets.classes[at]) : std::size_t{1}));
    }
    return places;
}

// Sums over rows: weights of the classes of each target, or its weighted numbers.
class TargetSums {
  public:
    TargetSums(const SeveralTargets& targets, const std::vector<std::size_t>& places)
        : targets_(targets), places_(places), sums_(places.back()) {}

    void clear() {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        weight_ = rows_ = 0.0;
    }
    void add(std::int32_t row, double weight) {
        const auto count = static_cast<std::size_t>(targets_.targets);
        const std::size_t first = static_cast<std::size_t>(row) * count;
        for (std::size_t t = 0; t < count; ++t) {
            if (targets_.label)
                sums_[places_[t] + static_cast<std::size_t>(targets_.label[first + t])] += weight;
            else
                sums_[t] += weight * targets_.number[first + t];
        }
        weight_ += weight;
        rows_ += 1.0;
    }
    const std::vector<double>& sums() const { return sums_; }
    double weight() const { return weight_; }
    double rows() const { return rows_; }

    // Impurity times weight, the mean over the targets, up to a constant that is the same for both sides of a
    // split together as for all rows.
    double cost(Criterion criterion) const {
        double cost = 0.0;
        if (criterion == Criterion::gini || criterion == Criterion::squared_error) {
            for (const double sum : sums_) cost -= sum * sum;
            cost /= weight_;
        } else if (criterion == Criterion::entropy) {
            for (const double sum : sums_) cost -= xlog2x(sum);
            cost += static_cast<double>(targets_.targets) * xlog2x(weight_);
        } else {
            // A side of zeros would answer 0, whose deviance from any later count is infinite.
            for (const double sum : sums_) {
                if (!(sum > 0.0)) return unlimited_cost;
                cost -= sum * std::log(sum / weight_);
            }
        }
        return cost / static_cast<double>(targets_.targets);
    }

  private:
    const SeveralTargets& targets_;
    const std::vector<std::size_t>& places_;
    std::vector<double> sums_;
    double weight_ = 0.0, rows_ = 0.0;
};

class SumCosts {
  public:
    SumCosts(TargetSums sums, const Rows& rows, Criterion criterion)
        : sums_(std::move(sums)), rows_(rows), criterion_(criterion) {}

    void clear() { sums_.clear(); }
    void add(std::int32_t i, double weight) {
        sums_.add(rows_.row[i], weight);
        pace_.spend(std::ssize(sums_.sums()));
    }
    Side side() const { return {sums_.cost(criterion_), sums_.weight(), sums_.rows(), 0.0}; }

  private:
    TargetSums sums_;
    const Rows& rows_;
    Criterion criterion_;
    Pace pace_;
};

class SeveralMedians {
  public:
    explicit SeveralMedians(const SearchedNode& node, std::int64_t targets) : place_(node.totals.place) {
        const auto size = static_cast<std::size_t>(node.rows.size);
        const std::span<const double> sorted(node.totals.sorted);
        for (std::size_t t = 0; t < static_cast<std::size_t>(targets); ++t)
            deviations_.emplace_back(sorted.subspan(t * size, size));
        size_ = size;
    }

    void clear() {
        for (Deviations& one : deviations_) one.clear();
    }
    void add(std::int32_t i, double weight) {
        for (std::size_t t = 0; t < deviations_.size(); ++t)
            deviations_[t].add(place_[t * size_ + static_cast<std::size_t>(i)], weight);
    }
    Side side() const {
        double cost = 0.0;
        for (const Deviations& one : deviations_) cost += one.cost();
        return {cost / static_cast<double>(deviations_.size()), deviations_[0].weight(),
                deviations_[0].rows(), 0.0};
    }

  private:
    const std::vector<std::int32_t>& place_;
    std::vector<Deviations> deviations_;
    std::size_t size_ = 0;
};

// What both searches share: values of nodes, and the orders of levels.
template <class Own, class Costs>
class SeveralSearch : public PrefixSearch<Own, Costs> {
  public:
    SeveralSearch(const CodedTable& table, const TreeOptions& options, const SeveralTargets& targets)
        : PrefixSearch<Own, Costs>(table, options), targets_(targets), places_(places_of(targets)) {}

    bool has_several_targets() const override { return true; }
    int value_size() const override { return static_cast<int>(places_.back()); }

    // Levels by the mean of each target (the share of each class) in turn: the cuts of all these orders
    // compete, a heuristic for more than one target.
    std::vector<std::vector<double>> ranks(const SearchedNode& node, const CodeGroups& by_code) const {
        std::vector<std::vector<double>> ranks(places_.back(), std::vector<double>(by_code.size()));
        TargetSums level(targets_, places_);
        for (std::size_t g = 0; g < by_code.size(); ++g) {
            level.clear();
            for (const std::int32_t i : by_code.group(g)) level.add(node.rows.row[i], node.rows.weight_of(i));
            for (std::size_t k = 0; k < places_.back(); ++k) ranks[k][g] = level.sums()[k] / level.weight();
        }
        return ranks;
    }

  protected:
    TargetSums sums_of(const Rows& rows) const {
        TargetSums sums(targets_, places_);
        for (std::int64_t i = 0; i < rows.size; ++i) sums.add(rows.row[i], rows.weight_of(i));
        return sums;
    }
    double number(const Rows& rows, std::int64_t i, std::int64_t t) const {
        return targets_.number[std::int64_t{rows.row[i]} * targets_.targets + t];
    }

    const SeveralTargets& targets_;
    std::vector<std::size_t> places_;
};

class SumSearch final : public SeveralSearch<SumSearch, SumCosts> {
  public:
    using SeveralSearch::SeveralSearch;

    SumCosts costs(const SearchedNode& node) const {
        return SumCosts(TargetSums(targets_, places_), node.rows, options().criterion);
    }

    void totals(const Rows& rows, NodeTotals& totals) const override {
        const TargetSums sums = sums_of(rows);
        totals.weight = sums.weight();
        totals.value = sums.sums();
        totals.pure = true;
        totals.impurity = 0.0;
        totals.largest_share = targets_.label ? 1.0 : 0.0;
        for (std::size_t t = 0; t + 1 < places_.size(); ++t) {
            if (targets_.label)
                add_classes(t, totals);
            else
                add_numbers(rows, t, totals);
        }
        totals.impurity /= static_cast<double>(targets_.targets);
        totals.tolerance = targets_.label ? 1e-12 : 1e-12 * totals.impurity;
    }

  private:
    void add_classes(std::size_t t, NodeTotals& totals) const {
        const double* weights = totals.value.data() + places_[t];
        const auto classes = static_cast<int>(places_[t + 1] - places_[t]);
        const double largest = *std::max_element(weights, weights + classes);
        totals.largest_share = std::min(totals.largest_share, largest / totals.weight);
        totals.impurity += class_impurity(options(), weights, classes);
        totals.pure &= std::count_if(weights, weights + classes, [](double w) { return w > 0.0; }) < 2;
    }

    void add_numbers(const Rows& rows, std::size_t t, NodeTotals& totals) const {
        const double mean = totals.value[t] / totals.weight;
        double spread = 0.0, low = unlimited_cost, high = -low;
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const double y = number(rows, i, static_cast<std::int64_t>(t)), deviation = y - mean;
            if (options().criterion == Criterion::poisson)
                spread += y > 0.0 ? rows.weight_of(i) * y * std::log(y / mean) : 0.0;
            else
                spread += rows.weight_of(i) * deviation * deviation;
            low = std::min(low, y);
            high = std::max(high, y);
        }
        totals.value[t] = mean;
        if (!(high > low)) return;
        totals.pure = false;
        totals.impurity += std::max(0.0, spread / totals.weight);
    }
};

class MedianSearch final : public SeveralSearch<MedianSearch, SeveralMedians> {
  public:
    using SeveralSearch::SeveralSearch;

    SeveralMedians costs(const SearchedNode& node) const { return SeveralMedians(node, targets_.targets); }

    void totals(const Rows& rows, NodeTotals& totals) const override {
        totals.weight = 0.0;
        for (std::int64_t i = 0; i < rows.size; ++i) totals.weight += rows.weight_of(i);
        totals.sorted.clear();
        totals.place.clear();
        totals.value.clear();
        totals.pure = true;
        totals.impurity = 0.0;
        for (std::int64_t t = 0; t < targets_.targets; ++t) {
            const RankedNumbers ranked =
                RankedNumbers::of(rows, [&](std::int32_t i) { return number(rows, i, t); });
            totals.sorted.insert(totals.sorted.end(), ranked.sorted.begin(), ranked.sorted.end());
            totals.place.insert(totals.place.end(), ranked.place.begin(), ranked.place.end());
            totals.value.push_back(ranked.median);
            totals.pure &= ranked.is_constant();
            totals.impurity += ranked.cost / totals.weight / static_cast<double>(targets_.targets);
        }
        totals.tolerance = 1e-12 * totals.impurity;
    }
};

}  // namespace

std::unique_ptr<Search> make_several_search(const CodedTable& table, const TreeOptions& options,
                                            const SeveralTargets& targets) {
    if (options.criterion == Criterion::absolute_error)
        return std::make_unique<MedianSearch>(table, options, targets);
    return std::make_unique<SumSearch>(table, options, targets);
}

void check_several(std::int64_t rows, const SeveralTargets& targets, const TreeOptions& options) {
    const bool by_class = options.criterion == Criterion::gini || options.criterion == Criterion::entropy;
    const bool by_number = options.criterion == Criterion::squared_error ||
                           options.criterion == Criterion::absolute_error ||
                           options.criterion == Criterion::poisson;
    if (targets.targets < 1) refuse("there must be at least one target.");
    if (by_class != (targets.label != nullptr) || by_number != (targets.number != nullptr))
        refuse(
            "the criterion does not suit the kind of targets: classes need gini or entropy and label alone, "
            "numbers squared_error, absolute_error or poisson and number alone.");
    if (!options.monotone.empty() || options.l2 > 0.0) refuse("monotone and l2 are for one target.");
    if (targets.label && std::ssize(targets.classes) != targets.targets)
        refuse("classes must have one entry for each target.");
    std::int64_t total = 0;
    for (const std::int32_t classes : targets.classes) {
        if (classes < 1) refuse("each target needs at least one class.");
        total += classes;
    }
    check_class_count(std::max(total, targets.targets));
    for (std::int64_t i = 0; i < rows * targets.targets; ++i) {
        const auto t = static_cast<std::size_t>(i % targets.targets);
        if (targets.label && (targets.label[i] < 0 || targets.label[i] >= targets.classes[t]))
            refuse("label[", i / targets.targets, ", ", t, "] must be a class below ", targets.classes[t],
                   "; got ", targets.label[i], ".");
        if (targets.number && (!std::isfinite(targets.number[i]) ||
                               (options.criterion == Criterion::poisson && targets.number[i] < 0.0)))
            refuse("number[", i / targets.targets, ", ", t, "] must be finite",
                   options.criterion == Criterion::poisson ? ", and at least 0." : ".");
    }
}

}  // namespace hornbook
