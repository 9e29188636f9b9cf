#include "core/tree/simd/multiclass_search.hpp"

#include <algorithm>

#include "core/tree/simd/multiclass_bounds.hpp"

namespace hornbook {

namespace {

// Class weights left of a cut, and sums of squares on both sides, updated with every row.
struct SquareSums {
    double* left;  // weight of each class
    double weight = 0.0, rows = 0.0, squares = 0.0, other_squares = 0.0;

    void set(const MulticlassNode& node) {
        weight = squares = other_squares = 0.0;
        for (std::size_t k = 0; k < node.classes.size(); ++k) {
            const double other = node.classes[k] - left[k];
            weight += left[k];
            squares += left[k] * left[k];
            other_squares += other * other;
        }
    }
    void add(double whole, std::int32_t k, double more) {
        squares += more * (2.0 * left[k] + more);
        other_squares -= more * (2.0 * (whole - left[k]) - more);
        left[k] += more;
        weight += more;
        rows += 1.0;
    }
};

// The node, its rows, and the rows that lack the value, which go to the better side.
class MulticlassEvaluator {
  public:
    MulticlassEvaluator(const MulticlassNode& node, const Rows& rows, std::int64_t known, Workspace& work)
        : node_(node), rows_(rows), known_(known) {
        const std::size_t classes = node.classes.size();
        work.left.assign(4 * classes, 0.0);
        sides_ = work.left.data();
        missing_ = sides_ + 2 * classes;
        for (std::int64_t i = known; i < rows.size; ++i) missing_[rows.label[i]] += rows.weight_of(i);
    }
    const MulticlassNode& node() const { return node_; }
    const Rows& rows() const { return rows_; }
    bool has_missing() const { return known_ < rows_.size; }
    const double* missing() const { return missing_; }
    double missing_rows() const { return static_cast<double>(rows_.size - known_); }
    double* side(std::size_t i) const { return sides_ + i * node_.classes.size(); }
    const double* nothing() const { return side(3); }

    // The score if it reaches `level`; most do not, and are rejected without a division.
    double score(const SquareSums& sums, double level) const {
        const double rest = node_.weight - sums.weight, both = sums.weight * rest;
        if (!(sums.squares * rest + sums.other_squares * sums.weight >= level * both)) return no_gain;
        const double all = static_cast<double>(rows_.size);
        const double rows = node_.counted ? sums.rows : sums.weight,
                     other = node_.counted ? all - sums.rows : rest;
        if (!node_.limits.hold(rows, other, sums.weight, rest)) return no_gain;
        return sums.squares / sums.weight + sums.other_squares / rest;
    }

    ScoredCut only_missing_right() const {
        SquareSums sums{side(0)};
        for (std::size_t k = 0; k < node_.classes.size(); ++k) sums.left[k] = node_.classes[k] - missing_[k];
        sums.set(node_);
        sums.rows = static_cast<double>(known_);
        return {score(sums, no_gain), 1};
    }

  private:
    const MulticlassNode& node_;
    const Rows& rows_;
    std::int64_t known_;
    double *sides_, *missing_;
};

// Of the two sides of a cut that rows without a value may join, the better.
ScoredCut better(double with, double without, double tolerance) {
    return without > with + tolerance ? ScoredCut{without, 1} : ScoredCut{with, 0};
}

// The left side of a cut, without the rows that lack the value and with them.
class MulticlassSide {
  public:
    // Starts from the class weights on the left, `step` apart; null for none.
    explicit MulticlassSide(const MulticlassEvaluator& evaluator, const double* from = nullptr,
                            std::int64_t step = 0, double rows = 0.0)
        : evaluator_(evaluator), bare_{evaluator.side(0)}, with_{evaluator.side(1)} {
        for (std::size_t k = 0; k < evaluator.node().classes.size(); ++k) {
            bare_.left[k] = from ? from[static_cast<std::int64_t>(k) * step] : 0.0;
            with_.left[k] = bare_.left[k] + evaluator.missing()[k];
        }
        bare_.set(evaluator.node());
        bare_.rows = rows;
        if (!evaluator.has_missing()) return;
        with_.set(evaluator.node());
        with_.rows = rows + evaluator.missing_rows();
    }

    void add(std::int64_t i) {
        const std::int32_t k = evaluator_.rows().label[i];
        const double more = evaluator_.rows().weight_of(i),
                     whole = evaluator_.node().classes[static_cast<std::size_t>(k)];
        bare_.add(whole, k, more);
        if (evaluator_.has_missing()) with_.add(whole, k, more);
    }

    void consider(BestCut& best, std::uint32_t edge) const {
        const double level = best.bar() - best.tolerance(), bare = evaluator_.score(bare_, level);
        if (!evaluator_.has_missing())
            best.consider({bare, -1}, edge);
        else
            best.consider(better(evaluator_.score(with_, level), bare, best.tolerance()), edge);
    }

