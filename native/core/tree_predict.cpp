#include "core/tree_predict.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/parallel.hpp"
#include "core/refuse.hpp"
#include "core/tree_check.hpp"
#include "core/tree_node.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t side_by_side = 12;  // rows whose way down is followed in turns

constexpr std::int32_t levels_in_word = 64;

// A plain question: numbers <= threshold go to next[0], others to next[1]; or, where `place` is negative, the
// levels whose bits are set go to next[0]. The way ends at nodes of any other kind, told as -1 - end: ends
// are the leaves' answers, and behind them the other nodes.
struct PackedNode {
    double threshold;  // or the bits
    std::int32_t place;
    std::int32_t next[2];
    std::int32_t if_missing;  // 0 or 1

    // Where a level goes; -1 is a missing one.
    int side(std::int32_t level) const {
        if (level < 0) return if_missing;
        return level >= levels_in_word || !(std::bit_cast<std::uint64_t>(threshold) >> level & 1);
    }
};

class Forest {
  public:
    // Leaves are told by the row of their answer, of which there are `values`; by their node, without.
    Forest(const TreeArrays& trees, const TreeRows& rows, std::int64_t values, int threads)
        : trees_(trees), rows_(rows), by_node_(values < 0), leaves_(values < 0 ? trees.kind.size : values) {
        const std::int64_t n = trees.kind.size;
        check_sizes(trees, n);
        check_rows(rows);
        if (leaves_ + n > std::numeric_limits<std::int32_t>::max()) refuse("there are too many nodes.");
        constexpr std::int64_t way = 16;  // nodes that a row meets in a tree, about
        if (rows.numbers.rows * trees.roots.size * way >= n) pack(threads);
    }

    // Follows rows first, ..., last - 1 from a root in turns: while one waits for memory, others go on. Calls
    // finish(row, end) where the plain way down ends. Without `Gaps` no number is missing, without `Levels`
    // only numbers are asked for, which is quicker.
    template <bool Gaps, bool Levels, class Finish>
    void each(std::int64_t first, std::int64_t last, std::int32_t root, const Finish& finish) const {
        const std::int32_t start = packed_at_.size() == 0 ? -1 : place_of(root);
        if (start >= 0) first = walk<Gaps, Levels>(first, last, start, finish);
        for (; first < last; ++first) finish(first, descend(first, root));
    }

    // The same for most of the rows. There is no branch at the end of the way, which cannot be foreseen:
    // after every few steps, walkers that have arrived note it and take the next row. Returns the first row
    // that is left.
    template <bool Gaps, bool Levels, class Finish>
    std::int64_t walk(std::int64_t first, std::int64_t last, std::int32_t start, const Finish& finish) const {
        constexpr int steps = 4, room = 256;
        if (last - first < 2 * side_by_side) return first;
        const PackedNode* nodes = packed_.data();
        std::int32_t at[side_by_side];
        std::int64_t row[side_by_side];
        const double* numbers[side_by_side];
        struct Arrival {
            std::int64_t row, end;
        } arrivals[room + side_by_side];
        int arrived = 0;
        const auto settle = [&] {
            for (int k = 0; k < arrived; ++k) finish(arrivals[k].row, arrivals[k].end);
            arrived = 0;
        };
        for (int i = 0; i < side_by_side; ++i) {
            at[i] = start;
            row[i] = first;
            numbers[i] = rows_.numbers.row(first++);
        }
        while (last - first >= side_by_side) {
            for (int s = 0; s < steps; ++s)
                for (int i = 0; i < side_by_side; ++i) {
                    const std::int32_t here = at[i], ended = here >> 31;
                    const PackedNode& node = nodes[here & ~ended];
                    int side;
                    if (Levels && node.place < 0) {
                        side = node.side(rows_.codes.row(row[i])[-1 - node.place]);
                    } else {
                        const double value = numbers[i][node.place];
                        side = value > node.threshold;
                        if constexpr (Gaps) side |= (value != value) & node.if_missing;
                    }
                    at[i] = (here & ended) | (node.next[side] & ~ended);
                }
            for (int i = 0; i < side_by_side; ++i) {
                const std::int32_t ended = at[i] >> 31;
                arrivals[arrived] = {row[i], -1 - std::int64_t{at[i]}};
                arrived -= ended;
                at[i] = (start & ended) | (at[i] & ~ended);
                row[i] = (first & std::int64_t{ended}) | (row[i] & ~std::int64_t{ended});
                numbers[i] = rows_.numbers.row(row[i]);
                first -= ended;
            }
            if (arrived >= room) settle();
        }
        settle();
        for (int i = 0; i < side_by_side; ++i) finish(row[i], follow_packed(row[i], at[i]));
        return first;
    }

