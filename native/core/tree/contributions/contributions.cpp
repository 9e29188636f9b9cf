#include "core/tree/contributions/contributions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/stop.hpp"
#include "core/tree/contributions/path_walk.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/predict/check_nodes.hpp"

namespace hornbook {

namespace {

void check_model(const WeightedTrees& model, const TreeRows& rows) {
    const TreeArrays& trees = model.trees;
    if (trees.kind.size > std::numeric_limits<std::int32_t>::max()) refuse("there are too many nodes.");
    check_sizes(trees, trees.kind.size);
    check_rows(rows);
    if (model.cover.size != model.value.rows)
        refuse("cover must have one entry for each row of the answers.");
    if (model.scale.size != trees.roots.size || model.output.size != trees.roots.size)
        refuse("scale and output must have one entry for each tree.");
    const std::int64_t most = checked_product(std::max<std::int64_t>(trees.roots.size, 1), model.value.cols);
    if (model.outputs < 1 || model.outputs > most)
        refuse("outputs must be at least 1, and at most ", most, " for these trees and answers.");
    for (std::int64_t t = 0; t < trees.roots.size; ++t)
        if (model.output.data[t] < 0 || model.output.data[t] + model.value.cols > model.outputs)
            refuse("output[", t, "] and the columns of the answers must be within the outputs.");
}

// Whether some node sends rows without a value to all children.
bool sends_parts(const TreeArrays& trees) {
    for (std::int64_t i = 0; i < trees.kind.size; ++i)
        if (trees.kind.data[i] != 0 && trees.missing_child.data[i] < 0) return true;
    return false;
}

// Quadrature rules by number of points, in walks of equal size.
class Rules {
  public:
    struct Points {
        int walks, points;
        const Quadrature* rule;
    };

    explicit Rules(bool plain) : plain_(plain) {}

    // For paths with this many columns.
    Points of(std::int32_t columns) {
        const int needed = std::max((columns + 1) / 2, 1), walks = (needed + most_points - 1) / most_points;
        const int points = fitting_points((needed + walks - 1) / walks, plain_);
        auto& rule = rules_[walks * points];
        if (rule.point.empty()) rule = gauss_legendre(walks * points);
        return {walks, points, &rule};
    }

  private:
    bool plain_;
    std::map<int, Quadrature> rules_;
};

// Rows in groups of eight, with the cells and sums of each group.
class RowGroups {
  public:
    RowGroups(const TreeRows& rows, std::int64_t sums) : rows_(rows), sums_(sums) {}

    // A row's result does not depend on its neighbors: those that go everywhere are in groups of their own.
    void collect(std::int64_t first, std::int64_t last, bool in_parts) {
        for (const bool parts : {false, true}) {
            std::vector<std::int64_t> chosen;
            for (std::int64_t r = first; r < last; ++r)
                if ((in_parts && has_gap(r)) == parts) chosen.push_back(r);
            for (std::int64_t i = 0; i < std::ssize(chosen); i += lanes) {
                groups_.push_back({{}, std::min(lanes, std::ssize(chosen) - i), parts});
                for (std::int64_t lane = 0; lane < lanes; ++lane)
                    groups_.back().row[lane] = chosen[std::min(i + lane, std::ssize(chosen) - 1)];
            }
        }
        cells_ = Buffer<double>(size() * rows_.place.size, lanes);
        totals_ = Buffer<double>(size() * sums_, lanes, 0.0);
        for (std::int64_t g = 0; g < size(); ++g) fill(g);
    }

    std::int64_t size() const { return std::ssize(groups_); }
    bool in_parts(std::int64_t g) const { return groups_[g].parts; }
    const Lanes* cells(std::int64_t g) const {
        return reinterpret_cast<const Lanes*>(cells_.data()) + g * rows_.place.size;
    }
    Lanes* totals(std::int64_t g) { return reinterpret_cast<Lanes*>(totals_.data()) + g * sums_; }

    // Calls take(row, sums, stride) for each row.
    template <class Take>
    void each_row(const Take& take) {
        for (std::int64_t g = 0; g < size(); ++g)
            for (std::int64_t lane = 0; lane < groups_[g].size; ++lane)
                take(groups_[g].row[lane], totals_.data() + g * sums_ * lanes + lane);
    }

  private:
    struct Group {
        std::int64_t row[lanes];
        std::int64_t size;
        bool parts;
    };

    double cell(std::int64_t r, std::int64_t j) const {
        const std::int32_t place = rows_.place.data[j];
        if (place >= 0) return rows_.numbers.row(r)[place];
        const std::int32_t code = rows_.codes.row(r)[-1 - place];
        return code < 0 ? std::numeric_limits<double>::quiet_NaN() : code;
    }
    bool has_gap(std::int64_t r) const {
        for (std::int64_t j = 0; j < rows_.place.size; ++j)
            if (std::isnan(cell(r, j))) return true;
        return false;
    }
    void fill(std::int64_t g) {
        double* cells = cells_.data() + g * rows_.place.size * lanes;
        for (std::int64_t j = 0; j < rows_.place.size; ++j)
            for (std::int64_t lane = 0; lane < lanes; ++lane)
                cells[j * lanes + lane] = cell(groups_[g].row[lane], j);
    }

