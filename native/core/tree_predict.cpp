#include "core/tree_predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/refuse.hpp"
#include "core/tree_node.hpp"

namespace hornbook {

namespace {

constexpr std::int32_t in_leaf = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t elsewhere = in_leaf - 1;  // not a plain threshold on a number
constexpr std::int32_t missing_left = 1 << 30;   // added to the place
constexpr std::int64_t side_by_side = 16;        // rows whose way down is followed in turns

// What most nodes need, in 16 bytes: numbers <= threshold go to `child`, others to child + 1.
struct PackedNode {
    double threshold;
    std::int32_t place;
    std::int32_t child;  // row of the answer in leaves
};

std::int32_t children_of(const TreeArrays& t, std::int64_t node) {
    const auto kind = static_cast<SplitKind>(t.kind.data[node]);
    if (kind == SplitKind::multiway) return t.level_offset.data[node + 1] - t.level_offset.data[node];
    return kind == SplitKind::leaf ? 0 : 2;
}

void check_sizes(const TreeArrays& t, std::int64_t n) {
    if (t.feature.size != n || t.threshold.size != n || t.first_child.size != n || t.missing_child.size != n)
        refuse("kind, feature, threshold, first_child and missing_child must have the same length.");
    if (t.share.size != 0 && t.share.size != n) refuse("share must have one entry for each node, or none.");
    if (t.level_offset.size != 0 && t.level_offset.size != n + 1)
        refuse("level_offset must have one entry more than there are nodes, or none.");
    for (std::int64_t i = 0; i + 1 < t.level_offset.size; ++i)
        if (t.level_offset.data[i] < 0 || t.level_offset.data[i + 1] < t.level_offset.data[i])
            refuse("level_offset must ascend from 0.");
    if (t.level_offset.size > 0 && t.level_offset.data[n] > t.levels.size)
        refuse("level_offset must end within levels.");
    for (std::int64_t i = 0; i < t.roots.size; ++i)
        if (t.roots.data[i] < 0 || t.roots.data[i] >= n) refuse("roots[", i, "] is not a node.");
}

void check_rows(const TreeRows& rows) {
    if (rows.numbers.rows != rows.codes.rows) refuse("numbers and codes must have the same number of rows.");
    if (rows.numbers.cols >= missing_left) refuse("there are too many columns.");
    for (std::int64_t j = 0; j < rows.place.size; ++j) {
        const std::int32_t place = rows.place.data[j];
        if (place >= 0 ? place >= rows.numbers.cols : -1 - place >= rows.codes.cols)
            refuse("place[", j, "] = ", place, " names a column that is not there.");
    }
}

void check_node(const TreeArrays& t, const TreeRows& rows, std::int64_t i, std::int64_t n,
                std::int64_t values) {
    if (t.kind.data[i] > 3) refuse("kind[", i, "] must be at most 3.");
    const auto kind = static_cast<SplitKind>(t.kind.data[i]);
    const std::int32_t child = t.first_child.data[i];
    if (kind == SplitKind::leaf) {
        if (child < 0 || child >= values) refuse("first_child[", i, "] must be a row of the answers.");
        return;
    }
    const std::int32_t feature = t.feature.data[i];
    if (feature < 0 || feature >= rows.place.size) refuse("feature[", i, "] must be a column.");
    const bool listed = kind != SplitKind::threshold;
    if (listed && (t.level_offset.size == 0 || rows.place.data[feature] >= 0))
        refuse("node ", i, " lists levels, which only columns of codes have.");
    if (kind == SplitKind::multiway && values != n)
        refuse("trees with multiway nodes need an answer in every node.");
    const std::int32_t children = children_of(t, i);
    if (child <= i || child + std::int64_t{children} > n)
        refuse("first_child[", i, "] must be a later node.");
    if (t.missing_child.data[i] < -1 || t.missing_child.data[i] >= children)
        refuse("missing_child[", i, "] must be -1 or a child.");
    if (t.missing_child.data[i] < 0 && t.share.size == 0)
        refuse("node ", i, " sends rows everywhere without shares.");
}

class Forest {
  public:
    Forest(const TreeArrays& trees, const TreeRows& rows, std::int64_t values) : trees_(trees), rows_(rows) {
        const std::int64_t n = trees.kind.size;
        check_sizes(trees, n);
        check_rows(rows);
        packed_.reserve(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < n; ++i) {
            check_node(trees, rows, i, n, values < 0 ? n : values);
            packed_.push_back(pack(i));
        }
    }

