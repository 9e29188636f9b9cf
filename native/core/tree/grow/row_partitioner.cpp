#include "core/tree/grow/row_partitioner.hpp"

#include <algorithm>

#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int32_t everywhere = -1;

// The child of each row, `everywhere` for rows that lack the value and have no child of their own.
void find_children(const CodedColumn& column, Split& split, const Rows& rows, PartitionBuffers& buffers) {
    std::int32_t* out = resized(buffers.child, rows.size);
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
        const auto child_of = [&](std::int32_t code) {
            const auto position = std::lower_bound(split.levels.begin(), split.levels.end(), code);
            const bool listed = position != split.levels.end() && *position == code;
            if (code == column.bins) return split.missing_child;
            if (split.kind == SplitKind::subset) return listed ? 0 : 1;
            return static_cast<std::int32_t>(position - split.levels.begin());
        };
        constexpr std::int32_t few_codes = 16;  // quickly put into a table
        if (column.bins > few_codes && column.bins > rows.size) {
            for (std::int64_t i = 0; i < rows.size; ++i)
                out[i] = child_of(static_cast<std::int32_t>(codes[rows.row[i]]));
            return;
        }
        std::int32_t* children = resized(buffers.child_of_code, column.bins + std::int64_t{1});
        for (std::int32_t code = 0; code <= column.bins; ++code) children[code] = child_of(code);
        for (std::int64_t i = 0; i < rows.size; ++i) out[i] = children[codes[rows.row[i]]];
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
void sort_in_two(const Rows& rows, const std::shared_ptr<RowStore>& store, PartitionBuffers& buffers) {
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
    buffers.parts.push_back({rows.part(0, first), store, 0.0});
    buffers.parts.push_back({rows.part(first, rows.size - first), store, 0.0});
}

void sort_in_many(const Rows& rows, const std::shared_ptr<RowStore>& store, std::int64_t children,
                  PartitionBuffers& buffers) {
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
    for (std::size_t c = 0; c + 1 < start.size(); ++c)
        buffers.parts.push_back({rows.part(start[c], start[c + 1] - start[c]), store, 0.0});
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

void send_in_parts(const Rows& rows, std::int64_t children, bool scale_sum, PartitionBuffers& buffers) {
    const std::vector<std::int32_t>& child = buffers.child;
    std::vector<ChildRows>& out = buffers.parts;
    out.resize(static_cast<std::size_t>(children));
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
}

}  // namespace

std::int64_t child_count(const Split& split) {
    return split.kind == SplitKind::multiway ? static_cast<std::int64_t>(split.levels.size()) : 2;
}

void partition(const CodedColumn& column, Split& split, const Rows& rows,
               const std::shared_ptr<RowStore>& store, bool fractional, bool scale_sum,
               PartitionBuffers& buffers) {
    buffers.parts.clear();
    find_children(column, split, rows, buffers);
    const std::int64_t children = child_count(split);
    if (fractional) {
        const auto end = buffers.child.begin() + rows.size;
        if (std::find(buffers.child.begin(), end, everywhere) != end)
            return send_in_parts(rows, children, scale_sum, buffers);
    }
    if (children == 2)
        sort_in_two(rows, store, buffers);
    else
        sort_in_many(rows, store, children, buffers);
    set_shares(buffers.parts);
}

}  // namespace hornbook
