#include "core/tree/predict/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/stop.hpp"
#include "core/tree/grow/node.hpp"
#include "core/tree/predict/check_nodes.hpp"
#include "core/tree/predict/leaf_masks.hpp"
#include "core/tree/predict/traversal.hpp"

namespace hornbook {

namespace {

void add(const double* answer, std::int64_t size, double part, double* out) {
    for (std::int64_t k = 0; k < size; ++k) out[k] += part * answer[k];
}

class Forest {
  public:
    // `values` is the number of rows of leaf values.
    Forest(const TreeArrays& trees, const TreeRows& rows, std::int64_t values)
        : trees_(trees), rows_(rows), values_(values) {
        if (trees.kind.size > std::numeric_limits<std::int32_t>::max()) refuse("there are too many nodes.");
        check_sizes(trees, trees.kind.size);
        check_rows(rows);
    }

    // Follows all rows through all trees, on several threads; calls finish(tree, row, walk, pace) once the
    // rows from `row` on have traversed a tree.
    template <class Finish>
    void follow(int threads, const Finish& finish) const {
        constexpr std::int64_t many = 8;  // trees for which keys pay off
        if (trees_.roots.size < many && rows_.numbers.cols > 0 && rows_.codes.cols == 0)
            follow_by<ExactRows>(threads, finish);
        else
            follow_by<KeyRows>(threads, finish);
    }

    // Whether rows are so few that packing the trees for them does not pay.
    bool has_few_rows() const {
        constexpr std::int64_t few = 8;
        const std::int64_t n = rows_.numbers.rows;
        return n == 1 || (n <= few && trees_.kind.size > n * worth_packing * trees_.roots.size);
    }

    // Follows few rows through the nodes as they are; calls finish(row, ends) with the node of each tree that
    // a row ends in.
    template <class Finish>
    void follow_few(const Finish& finish) const {
        const std::int64_t n = rows_.numbers.rows, trees = trees_.roots.size;
        if (trees_.kind.size <= n * worth_checking)  // those on the paths are always checked
            for (std::int64_t t = 0; t < trees; ++t)
                check_tree(trees_, rows_, trees_.roots.data[t], end_of_tree(trees_, t), values_);
        std::vector<std::int32_t> ends(static_cast<std::size_t>(trees));
        std::vector<double> cells;
        Pace pace;
        for (std::int64_t r = 0; r < n; ++r) {
            gather_numbers(r, cells);
            find_ends(r, cells, ends, pace);
            finish(r, ends);
        }
    }

    // The node that row r ends in, from a node on its path. It terminates: every step is to a later node.
    std::int32_t apply(std::int64_t r, std::int32_t at, Pace& pace) const {
        for (std::int64_t steps = 1;; ++steps) {
            const std::int32_t next = step(r, at);
            if (next == stay) {
                pace.spend(steps);
                return at;
            }
            at = next == all ? heaviest(at) : next;
        }
    }

    // Adds the prediction for row r, from a node on its path.
    void add_parts(std::int64_t r, std::int32_t at, const Matrix<double>& value, double* out,
                   Pace& pace) const {
        std::vector<std::pair<std::int32_t, double>> open;
        double part = 1.0;
        // In a tree no node is visited twice; where nodes share a child, the number of paths grows like 2^n.
        for (std::int64_t visits = 0;; ++visits) {
            if (visits == trees_.kind.size) refuse("no node may be the child of two others.");
            const std::int32_t next = step(r, at);
            if (next >= 0) {
                at = next;
                continue;
            }
            if (next == stay) {
                add(value.row(answer_of(at)), value.cols, part, out);
            } else {
                const std::int32_t first = trees_.first_child.data[at];
                for (std::int32_t c = children_of(trees_, at); c-- > 0;)
                    open.emplace_back(first + c, part * trees_.share.data[first + c]);
            }
            if (open.empty()) return pace.spend(visits);
            at = open.back().first;
            part = open.back().second;
            open.pop_back();
        }
    }

    // The row of the values that a node has.
    std::int64_t answer_of(std::int64_t i) const {
        return kind(i) == SplitKind::leaf ? trees_.first_child.data[i] : i;
    }

  private:
    static constexpr std::int64_t worth_packing = 16;  // nodes per row
    static constexpr std::int64_t worth_checking =
        512;  // nodes per row; those on the path are always checked

