#include "core/tree/boost/boost_round.hpp"

#include <vector>

namespace hornbook {

namespace {

// The step of each leaf of a tree, and the leaf of each row. Rows without a weight may have no leaf: their
// scores do not count, and they get a step of 0, which follows those of the nodes.
struct Steps {
    std::vector<double> step;
    Buffer<std::int32_t> leaf;

    LeafSteps view() const { return {leaf.data(), {step.data(), std::ssize(step)}}; }
};

Steps grow_next(PairGrower& grower, GrownTrees& trees, std::int64_t k, const BoostRows& rows,
                const BoostSettings& settings) {
    Steps steps{{}, Buffer<std::int32_t>(rows.rows)};
    const PairTarget target{rows.pairs.sum, rows.pairs.weight, rows.rows};
    const TreeKey key{settings.key.seed, settings.key.tree + static_cast<std::uint64_t>(k)};
    const Tree tree =
        grower.grow(target, settings.options, key, settings.threads, settings.all_coded, steps.leaf.data());
    trees.add(tree, settings.rate);
    for (std::int64_t i = 0; i < tree.size(); ++i) steps.step.push_back(settings.rate * tree.value[i]);
    if (rows.w) {
        const auto none = static_cast<std::int32_t>(steps.step.size());
        steps.step.push_back(0.0);
        for (std::int64_t i = 0; i < rows.rows; ++i)
            if (steps.leaf[i] < 0) steps.leaf[i] = none;
    }
    return steps;
}

}  // namespace

void boost_classes(PairGrower& grower, GrownTrees& trees, const Vector<std::int32_t>& y,
                   const BoostRows& rows, const BoostSettings& settings) {
    if (rows.n_scores == 1) {
        const Steps steps = grow_next(grower, trees, 0, rows, settings);
        log_loss_pairs(y, rows.w, steps.view(), rows.scores, rows.pairs, settings.threads, settings.smallest);
        return;
    }
    for (std::int64_t k = 0; k < rows.n_scores; ++k) {
        double* scores = rows.scores + k * rows.rows;
        softmax_pairs(y, rows.w, {scores, rows.norms, static_cast<std::int32_t>(k)}, rows.pairs,
                      settings.threads, settings.smallest);
        const Steps steps = grow_next(grower, trees, k, rows, settings);
        add_steps(steps.view(), scores, rows.rows, settings.threads);
    }
    softmax_norms({rows.scores, rows.n_scores, rows.rows}, rows.norms, settings.threads);
}

void boost_numbers(PairGrower& grower, GrownTrees& trees, const Vector<double>& y, const BoostRows& rows,
                   const BoostSettings& settings) {
    const Steps steps = grow_next(grower, trees, 0, rows, settings);
    squared_error_pairs(y, rows.w, steps.view(), rows.scores, rows.pairs, settings.threads);
}

}  // namespace hornbook
