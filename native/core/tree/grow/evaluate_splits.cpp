// The part of the grower that searches columns: which ones compete, and which candidate is taken.

#include <algorithm>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/tree/columns/histogram.hpp"
#include "core/tree/grow/grower.hpp"
#include "core/tree/search/gain_ratio.hpp"

namespace hornbook {

namespace {

constexpr int most_threads = 1024;
constexpr std::int64_t cells_worth_threads = std::int64_t{1} << 17;
constexpr std::int64_t histogram_memory = std::int64_t{1} << 26;  // bytes of the histograms of one node

}  // namespace

Grower::Grower(const CodedTable& table, const TreeOptions& options, const TreeKey& key, const Search& search,
               double total_weight, int threads)
    : table_(table),
      options_(options),
      key_(key),
      search_(search),
      total_weight_(total_weight),
      threads_(std::clamp(threads, 1, most_threads)) {
    allowed_ = columns_of_tree(std::ssize(table.columns), options.columns_per_tree, key);
    histogram_at_.push_back(0);
    smallest_bins_ = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t j : allowed_) {
        const std::int32_t bins = table.columns[static_cast<std::size_t>(j)].bins;
        smallest_bins_ = std::min(smallest_bins_, bins);
        const std::int64_t bytes = (bins + std::int64_t{1}) * search.bytes_per_code();
        histogram_at_.push_back(histogram_at_.back() + (bytes + 63) / 64 * 64);
    }
    keeps_histograms_ = search.bytes_per_code() > 0 && !options.random_thresholds && !options.fractional &&
                        options.max_features >= static_cast<std::int64_t>(allowed_.size()) &&
                        options.max_leaf_nodes == unlimited && histogram_at_.back() <= histogram_memory;
    divides_two_alike_ = divides_two_alike();
    constexpr std::int64_t few_of_histograms = 24;  // from more rows on, kept histograms are faster
    sorts_few_rows_ = FewRowsSearch::sorts(table, options);
    if (total_weight < 0x1p31 && search.takes_few_rows())
        few_rows_ = keeps_histograms_ ? few_of_histograms : sorts_few_rows_ ? most_lane_rows : most_few_rows;
}

// Whether the subtree of a node is grown by grow_few_rows.
bool Grower::is_few(const Rows& rows) const {
    return rows.size <= few_rows_ && FewRowsSearch::takes(rows, sorts_few_rows_);
}

// C4.5 calls a column many-valued when it has three levels for ten rows of the table.
bool Grower::is_many_valued(std::int32_t j) const {
    const CodedColumn& column = table_.columns[static_cast<std::size_t>(j)];
    return column.nominal && column.bins >= 0.3 * search_.rows_of(total_weight_);
}

bool Grower::has_dense_column(std::int64_t rows) const { return is_dense(rows, smallest_bins_); }

// Calls fn(place) for every allowed column, on several threads when there are many rows.
void Grower::for_columns(std::int64_t rows, int threads, const std::function<void(std::int32_t)>& fn) const {
    const auto columns = static_cast<std::int64_t>(allowed_.size());
    parallel_for(columns, rows * columns >= cells_worth_threads ? threads : 1,
                 [&](std::int64_t place) { fn(static_cast<std::int32_t>(place)); });
}

void Grower::prepare_histograms(Pending& pending, Scratch& scratch) const {
    const Rows& rows = pending.rows.rows;
    if (!keeps_histograms_ || pending.filled || pending.histograms_only || !has_dense_column(rows.size))
        return;
    if (!pending.histograms) {
        if (scratch.pool.empty())
            pending.histograms = std::make_unique<Buffer<std::uint8_t>>(histogram_at_.back());
        else {
            pending.histograms = std::move(scratch.pool.back());
            scratch.pool.pop_back();
        }
    }
    for_columns(rows.size, scratch.threads, [&](std::int32_t place) {
        const std::int32_t j = allowed_[static_cast<std::size_t>(place)];
        if (!is_dense(rows.size, table_.columns[static_cast<std::size_t>(j)].bins)) return;
        const std::int64_t at = histogram_at_[static_cast<std::size_t>(place)];
        std::uint8_t* histogram = pending.histograms->data() + at;
        std::fill(histogram, pending.histograms->data() + histogram_at_[static_cast<std::size_t>(place) + 1],
                  std::uint8_t{0});
        search_.add(j, rows, histogram);
    });
    pending.filled = true;
}

// The largest child inherits the histograms, from which the rows of its siblings are subtracted (the
// subtraction of LightGBM, Ke et al. 2017, without histograms of the siblings).
void Grower::pass_on_histograms(Pending& pending, std::vector<Pending>& children, Scratch& scratch) const {
    if (!pending.histograms) return;
    Pending& largest_child = *std::max_element(
        children.begin(), children.end(),
        [](const Pending& a, const Pending& b) { return a.rows.rows.size < b.rows.rows.size; });
    const std::int64_t rows = largest_child.rows.rows.size;
    if (!pending.filled || !has_dense_column(rows) || is_few(largest_child.rows.rows)) {
        scratch.pool.push_back(std::move(pending.histograms));
        return;
    }
    for_columns(pending.rows.rows.size - rows, scratch.threads, [&](std::int32_t place) {
        const std::int32_t j = allowed_[static_cast<std::size_t>(place)];
        if (!is_dense(rows, table_.columns[static_cast<std::size_t>(j)].bins)) return;
        std::uint8_t* histogram = pending.histograms->data() + histogram_at_[static_cast<std::size_t>(place)];
        for (const Pending& child : children)
            if (&child != &largest_child) search_.take(j, child.rows.rows, histogram);
    });
    largest_child.histograms = std::move(pending.histograms);
    largest_child.filled = true;
}