    bool has_levels() const { return has_levels_; }

    // The node that row r ends in, from an end of the plain way down.
    std::int64_t apply(std::int64_t r, std::int64_t end) const {
        while (end >= leaves_) {
            const auto at = static_cast<std::int32_t>(end - leaves_);
            std::int32_t next = step(r, at);
            if (next == stay) return at;
            if (next == all) next = heaviest(at);
            end = descend(r, next);
        }
        return end;
    }

    // Adds the answer to row r, from an end of the plain way down.
    void add_answer(std::int64_t r, std::int64_t end, const Matrix<double>& value, double* out) const {
        if (end < leaves_)
            add(value.row(end), value.cols, out);
        else
            add_parts(r, end, value, out);
    }

  private:
    static void add(const double* answer, std::int64_t size, double* out, double part = 1.0) {
        for (std::int64_t k = 0; k < size; ++k) out[k] += part * answer[k];
    }

    void add_parts(std::int64_t r, std::int64_t end, const Matrix<double>& value, double* out) const {
        std::vector<std::pair<std::int32_t, double>> open;
        double part = 1.0;
        while (true) {
            const auto at = static_cast<std::int32_t>(end < leaves_ ? end : end - leaves_);
            const std::int32_t next = end < leaves_ ? stay : step(r, at);
            if (next >= 0) {
                end = descend(r, next);
                continue;
            }
            if (next == stay) {
                add(value.row(at), value.cols, out, part);
            } else {
                const std::int32_t first = trees_.first_child.data[at];
                for (std::int32_t c = children_of(trees_, at); c-- > 0;)
                    open.emplace_back(first + c, part * trees_.share.data[first + c]);
            }
            if (open.empty()) return;
            end = descend(r, open.back().first);
            part = open.back().second;
            open.pop_back();
        }
    }

    // Follows row r from a node to the end of the plain way down. For few rows nothing is packed: nodes are
    // checked when they are met, and none is plain.
    std::int64_t descend(std::int64_t r, std::int32_t at) const {
        if (packed_at_.size() == 0) {
            check_node(trees_, rows_, at, trees_.kind.size, leaves_);
            return end_of(at);
        }
        return follow_packed(r, place_of(at));
    }

    // The same from a packed node.
    std::int64_t follow_packed(std::int64_t r, std::int32_t here) const {
        const double* numbers = rows_.numbers.row(r);
        while (here >= 0) {
            const PackedNode& node = packed_[here];
            if (node.place < 0) {
                here = node.next[node.side(rows_.codes.row(r)[-1 - node.place])];
                continue;
            }
            const double value = numbers[node.place];
            here = node.next[std::isnan(value) ? node.if_missing : value > node.threshold];
        }
        return -1 - std::int64_t{here};
    }

    static constexpr std::int32_t stay = -1;
    static constexpr std::int32_t all = -2;