  private:
    const MulticlassEvaluator& evaluator_;
    SquareSums bare_, with_;
};

// Sums before each bin, class by class, and last the number of rows if it is counted.
class MulticlassBins {
  public:
    using Side = MulticlassSide;

    MulticlassBins(const MulticlassEvaluator& evaluator, const GatheredCodes& gathered, Workspace& work)
        : grid(gathered, rows_in_bin(evaluator)), evaluator_(evaluator) {
        const MulticlassNode& node = evaluator.node();
        const auto classes = std::ssize(node.classes);
        const std::int64_t planes = classes + (node.counted ? 1 : 0);
        const auto margin = static_cast<std::int64_t>(CodeGrid::margin);
        step_ = grid.count + 1 + margin;
        work.planes.assign(static_cast<std::size_t>(planes * step_), 0.0);
        left_ = work.planes.data();
        rows_ = node.counted ? left_ + classes * step_ : nullptr;
        fill(gathered);
        for (std::int64_t k = 0; k < planes; ++k)
            for (std::int64_t b = 1; b <= grid.count; ++b) left_[k * step_ + b] += left_[k * step_ + b - 1];
        bare_ = resized(work.edges, 2 * step_);
        score_edges(planes_of(evaluator.nothing(), 0.0), bare_);
        if (!evaluator.has_missing()) return;
        with_ = bare_ + step_;
        score_edges(planes_of(evaluator.missing(), evaluator.missing_rows()), with_);
    }

    double best_edge() const {
        double best = no_gain;
        for (std::int64_t b = 1; b < grid.count; ++b) best = std::max(best, edge_score(b));
        return best;
    }

    void flag(double level, std::uint8_t* flags) const {
        const MulticlassNode& node = evaluator_.node();
        double base = 0.0;
        for (const double weight : node.classes) base += weight * weight;
        const double gain = std::max(0.0, level - base / node.weight);
        flag_planes(planes_of(evaluator_.nothing(), 0.0), gain, node.limits.bind(), flags);
        if (evaluator_.has_missing())
            flag_planes(planes_of(evaluator_.missing(), evaluator_.missing_rows()), gain, node.limits.bind(),
                        flags);
        for (std::int64_t b = 1; b < grid.count; ++b)
            flags[b] |= static_cast<std::uint8_t>(edge_score(b) > level ? 2 : 0);
    }

    Side before(std::int64_t b) const { return Side(evaluator_, left_ + b, step_, rows_ ? rows_[b] : 0.0); }
    void consider_edge(std::int64_t b, BestCut& best) const {
        best.consider(with_ ? better(with_[b], bare_[b], best.tolerance()) : ScoredCut{bare_[b], -1},
                      grid.edge(b));
    }

    const CodeGrid grid;

  private:
    // With many classes bins are larger, so that summing them costs no more than the rows.
    static std::int64_t rows_in_bin(const MulticlassEvaluator& evaluator) {
        return std::max<std::int64_t>(8, std::ssize(evaluator.node().classes));
    }

    void fill(const GatheredCodes& gathered) {
        const Rows& rows = evaluator_.rows();
        for (std::int64_t i = 0; i < gathered.size; ++i) {
            double* to = left_ + grid.of(gathered.codes[i]) + 1;
            to[rows.label[i] * step_] += rows.weight_of(i);
            if (rows_) to[rows_ - left_] += 1.0;
        }
    }

    double edge_score(std::int64_t b) const { return with_ ? std::max(bare_[b], with_[b]) : bare_[b]; }

    ClassPlanes planes_of(const double* more, double more_rows) const {
        const MulticlassNode& node = evaluator_.node();
        const double least = node.counted ? 0.0 : node.limits.rows;  // each row weighs one, or one is enough
        return {left_,
                step_,
                grid.count,
                static_cast<int>(node.classes.size()),
                node.classes.data(),
                more,
                node.weight,
                std::max(node.limits.weight, least),
                rows_,
                static_cast<double>(evaluator_.rows().size),
                more_rows,
                node.limits.rows};
    }

    const MulticlassEvaluator& evaluator_;
    std::int64_t step_;
    double* left_;
    double* rows_;
    double* bare_;
    double* with_ = nullptr;
};

}  // namespace

Candidate best_class_cut(const MulticlassNode& node, const Rows& rows, const GatheredCodes& gathered,
                         std::int32_t n_codes, double tolerance, Workspace& work) {
    const MulticlassEvaluator evaluator(node, rows, gathered.size, work);
    return best_cut<MulticlassBins>(evaluator, gathered, n_codes, tolerance, work);
}

}  // namespace hornbook