    const TreeRows& rows_;
    std::int64_t sums_;
    std::vector<Group> groups_;
    Buffer<double> cells_{0}, totals_{0};
};

class Explainer {
  public:
    Explainer(const WeightedTrees& model, const TreeRows& rows, bool pairs)
        : model_(model),
          rows_(rows),
          pairs_(pairs),
          in_parts_(sends_parts(model.trees)),
          columns_(rows.place.size),
          singles_(checked_product(columns_, model.outputs)),
          per_row_(pairs ? checked_product(columns_, singles_) : singles_) {}

    Contributions explain(int threads) const {
        const std::int64_t n = rows_.numbers.rows;
        Contributions out{Buffer<double>(n, per_row_), Buffer<double>(1, model_.outputs, 0.0)};
        parallel_rows(n, rows_at_once(threads), threads,
                      [&](std::int64_t first, std::int64_t last) { explain_rows(first, last, out); });
        if (n == 0) explain_rows(0, 0, out);
        return out;
    }

  private:
    // Many rows share the work on a tree; their sums must fit into memory.
    std::int64_t rows_at_once(int threads) const {
        constexpr std::int64_t most = 1024, most_sums = std::int64_t{1} << 22;
        const std::int64_t n = rows_.numbers.rows, team = std::max(threads, 1);
        const std::int64_t fit = std::min(most, most_sums / std::max<std::int64_t>(per_row_, 1));
        const std::int64_t per_thread = std::min((n + team - 1) / team, fit) / lanes * lanes;
        return std::max(per_thread, lanes);
    }

    void explain_rows(std::int64_t first, std::int64_t last, Contributions& out) const {
        RowGroups groups(rows_, pairs_ ? singles_ + per_row_ : singles_);
        groups.collect(first, last, in_parts_);
        PathEdges tree(model_.trees, model_.value, model_.cover, rows_);
        Worker worker{Rules(!pairs_ && !in_parts_), {}, Buffer<double>(0), {}};
        for (std::int64_t t = 0; t < model_.trees.roots.size; ++t) {
            tree.list(model_.trees.roots.data[t], end_of_tree(model_.trees, t));
            worker.pace.spend(std::ssize(tree.edges()) * 8);
            if (first == 0)
                for (std::int64_t k = 0; k < model_.value.cols; ++k)
                    out.mean[model_.output.data[t] + k] += model_.scale.data[t] * tree.mean()[k];
            add_tree(t, tree, groups, worker);
        }
        groups.each_row([&](std::int64_t r, const double* sums) {
            pairs_ ? write_pairs(sums, out.values.data() + r * per_row_)
                   : write(sums, out.values.data() + r * per_row_);
        });
    }

    struct Worker {
        Rules rules;
        PathMemory memory;
        Buffer<double> factors;
        Pace pace;
    };

    void add_tree(std::int64_t t, const PathEdges& tree, RowGroups& groups, Worker& worker) const {
        const auto [walks, points, rule] = worker.rules.of(tree.columns());
        worker.memory.reserve(tree.depth(), model_.value.cols, points);
        for (int walk = 0; walk < walks; ++walk) {
            const double* point = rule->point.data() + walk * points;
            double weight[most_points];
            for (int q = 0; q < points; ++q)
                weight[q] = rule->weight[walk * points + q] * model_.scale.data[t];
            edge_factors(tree, point, points, worker.factors);
            for (std::int64_t g = 0; g < groups.size(); ++g) {
                const WalkTree paths{tree,   model_.value,
                                     point,  weight,
                                     points, groups.in_parts(g) ? nullptr : worker.factors.data()};
                Lanes* totals = groups.totals(g);
                walk_paths(paths, groups.cells(g), worker.memory,
                           {totals, pairs_ ? totals + singles_ : nullptr, columns_, model_.outputs,
                            model_.output.data[t]});
                worker.pace.spend(std::ssize(tree.edges()) * points * 8);
            }
        }
    }

    void write(const double* sums, double* out) const {
        for (std::int64_t i = 0; i < singles_; ++i) out[i] = sums[i * lanes];
    }

    // Half the interaction goes to either column; what is left of a column's value is its own.
    void write_pairs(const double* sums, double* out) const {
        const std::int64_t many = model_.outputs;
        const double* pairs = sums + singles_ * lanes;
        for (std::int64_t i = 0; i < columns_; ++i)
            for (std::int64_t k = 0; k < many; ++k) {
                double own = sums[(i * many + k) * lanes];
                for (std::int64_t j = 0; j < columns_; ++j) {
                    if (j == i) continue;
                    const double both = pairs[((i * columns_ + j) * many + k) * lanes] +
                                        pairs[((j * columns_ + i) * many + k) * lanes];
                    out[(i * columns_ + j) * many + k] = both / 2.0;
                    own -= both / 2.0;
                }
                out[(i * columns_ + i) * many + k] = own;
            }
    }

    const WeightedTrees& model_;
    const TreeRows& rows_;
    bool pairs_, in_parts_;
    std::int64_t columns_, singles_, per_row_;
};

}  // namespace

Contributions tree_contributions(const WeightedTrees& model, const TreeRows& rows, bool pairs, int threads) {
    check_model(model, rows);
    return Explainer(model, rows, pairs).explain(threads);
}

}  // namespace hornbook
