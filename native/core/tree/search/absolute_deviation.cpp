// Splits by the sum of absolute deviations from the median.

#include "core/tree/search/median_costs.hpp"
#include "core/tree/search/prefix_search.hpp"

namespace hornbook {

namespace {

class MedianCosts {
  public:
    explicit MedianCosts(const NodeTotals& totals, bool wants_value)
        : place_(totals.place), deviations_(totals.sorted), wants_value_(wants_value) {}

    void clear() { deviations_.clear(); }
    void add(std::int32_t i, double weight) { deviations_.add(place_[static_cast<std::size_t>(i)], weight); }
    Side side() const {
        return {deviations_.cost(), deviations_.weight(), deviations_.rows(),
                wants_value_ ? deviations_.median() : 0.0};
    }

  private:
    const std::vector<std::int32_t>& place_;
    Deviations deviations_;
    bool wants_value_;
};

class AbsoluteSearch final : public PrefixSearch<AbsoluteSearch, MedianCosts> {
  public:
    using PrefixSearch::PrefixSearch;

    int value_size() const override { return 1; }

    void totals(const Rows& rows, NodeTotals& totals) const override {
        RankedNumbers ranked = RankedNumbers::of(rows, [&](std::int32_t i) { return rows.sum[i]; });
        totals.weight = 0.0;
        for (std::int64_t i = 0; i < rows.size; ++i) totals.weight += rows.weight_of(i);
        totals.value.assign(1, ranked.median);
        totals.pure = ranked.is_constant();
        totals.impurity = totals.pure ? 0.0 : ranked.cost / totals.weight;
        totals.tolerance = 1e-12 * totals.impurity;
        totals.sorted = std::move(ranked.sorted);
        totals.place = std::move(ranked.place);
    }

    MedianCosts costs(const SearchedNode& node) const {
        return MedianCosts(node.totals, !options().monotone.empty());
    }

    // Levels by their medians, a heuristic: the best of all subsets may be another.
    std::vector<std::vector<double>> ranks(const SearchedNode& node, const CodeGroups& by_code) const {
        std::vector<double> medians;
        MedianCosts level(node.totals, true);
        for (std::size_t g = 0; g < by_code.size(); ++g) {
            level.clear();
            for (const std::int32_t i : by_code.group(g)) level.add(i, node.rows.weight_of(i));
            medians.push_back(level.side().value);
        }
        return {medians};
    }
};

}  // namespace

std::unique_ptr<Search> make_absolute_search(const CodedTable& table, const TreeOptions& options) {
    return std::make_unique<AbsoluteSearch>(table, options);
}

}  // namespace hornbook