    // Follows row r from a root until it reaches a leaf, or a node that is not a plain threshold on a number.
    std::int32_t descend(const double* numbers, std::int32_t at) const {
        const PackedNode* nodes = packed_.data();
        while (nodes[at].place < elsewhere) {
            const PackedNode& node = nodes[at];
            const bool left_if_missing = node.place & missing_left;
            const double value = numbers[node.place & (missing_left - 1)];
            at = node.child + (left_if_missing ? value > node.threshold : !(value <= node.threshold));
        }
        return at;
    }

    // The same for rows first, ..., last - 1 in turns: while one waits for memory, others go on.
    void descend(std::int64_t first, std::int64_t last, std::int32_t root, std::int32_t* at) const {
        const PackedNode* nodes = packed_.data();
        std::fill(at, at + (last - first), root);
        for (bool moving = true; moving;) {
            moving = false;
            for (std::int64_t r = first; r < last; ++r) {
                const PackedNode& node = nodes[at[r - first]];
                if (node.place >= elsewhere) continue;
                const double value = rows_.numbers.row(r)[node.place & (missing_left - 1)];
                // Without branches, which would be guessed wrong half of the time.
                const int missing_right = (value != value) & !(node.place & missing_left);
                at[r - first] = node.child + ((value > node.threshold) | missing_right);
                moving = true;
            }
        }
    }

    // Calls finish(row, node) for rows first, ..., last - 1, with the node where the plain way down ends.
    template <class Finish>
    void each(std::int64_t first, std::int64_t last, std::int32_t root, const Finish& finish) const {
        std::int32_t at[side_by_side];
        for (std::int64_t r = first; r < last; r += side_by_side) {
            const std::int64_t end = std::min(r + side_by_side, last);
            descend(r, end, root, at);
            for (std::int64_t i = r; i < end; ++i) finish(i, at[i - r]);
        }
    }

    std::int32_t apply(std::int64_t r, std::int32_t at) const {
        const double* numbers = rows_.numbers.row(r);
        at = descend(numbers, at);
        while (packed_[static_cast<std::size_t>(at)].place != in_leaf) {
            std::int32_t next = step(r, at);
            if (next == stay) return at;
            if (next == all) next = heaviest(at);
            at = descend(numbers, next);
        }
        return at;
    }

    void add_answer(std::int64_t r, std::int32_t at, const Matrix<double>& value, double* out) const {
        const double* numbers = rows_.numbers.row(r);
        std::vector<std::pair<std::int32_t, double>> open;
        double part = 1.0;
        while (true) {
            at = descend(numbers, at);
            const PackedNode& node = packed_[static_cast<std::size_t>(at)];
            const std::int32_t next = node.place == in_leaf ? stay : step(r, at);
            if (next >= 0) {
                at = next;
                continue;
            }
            if (next == stay) {
                const double* answer = value.row(node.place == in_leaf ? node.child : at);
                for (std::int64_t k = 0; k < value.cols; ++k) out[k] += part * answer[k];
            } else {
                const std::int32_t first = trees_.first_child.data[at];
                for (std::int32_t c = children_of(trees_, at); c-- > 0;)
                    open.emplace_back(first + c, part * trees_.share.data[first + c]);
            }
            if (open.empty()) return;
            at = open.back().first;
            part = open.back().second;
            open.pop_back();
        }
    }