    // The levels that go to child 0, if they fit into a word: those listed, or those up to a threshold.
    std::optional<std::uint64_t> level_bits(std::int64_t i) const {
        std::uint64_t bits = 0;
        if (static_cast<SplitKind>(trees_.kind.data[i]) == SplitKind::threshold) {
            const double last = trees_.threshold.data[i];
            if (!(last < levels_in_word - 1)) return std::nullopt;
            for (std::int32_t level = 0; level <= last; ++level) bits |= std::uint64_t{1} << level;
            return bits;
        }
        for (std::int32_t k = trees_.level_offset.data[i]; k < trees_.level_offset.data[i + 1]; ++k) {
            const std::int32_t level = trees_.levels.data[k];
            if (level < 0 || level >= levels_in_word) return std::nullopt;
            bits |= std::uint64_t{1} << level;
        }
        return bits;
    }

    bool is_plain(std::int64_t i) const {
        const auto kind = static_cast<SplitKind>(trees_.kind.data[i]);
        if (kind == SplitKind::leaf || kind == SplitKind::multiway || trees_.missing_child.data[i] < 0)
            return false;
        return rows_.place.data[trees_.feature.data[i]] >= 0 || level_bits(i).has_value();
    }

    PackedNode packed(std::int64_t i) const {
        const std::int32_t child = trees_.first_child.data[i];
        const std::int32_t place = rows_.place.data[trees_.feature.data[i]];
        return {place >= 0 ? trees_.threshold.data[i] : std::bit_cast<double>(*level_bits(i)),
                place,
                {place_of(child), place_of(child + std::int64_t{1})},
                trees_.missing_child.data[i]};
    }

    std::int64_t end_of(std::int64_t i) const {
        if (static_cast<SplitKind>(trees_.kind.data[i]) != SplitKind::leaf) return leaves_ + i;
        return by_node_ ? i : trees_.first_child.data[i];
    }

    // Whether node i is a leaf or a plain question about a number, and nothing is wrong with it. These are
    // met most, in no order that could be guessed, so there is no branch.
    bool is_quick(std::int64_t i) const {
        const auto kind = static_cast<SplitKind>(trees_.kind.data[i]);
        const std::int32_t feature = trees_.feature.data[i], child = trees_.first_child.data[i];
        const bool known = static_cast<std::uint64_t>(feature) < static_cast<std::uint64_t>(rows_.place.size);
        const std::int32_t place = rows_.place.data[known ? feature : 0];
        const int leaf = (kind == SplitKind::leaf) & (child >= 0) & (child < leaves_);
        const int question = (kind == SplitKind::threshold) & known & (place >= 0) & (child > i) &
                             (child + std::int64_t{2} <= trees_.kind.size) &
                             (static_cast<std::uint32_t>(trees_.missing_child.data[i]) < 2u);
        return leaf | question;
    }

    // Nodes are checked and packed in parts, in which plain nodes are numbered from 0.
    void pack(int threads) {
        const std::int64_t n = trees_.kind.size, parts = (n + part - 1) / part;
        packed_at_ = Buffer<std::int32_t>(n);
        part_start_.assign(static_cast<std::size_t>(parts) + 1, 0);
        Buffer<std::int32_t> plain(parts * part);
        parallel_for(parts, threads, [&](std::int64_t p) {
            std::int32_t count = 0;
            for (std::int64_t i = p * part; i < std::min(n, (p + 1) * part); ++i) {
                bool here = static_cast<SplitKind>(trees_.kind.data[i]) != SplitKind::leaf;
                if (rows_.place.size == 0 || !is_quick(i)) {
                    check_node(trees_, rows_, i, n, leaves_);
                    here = is_plain(i);
                }
                packed_at_[i] = here ? count : static_cast<std::int32_t>(-1 - end_of(i));
                plain[p * part + count] = static_cast<std::int32_t>(i);
                count += here;
            }
            part_start_[static_cast<std::size_t>(p)] = count;
        });
        std::exclusive_scan(part_start_.begin(), part_start_.end(), part_start_.begin(), 0);
        packed_ = Buffer<PackedNode>(part_start_.back());
        parallel_for(parts, threads, [&](std::int64_t p) {
            const std::int64_t first = part_start_[static_cast<std::size_t>(p)];
            const std::int64_t count = part_start_[static_cast<std::size_t>(p) + 1] - first;
            for (std::int64_t k = 0; k < count; ++k) packed_[first + k] = packed(plain[p * part + k]);
        });
        has_levels_ = rows_.codes.cols > 0;
    }

