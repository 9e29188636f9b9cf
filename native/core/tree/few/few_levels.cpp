#include "core/tree/few/few_levels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "core/tree/few/few_rows_search.hpp"
#include "core/tree/search/categorical_search.hpp"
#include "core/tree/simd/single_cuts.hpp"

namespace hornbook {

namespace {

// The levels that occur, in ascending order, and the one of each row.
struct Levels {
    std::uint32_t present = 0;
    int size = 0;
    std::int32_t code[most_level_bits];
    std::uint8_t of_row[most_few_rows];

    Levels(const CodedColumn& column, const Rows& rows) {
        with_width(column.line, column.line_width, column.line_step, [&](const auto& codes) {
            for (std::int64_t i = 0; i < rows.size; ++i) {
                of_row[i] = static_cast<std::uint8_t>(codes[rows.row[i]]);
                present |= std::uint32_t{1} << of_row[i];
            }
        });
        std::uint8_t place[most_level_bits];
        for (std::uint32_t rest = present; rest; rest &= rest - 1) {
            code[size] = std::countr_zero(rest);
            place[code[size]] = static_cast<std::uint8_t>(size);
            ++size;
        }
        for (std::int64_t i = 0; i < rows.size; ++i) of_row[i] = place[of_row[i]];
    }

    // The codes of a set of places.
    std::uint32_t codes_of(std::uint32_t places) const {
        std::uint32_t codes = 0;
        for (; places; places &= places - 1) codes |= std::uint32_t{1} << code[std::countr_zero(places)];
        return codes;
    }
};

// A set of places, and its score.
struct PlaceCut {
    double score = no_gain;
    std::uint32_t listed = 0;
    double weight = 0.0;  // of the listed levels
};

FewLevelsCut finished(const PlaceCut& cut, const Levels& levels, double weight) {
    if (cut.score == no_gain) return {};
    const std::uint32_t listed = levels.codes_of(cut.listed), others = levels.present & ~listed;
    const bool swapped = weight - cut.weight < cut.weight;
    return {cut.score, swapped ? others : listed, swapped ? listed : others};
}

// The best cut of levels in the order of their ranks; score(place) moves a level to the left.
template <class Score>
PlaceCut cut_by_rank(double* rank, int size, double tolerance, Score&& score) {
    std::array<std::uint8_t, most_level_bits> order;
    for (int i = 0; i < size; ++i) {
        // NaN, from overflow or cancellation, comes first.
        if (rank[i] != rank[i]) rank[i] = -std::numeric_limits<double>::infinity();
        int at = i;
        for (; at > 0 && rank[order[static_cast<std::size_t>(at - 1)]] > rank[i]; --at)
            order[static_cast<std::size_t>(at)] = order[static_cast<std::size_t>(at - 1)];
        order[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(i);
    }
    PlaceCut best;
    std::uint32_t listed = 0;
    for (int i = 0; i + 1 < size; ++i) {
        const int place = order[static_cast<std::size_t>(i)];
        listed |= std::uint32_t{1} << place;
        const PlaceCut cut = score(place);
        if (cut.score > best.score + tolerance) best = {cut.score, listed, cut.weight};
    }
    return best;
}

PlaceCut cut_numbers(const Levels& levels, const Rows& rows, const LaneNode& node) {
    double sum[most_level_bits], weight[most_level_bits], rank[most_level_bits];
    std::fill_n(sum, levels.size, 0.0);
    std::fill_n(weight, levels.size, 0.0);
    for (std::int64_t i = 0; i < rows.size; ++i) {
        sum[levels.of_row[i]] += rows.sum[i];
        weight[levels.of_row[i]] += rows.weight_of(i);
    }
    for (int r = 0; r < levels.size; ++r) rank[r] = sum[r] / weight[r];
    double left = 0.0, on_left = 0.0;
    return cut_by_rank(rank, levels.size, node.tolerance, [&](int place) {
        left += sum[place];
        on_left += weight[place];
        const double rest = node.weight - on_left, excess = left - on_left * node.mean;
        const bool allowed = on_left > 0.0 && rest > 0.0;
        return PlaceCut{allowed ? excess * excess * node.weight / (on_left * rest) : no_gain, 0, on_left};
    });
}

PlaceCut cut_pairs(const Levels& levels, const Rows& rows, const LaneNode& node) {
    std::uint64_t pair[most_level_bits];
    double rank[most_level_bits];
    std::fill_n(pair, levels.size, 0u);
    for (std::int64_t i = 0; i < rows.size; ++i) pair[levels.of_row[i]] += rows.pair[i];
    for (int r = 0; r < levels.size; ++r) {
        const PairSums sums{pair[r]};
        rank[r] = sums.second() / (sums.first() + sums.second());
    }
    PairSums left;
    return cut_by_rank(rank, levels.size, node.tolerance, [&](int place) {
        left += {pair[place]};
        const double one = left.first(), two = left.second(), weight = one + two;
        const double other_one = node.classes[0] - one, other_two = node.classes[1] - two;
        return PlaceCut{(one * one + two * two) / weight +
                            (other_one * other_one + other_two * other_two) / (node.weight - weight),
                        0, weight};
    });
}

LevelWeights class_weights(const Levels& levels, const Rows& rows, const LaneNode& node, Workspace& work) {
    const std::int64_t classes = std::ssize(node.classes);
    double* table = resized(work.flat, (levels.size + 1) * classes);
    std::fill_n(table, levels.size * classes, 0.0);
    for (std::int64_t i = 0; i < rows.size; ++i)
        table[levels.of_row[i] * classes + rows.label[i]] += rows.weight_of(i);
    return {table, levels.size, classes};
}

PlaceCut cut_classes(const Levels& levels, const Rows& rows, const LaneNode& node, Workspace& work) {
    const LevelWeights table = class_weights(levels, rows, node, work);
    const std::int64_t limit = most_tries / node.all_classes;
    if (count_subsets(levels.size, levels.size / 2, limit) <= limit) {
        PlaceCut best;
        best.listed = best_gini_subset(table, node.tolerance, work, best.score);
        for (std::uint32_t rest = best.listed; rest; rest &= rest - 1)
            best.weight += sum_of_classes(table.of(std::countr_zero(rest)), static_cast<int>(table.classes));
        return best;
    }
    double rank[most_level_bits];
    rank_by_component(table, work, rank);
    double* left = work.flat.data() + table.levels * table.classes;
    std::fill_n(left, table.classes, 0.0);
    return cut_by_rank(rank, levels.size, node.tolerance, [&](int place) {
        double weight = 0.0, squares = 0.0, other_squares = 0.0;
        for (std::int64_t k = 0; k < table.classes; ++k) {
            left[k] += table.of(place)[k];
            const double other = node.classes[static_cast<std::size_t>(k)] - left[k];
            weight += left[k];
            squares += left[k] * left[k];
            other_squares += other * other;
        }
        return PlaceCut{squares / weight + other_squares / (node.weight - weight), 0, weight};
    });
}

}  // namespace

FewLevelsCut cut_few_levels(const CodedColumn& column, const Rows& rows, const LaneNode& node,
                            Workspace& work) {
    const Levels levels(column, rows);
    if (levels.size < 2) return {};
    if (rows.sum) return finished(cut_numbers(levels, rows, node), levels, node.weight);
    if (rows.pair) return finished(cut_pairs(levels, rows, node), levels, node.weight);
    return finished(cut_classes(levels, rows, node, work), levels, node.weight);
}

}  // namespace hornbook