  private:
    static constexpr std::int32_t stay = -1;
    static constexpr std::int32_t all = -2;

    PackedNode pack(std::int64_t i) const {
        const auto kind = static_cast<SplitKind>(trees_.kind.data[i]);
        const std::int32_t child = trees_.first_child.data[i];
        if (kind == SplitKind::leaf) return {0.0, in_leaf, child};
        const std::int32_t place = rows_.place.data[trees_.feature.data[i]];
        const std::int32_t missing = trees_.missing_child.data[i];
        if (kind != SplitKind::threshold || place < 0 || missing < 0) return {0.0, elsewhere, child};
        return {trees_.threshold.data[i], place | (missing == 0 ? missing_left : 0), child};
    }

    // The next node of a row, `stay` when its level has no branch, `all` when it goes to every child.
    std::int32_t step(std::int64_t r, std::int32_t at) const {
        const std::int32_t place = rows_.place.data[trees_.feature.data[at]];
        const std::int32_t first = trees_.first_child.data[at];
        const std::int32_t missing = trees_.missing_child.data[at];
        const std::int32_t if_missing = missing < 0 ? all : first + missing;
        const double number = place >= 0 ? rows_.numbers.row(r)[place] : rows_.codes.row(r)[-1 - place];
        if (place >= 0 ? std::isnan(number) : number < 0.0) return if_missing;
        const auto kind = static_cast<SplitKind>(trees_.kind.data[at]);
        if (kind == SplitKind::threshold) return first + !(number <= trees_.threshold.data[at]);
        const std::int32_t* begin = trees_.levels.data + trees_.level_offset.data[at];
        const std::int32_t* end = trees_.levels.data + trees_.level_offset.data[at + 1];
        const auto code = static_cast<std::int32_t>(number);
        const std::int32_t* found = std::lower_bound(begin, end, code);
        const bool listed = found != end && *found == code;
        if (kind == SplitKind::subset) return first + !listed;
        return listed ? first + static_cast<std::int32_t>(found - begin) : stay;
    }

    std::int32_t heaviest(std::int32_t at) const {
        const std::int32_t first = trees_.first_child.data[at];
        const double* share = trees_.share.data + first;
        return first +
               static_cast<std::int32_t>(std::max_element(share, share + children_of(trees_, at)) - share);
    }

    const TreeArrays& trees_;
    const TreeRows& rows_;
    std::vector<PackedNode> packed_;
};

// Rows that go through one tree before the next: many, as the tree then stays in the cache, but enough parts
// for all threads.
std::int64_t rows_at_once(std::int64_t n, int threads) {
    return std::clamp<std::int64_t>(n / (4 * std::int64_t{std::max(threads, 1)}), 512, 8192);
}

}  // namespace

Buffer<std::int32_t> tree_apply(const TreeArrays& trees, const TreeRows& rows, int threads) {
    const Forest forest(trees, rows, -1);
    const std::int64_t n = rows.numbers.rows, many = trees.roots.size;
    Buffer<std::int32_t> out(n, many);
    parallel_rows(n, rows_at_once(n, threads), threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t t = 0; t < many; ++t)
            forest.each(first, last, trees.roots.data[t],
                        [&](std::int64_t r, std::int32_t at) { out[r * many + t] = forest.apply(r, at); });
    });
    return out;
}

Buffer<double> tree_predict(const TreeArrays& trees, const Matrix<double>& value, const TreeRows& rows,
                            int threads) {
    const Forest forest(trees, rows, value.rows);
    const std::int64_t n = rows.numbers.rows;
    Buffer<double> out(n, value.cols, 0.0);
    parallel_rows(n, rows_at_once(n, threads), threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t t = 0; t < trees.roots.size; ++t)
            forest.each(first, last, trees.roots.data[t], [&](std::int64_t r, std::int32_t at) {
                forest.add_answer(r, at, value, out.data() + r * value.cols);
            });
    });
    return out;
}

}  // namespace hornbook