    // The place of a node among the packed ones, or -1 - end.
    std::int32_t place_of(std::int64_t i) const {
        const std::int32_t in_part = packed_at_[i];
        return in_part + (in_part < 0 ? 0 : part_start_[static_cast<std::size_t>(i / part)]);
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
    bool by_node_, has_levels_ = false;
    std::int64_t leaves_;
    static constexpr std::int64_t part = std::int64_t{1} << 15;
    Buffer<std::int32_t> packed_at_{0};  // of each node: its place in its part, or -1 - end
    std::vector<std::int32_t> part_start_;
    Buffer<PackedNode> packed_{0};
};

// Rows that go through one tree before the next: as many as stay in the cache beside it, but enough parts for
// all threads.
std::int64_t rows_at_once(const TreeRows& rows, int threads) {
    constexpr std::int64_t numbers_in_cache = std::int64_t{1} << 21;
    const std::int64_t n = rows.numbers.rows,
                       most = numbers_in_cache / std::max<std::int64_t>(rows.numbers.cols, 1);
    return std::clamp<std::int64_t>(n / (4 * std::int64_t{std::max(threads, 1)}), 512,
                                    std::max<std::int64_t>(most, 512));
}

// Follows all rows through all trees, on several threads; calls finish(tree, row, end).
template <class Finish>
void follow(const Forest& forest, const TreeArrays& trees, const TreeRows& rows, int threads,
            const Finish& finish) {
    constexpr std::int64_t many = 8;  // trees are worth a look at all numbers before
    const Matrix<double>& numbers = rows.numbers;
    bool gaps = trees.roots.size < many;
    for (std::int64_t i = 0; i < numbers.rows * numbers.cols && !gaps; ++i)
        gaps = std::isnan(numbers.data[i]);
    parallel_rows(numbers.rows, rows_at_once(rows, threads), threads,
                  [&](std::int64_t first, std::int64_t last) {
                      for (std::int64_t t = 0; t < trees.roots.size; ++t) {
                          const auto arrive = [&](std::int64_t r, std::int64_t end) { finish(t, r, end); };
                          if (forest.has_levels())
                              forest.each<true, true>(first, last, trees.roots.data[t], arrive);
                          else if (gaps)
                              forest.each<true, false>(first, last, trees.roots.data[t], arrive);
                          else
                              forest.each<false, false>(first, last, trees.roots.data[t], arrive);
                      }
                  });
}

}  // namespace

Buffer<std::int32_t> tree_apply(const TreeArrays& trees, const TreeRows& rows, int threads) {
    const Forest forest(trees, rows, -1, threads);
    const std::int64_t many = trees.roots.size;
    Buffer<std::int32_t> out(rows.numbers.rows, many);
    follow(forest, trees, rows, threads, [&](std::int64_t t, std::int64_t r, std::int64_t end) {
        out[r * many + t] = static_cast<std::int32_t>(forest.apply(r, end));
    });
    return out;
}

Buffer<double> tree_predict(const TreeArrays& trees, const Matrix<double>& value, const TreeRows& rows,
                            int threads) {
    const Forest forest(trees, rows, value.rows, threads);
    Buffer<double> out(rows.numbers.rows, value.cols, 0.0);
    follow(forest, trees, rows, threads, [&](std::int64_t, std::int64_t r, std::int64_t end) {
        forest.add_answer(r, end, value, out.data() + r * value.cols);
    });
    return out;
}

}  // namespace hornbook