    // Several trees take turns: while one waits for memory, others go on. Steps have no branches; every few
    // of them, trees that the row has left are replaced by the next ones. Every step is to a later node, so
    // that all paths end.
    void find_ends(std::int64_t r, std::span<const double> cells, std::span<std::int32_t> ends,
                   Pace& pace) const {
        constexpr std::size_t at_once = 16;
        constexpr int steps = 6;
        std::int32_t at[at_once];
        std::size_t tree[at_once], size = 0, next_tree = 0;
        for (; size < at_once && size < ends.size(); ++size) tree[size] = next_tree++;
        for (std::size_t i = 0; i < size; ++i) at[i] = trees_.roots.data[tree[i]];
        while (size > 0) {
            pace.spend(static_cast<std::int64_t>(size) * steps);
            if (size == at_once) {
                for (int s = 0; s < steps; ++s)
#pragma GCC unroll at_once
                    for (std::size_t i = 0; i < at_once; ++i) at[i] = step_by_number(cells, at[i]);
            } else {
                for (std::size_t i = 0; i < size; ++i)
                    for (int s = 0; s < steps; ++s) at[i] = step_by_number(cells, at[i]);
            }
            for (std::size_t i = 0; i < size;) {
                const std::int32_t next = is_answer(at[i]) ? stay : step(r, at[i]);
                if (next == stay) {
                    ends[tree[i]] = at[i];
                    if (next_tree < ends.size()) {
                        tree[i] = next_tree;
                        at[i++] = trees_.roots.data[next_tree++];
                    } else {
                        --size;
                        tree[i] = tree[size];
                        at[i] = at[size];
                    }
                    continue;
                }
                at[i] = next == all ? heaviest(at[i]) : next;
                ++i;
            }
        }
    }

    template <class KeysOfRows, class Finish>
    void follow_by(int threads, const Finish& finish) const {
        constexpr std::int64_t worth_a_row = 128;  // nodes visited, as counted for interrupts
        const auto part = [&](std::int64_t first, std::int64_t last) {
            const KeysOfRows keys(rows_, first, last);
            TreeWalk<KeysOfRows> walk(trees_, rows_, keys, values_);
            Pace pace;
            for (std::int64_t t = 0; t < trees_.roots.size; ++t) {
                const std::int32_t root = trees_.roots.data[t];
                const std::int64_t end = end_of_tree(trees_, t);
                if (end - root <= walk.size() * worth_packing) {
                    walk.follow(root, end);
                } else {
                    if (end - root <= walk.size() * worth_checking)
                        check_tree(trees_, rows_, root, end, values_);
                    walk.stay(root);
                }
                finish(t, first, walk, pace);
                pace.spend(walk.size() * worth_a_row);
            }
        };
        parallel_rows(rows_.numbers.rows, rows_at_once(threads), threads, part);
    }

    static constexpr std::int32_t stay = -1;
    static constexpr std::int32_t all = -2;

    SplitKind kind(std::int64_t i) const { return static_cast<SplitKind>(trees_.kind.data[i]); }

    // The same number of rows for every thread, but no more than amortize the packing of trees.
    std::int64_t rows_at_once(int threads) const {
        constexpr std::int64_t usual = 50'000, most_keys = std::int64_t{1} << 24, few = 512;
        const std::int64_t n = rows_.numbers.rows, team = std::max(threads, 1);
        const std::int64_t width = std::max<std::int64_t>(rows_.numbers.cols + rows_.codes.cols, 1);
        const std::int64_t nodes = trees_.kind.size / std::max<std::int64_t>(trees_.roots.size, 1);
        const std::int64_t most = std::max(std::min(std::max(usual, nodes), most_keys / width), few);
        const std::int64_t rounds = std::max<std::int64_t>((n + team * most - 1) / (team * most), 1);
        return std::max((n + team * rounds - 1) / (team * rounds), few);
    }

    // The next node of a row, `stay` in a leaf or when its level has no branch, `all` when it goes to every
    // child.
    std::int32_t step(std::int64_t r, std::int32_t at) const {
        check_node(trees_, rows_, at, trees_.kind.size, values_);
        if (kind(at) == SplitKind::leaf) return stay;
        const std::int32_t place = rows_.place.data[trees_.feature.data[at]];
        const std::int32_t first = trees_.first_child.data[at];
        const std::int32_t missing = trees_.missing_child.data[at];
        const std::int32_t if_missing = missing < 0 ? all : first + missing;
        const double number = place >= 0 ? rows_.numbers.row(r)[place] : rows_.codes.row(r)[-1 - place];
        if (place >= 0 ? std::isnan(number) : number < 0.0) return if_missing;
        if (kind(at) == SplitKind::threshold) return first + (number > trees_.threshold.data[at]);
        const std::int32_t* begin = trees_.levels.data + trees_.level_offset.data[at];
        const std::int32_t* end = trees_.levels.data + trees_.level_offset.data[at + 1];
        const auto code = static_cast<std::int32_t>(number);
        const std::int32_t* position = std::lower_bound(begin, end, code);
        const bool listed = position != end && *position == code;
        if (kind(at) == SplitKind::subset) return first + !listed;
        return listed ? first + static_cast<std::int32_t>(position - begin) : stay;
    }