Split Grower::find_split(Pending& pending, Scratch& scratch) {
    const bool random = options_.pick != Pick::best && random_splits_ < options_.max_random_splits;
    if (random && options_.max_random_splits != unlimited)
        ++random_splits_;  // the tree then grows on one thread
    return search_columns(pending, scratch, random ? options_.pick : Pick::best);
}

// Whether a node searches its columns in random order.
bool Grower::draws_columns() const {
    return options_.max_features < std::ssize(allowed_) || options_.draw_order;
}

// The columns of a node before any of them is drawn, and the draws.
Draws Grower::start_columns(std::uint64_t path, std::vector<std::int32_t>& columns) const {
    columns.resize(allowed_.size());
    std::iota(columns.begin(), columns.end(), 0);
    return NodeKey{key_, path}.columns();
}

Split Grower::search_columns(Pending& pending, Scratch& scratch, Pick pick) {
    prepare_histograms(pending, scratch);
    std::vector<std::int32_t>& columns = scratch.columns;
    Draws draws = start_columns(pending.path, columns);
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::int64_t>(options_.max_features, std::ssize(columns)));
    if (draws_columns()) shuffle(columns, 0, wanted, draws);
    for (Workspace& work : scratch.workspaces) work.floor = work.least_gain = no_gain;
    search_range(pending, scratch, 0, wanted, pick);
    Split split = choose(pending, scratch, wanted, pick);
    // As long as no column can be split, further columns are tried.
    for (std::size_t next = wanted; split.gain == no_gain && next < columns.size(); ++next) {
        shuffle(columns, next, next + 1, draws);
        search_range(pending, scratch, next, next + 1, pick);
        split = choose(pending, scratch, next + 1, pick);
    }
    return split;
}

void Grower::search_range(const Pending& pending, Scratch& scratch, std::size_t first, std::size_t last,
                          Pick pick) {
    const Rows& rows = pending.rows.rows;
    scratch.tasks.clear();
    for (std::size_t i = first; i < last; ++i) scratch.tasks.push_back(make_task(pending, scratch, i));
    const auto columns = std::ssize(scratch.tasks);
    const bool many = rows.size * columns >= cells_worth_threads;
    const std::int64_t parts = many ? std::min<std::int64_t>(scratch.threads, columns) : 1;
    const NodeKey key{key_, pending.path};
    parallel_for(parts, static_cast<int>(parts), [&](std::int64_t part) {
        const auto begin = static_cast<std::size_t>(part * columns / parts),
                   end = static_cast<std::size_t>((part + 1) * columns / parts);
        search_.columns(std::span(scratch.tasks).subspan(begin, end - begin), rows, scratch.totals, pick, key,
                        scratch.workspaces[static_cast<std::size_t>(part)]);
    });
    for (const ColumnTask& task : scratch.tasks)
        for (Split& split : task.candidates->splits) split.column = task.column;
}

// The search task of column i of the node's order.
ColumnTask Grower::make_task(const Pending& pending, Scratch& scratch, std::size_t i) const {
    const std::int32_t place = scratch.columns[i], j = allowed_[static_cast<std::size_t>(place)];
    const bool kept = pending.histograms_only ||
                      (pending.filled &&
                       is_dense(pending.rows.rows.size, table_.columns[static_cast<std::size_t>(j)].bins));
    scratch.candidates[i].clear();
    return {j, kept ? pending.histograms->data() + histogram_at_[static_cast<std::size_t>(place)] : nullptr,
            &scratch.candidates[i]};
}

Split Grower::choose(const Pending& pending, Scratch& scratch, std::size_t n_searched, Pick pick) const {
    if (options_.criterion == Criterion::gain_ratio)
        compare_by_ratio(std::span(scratch.candidates).first(n_searched), scratch.totals.tolerance,
                         [&](std::int32_t j) { return is_many_valued(j); });
    if (pick != Pick::best) return draw(pending, scratch, n_searched, pick);
    Split* best = nullptr;
    for (std::size_t i = 0; i < n_searched; ++i)
        for (Split& split : scratch.candidates[i].splits)
            if (split.gain != no_gain && (!best || split.gain > best->gain + scratch.totals.tolerance))
                best = &split;
    return best ? std::move(*best) : Split{};
}

Split Grower::draw(const Pending& pending, Scratch& scratch, std::size_t n_searched, Pick pick) const {
    Draws draws = NodeKey{key_, pending.path}.split();
    std::vector<Split*> splits;
    double mass = 0.0;
    for (std::size_t i = 0; i < n_searched; ++i) {
        mass += scratch.candidates[i].mass;
        for (Split& split : scratch.candidates[i].splits) splits.push_back(&split);
    }
    if (splits.empty()) return {};
    if (pick == Pick::top_k) {
        std::stable_sort(splits.begin(), splits.end(), [](Split* a, Split* b) { return a->gain > b->gain; });
        const auto most = std::min<std::int64_t>(options_.top_k, static_cast<std::int64_t>(splits.size()));
        return std::move(*splits[static_cast<std::size_t>(draws.below(most))]);
    }
    double left = draws.uniform() * mass;
    for (std::size_t i = 0; i < n_searched && mass > 0.0; ++i) {
        left -= scratch.candidates[i].mass;
        if (left < 0.0 && !scratch.candidates[i].splits.empty())
            return std::move(scratch.candidates[i].splits[0]);
    }
    return std::move(*splits[0]);
}

}  // namespace hornbook
