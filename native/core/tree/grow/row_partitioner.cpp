#include "core/tree/grow/row_partitioner.hpp"

#include <algorithm>

#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int32_t everywhere = -1;

// The child of each row, `everywhere` for rows that lack the value and have no child of their own.
void find_children(const CodedColumn& column, Split& split, const Rows& rows,
                   std::vector<std::int32_t>& child) {
    std::int32_t* out = resized(child, rows.size);
    with_codes(column, rows.size, [&](const auto& codes) {
        if (split.kind == SplitKind::threshold) {
            const std::int32_t limit = split.below, bins = column.bins, missing = split.missing_child;
            std::int32_t below = 0, above = bins;
            for (std::int64_t i = 0; i < rows.size; ++i) {
                const auto code = static_cast<std::int32_t>(codes[rows.row[i]]);
                const std::int32_t right = code > limit,
                                   mask = -right;  // branchless: the side is unpredictable
                out[i] = right;
                below = std::max(below, code & ~mask);
                above = std::min(above, (code & mask) | (bins & ~mask));
            }
            if (column.missing)
                for (std::int64_t i = 0; i < rows.size; ++i)
                    if (static_cast<std::int32_t>(codes[rows.row[i]]) == bins) out[i] = missing;
            split.below = below;
            split.above = above;
            return;
        }
        const std::int32_t* first = split.levels.data();
        const std::int32_t* last = first + split.levels.size();
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const auto code = static_cast<std::int32_t>(codes[rows.row[i]]);
            const std::int32_t* position = std::lower_bound(first, last, code);
            const bool listed = position != last && *position == code;
            if (code == column.bins)
                out[i] = split.missing_child;
            else if (split.kind == SplitKind::subset)
                out[i] = !listed;
            else
                out[i] = static_cast<std::int32_t>(position - first);
        }
    });
}

// Calls fn with each array of the rows, and a buffer of its type.
template <class Fn>
void for_arrays(const Rows& rows, PartitionBuffers& buffers, Fn&& fn) {
    if (rows.row) fn(rows.row, buffers.row);
    if (rows.pair) fn(rows.pair, buffers.pair);
    if (rows.label) fn(rows.label, buffers.label);
    if (rows.weight) fn(rows.weight, buffers.weight);
    if (rows.sum) fn(rows.sum, buffers.sum);
}

// A stable partition: left rows move up in place, right ones through the buffer.
std::vector<ChildRows> sort_in_two(const Rows& rows, const std::shared_ptr<RowStore>& store,
                                   PartitionBuffers& buffers) {
    const std::int32_t* child = buffers.child.data();
    std::int64_t first = 0;
    for_arrays(rows, buffers, [&](auto* values, auto& memory) {
        auto* to = resized(memory, rows.size);
        std::int64_t left = 0, right = 0;
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const auto value = values[i];
            values[left] = value;
            to[right] = value;
            left += child[i] == 0;
            right += child[i] != 0;
        }
        std::copy_n(to, right, values + left);
        first = left;
    });
    return {{rows.part(0, first), store, 0.0}, {rows.part(first, rows.size - first), store, 0.0}};
}

std::vector<ChildRows> sort_in_many(const Rows& rows, const std::shared_ptr<RowStore>& store,
                                    std::int64_t children, PartitionBuffers& buffers) {
    std::vector<std::int64_t> start(static_cast<std::size_t>(children) + 1, 0);
    const std::int32_t* child = buffers.child.data();
    for (std::int64_t i = 0; i < rows.size; ++i) ++start[static_cast<std::size_t>(child[i]) + 1];
    for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
    for_arrays(rows, buffers, [&](auto* values, auto& memory) {
        auto* to = resized(memory, rows.size);
        std::vector<std::int64_t> next(start.begin(), start.end() - 1);
        for (std::int64_t i = 0; i < rows.size; ++i)
            to[next[static_cast<std::size_t>(child[i])]++] = values[i];
        std::copy_n(to, rows.size, values);
    });
    std::vector<ChildRows> out;
    for (std::size_t c = 0; c + 1 < start.size(); ++c)
        out.push_back({rows.part(start[c], start[c + 1] - start[c]), store, 0.0});
    return out;
}

double weight_sum(const Rows& rows) {
    if (rows.pair) {
        const PairSums sums = sum_of_pairs(rows);
        return sums.first() + sums.second();
    }
    if (!rows.weight) return static_cast<double>(rows.size);
    double sum = 0.0;
    for (std::int64_t i = 0; i < rows.size; ++i) sum += rows.weight[i];
    return sum;
}

void set_shares(std::vector<ChildRows>& children) {
    double total = 0.0;
    for (ChildRows& child : children) total += child.share = weight_sum(child.rows);
    for (ChildRows& child : children) child.share /= total;
}

// Copies row i of some rows with its weight times `share`.
void append(const Rows& rows, std::int64_t i, double share, bool scale_sum, RowStore& to) {
    to.row.push_back(rows.row[i]);
    to.weight.push_back(rows.weight_of(i) * share);
    if (rows.label) to.label.push_back(rows.label[i]);
    if (rows.sum) to.sum.push_back(scale_sum ? rows.sum[i] * share : rows.sum[i]);
}

std::vector<ChildRows> send_in_parts(const Rows& rows, std::int64_t children, bool scale_sum,
                                     const std::vector<std::int32_t>& child) {
    std::vector<ChildRows> out(static_cast<std::size_t>(children));
    for (ChildRows& part : out) part.store = std::make_shared<RowStore>();
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const std::int32_t c = child[static_cast<std::size_t>(i)];
        if (c != everywhere) append(rows, i, 1.0, scale_sum, *out[static_cast<std::size_t>(c)].store);
    }
    for (ChildRows& part : out) part.rows = part.store->view();
    set_shares(out);
    Pace pace;
    for (ChildRows& part : out) {
        pace.spend(rows.size);
        for (std::int64_t i = 0; i < rows.size; ++i)
            if (child[static_cast<std::size_t>(i)] == everywhere)
                append(rows, i, part.share, scale_sum, *part.store);
        part.rows = part.store->view();
    }
    return out;
}

}  // namespace

std::int64_t child_count(const Split& split) {
    return split.kind == SplitKind::multiway ? static_cast<std::int64_t>(split.levels.size()) : 2;
}

std::vector<ChildRows> partition(const CodedColumn& column, Split& split, const Rows& rows,
                                 const std::shared_ptr<RowStore>& store, bool fractional, bool scale_sum,
                                 PartitionBuffers& buffers) {
    find_children(column, split, rows, buffers.child);
    const std::int64_t children = child_count(split);
    if (fractional) {
        const auto end = buffers.child.begin() + rows.size;
        if (std::find(buffers.child.begin(), end, everywhere) != end)
            return send_in_parts(rows, children, scale_sum, buffers.child);
    }
    std::vector<ChildRows> out =
        children == 2 ? sort_in_two(rows, store, buffers) : sort_in_many(rows, store, children, buffers);
    set_shares(out);
    return out;
}

}  // namespace hornbook