    // The next node after one that splits on a number which the row has, if all is as it should be; otherwise
    // the node itself.
    std::int32_t step_by_number(std::span<const double> cells, std::int32_t at) const {
        const auto feature = static_cast<std::uint32_t>(trees_.feature.data[at]);
        const bool has_column = feature < cells.size();
        const double number = cells[has_column ? feature : 0];
        const std::int32_t child = trees_.first_child.data[at];
        const bool usual = has_column & (kind(at) == SplitKind::threshold) & (child > at) &
                           (child < trees_.kind.size - 1) & (number == number);
        const std::int32_t next = child + (number > trees_.threshold.data[at]);
        return usual ? next : at;
    }

    // Whether a node is a leaf that has a value.
    bool is_answer(std::int32_t at) const {
        return kind(at) == SplitKind::leaf && trees_.first_child.data[at] >= 0 &&
               trees_.first_child.data[at] < values_;
    }

    // The numbers of a row by column, NaN for codes; at least one.
    void gather_numbers(std::int64_t r, std::vector<double>& cells) const {
        const double* numbers = rows_.numbers.row(r);
        cells.assign(static_cast<std::size_t>(std::max<std::int64_t>(rows_.place.size, 1)), std::nan(""));
        for (std::int64_t j = 0; j < rows_.place.size; ++j)
            if (const std::int32_t place = rows_.place.data[j]; place >= 0)
                cells[static_cast<std::size_t>(j)] = numbers[place];
    }

    std::int32_t heaviest(std::int32_t at) const {
        const std::int32_t first = trees_.first_child.data[at];
        const double* share = trees_.share.data + first;
        return first +
               static_cast<std::int32_t>(std::max_element(share, share + children_of(trees_, at)) - share);
    }

    const TreeArrays& trees_;
    const TreeRows& rows_;
    std::int64_t values_;
};

}  // namespace

Buffer<std::int32_t> tree_apply(const TreeArrays& trees, const TreeRows& rows, int threads) {
    const Forest forest(trees, rows, trees.kind.size);
    const std::int64_t many = trees.roots.size;
    Buffer<std::int32_t> out(rows.numbers.rows, many);
    if (forest.has_few_rows()) {
        forest.follow_few([&](std::int64_t r, std::span<const std::int32_t> ends) {
            std::copy(ends.begin(), ends.end(), out.data() + r * many);
        });
        return out;
    }
    forest.follow(threads, [&](std::int64_t t, std::int64_t first, const auto& walk, Pace& pace) {
        for (std::int64_t r = 0; r < walk.size(); ++r) {
            const std::int32_t end = walk.end(r);
            out[(first + r) * many + t] = walk.answer(r) < 0 ? forest.apply(first + r, end, pace) : end;
        }
    });
    return out;
}

Buffer<double> tree_predict(const TreeArrays& trees, const Matrix<double>& value, const TreeRows& rows,
                            std::int64_t turns, int threads) {
    if (turns < 1 || turns > std::max<std::int64_t>(trees.roots.size, 1))
        refuse("turns must be from 1 to the number of trees.");
    const Forest forest(trees, rows, value.rows);
    const std::int64_t width = checked_product(value.cols, turns);
    Buffer<double> out(rows.numbers.rows, width, 0.0);
    if (forest.has_few_rows() && trees.share.size == 0) {  // each row ends in one node of a tree
        forest.follow_few([&](std::int64_t r, std::span<const std::int32_t> ends) {
            std::int64_t turn = 0;
            for (const std::int32_t end : ends) {
                double* sum = out.data() + r * width + turn * value.cols;
                add(value.row(forest.answer_of(end)), value.cols, 1.0, sum);
                turn = turn + 1 < turns ? turn + 1 : 0;
            }
        });
        return out;
    }
    constexpr std::int64_t many = 512;  // rows for which masks pay off
    if (rows.numbers.rows >= many && turns == 1) {
        if (const std::optional<LeafMasks> masks = LeafMasks::of(trees, rows, value.rows)) {
            const auto slowly = [&](std::int64_t r, std::int64_t t) {
                Pace pace;
                return trees.first_child.data[forest.apply(r, trees.roots.data[t], pace)];
            };
            masks->add(rows, value, threads, slowly, out.data());
            return out;
        }
    }
    forest.follow(threads, [&](std::int64_t t, std::int64_t first, const auto& walk, Pace& pace) {
        constexpr std::int64_t ahead = 24;  // answers that are on their way from memory
        for (std::int64_t r = 0; r < walk.size(); ++r) {
            if (r + ahead < walk.size()) __builtin_prefetch(value.row(std::max(walk.answer(r + ahead), 0)));
            const std::int32_t answer = walk.answer(r);
            double* sum = out.data() + (first + r) * width + t % turns * value.cols;
            if (answer < 0)
                forest.add_parts(first + r, walk.end(r), value, sum, pace);
            else
                add(value.row(answer), value.cols, 1.0, sum);
        }
    });
    return out;
}

}  // namespace hornbook
