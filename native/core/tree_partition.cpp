#include "core/tree_partition.hpp"

#include <algorithm>

namespace hornbook {

namespace {

constexpr std::int32_t everywhere = -1;

// The child of each row, `everywhere` for rows that lack the value and have no child of their own.
void find_children(const CodedColumn& column, const Split& split, const Rows& rows,
                   std::vector<std::int32_t>& child) {
    if (child.size() < static_cast<std::size_t>(rows.size)) child.resize(static_cast<std::size_t>(rows.size));
    with_codes(column, [&](const auto* codes) {
        std::int32_t* out = child.data();
        if (split.kind == SplitKind::threshold) {
            for (std::int64_t i = 0; i < rows.size; ++i) {
                const auto code = static_cast<std::int32_t>(codes[rows.row[i]]);
                out[i] = code == column.bins ? split.missing_child : code > split.below;
            }
            return;
        }
        const std::int32_t* first = split.levels.data();
        const std::int32_t* last = first + split.levels.size();
        for (std::int64_t i = 0; i < rows.size; ++i) {
            const auto code = static_cast<std::int32_t>(codes[rows.row[i]]);
            const std::int32_t* found = std::lower_bound(first, last, code);
            const bool listed = found != last && *found == code;
            if (code == column.bins)
                out[i] = split.missing_child;
            else if (split.kind == SplitKind::subset)
                out[i] = !listed;
            else
                out[i] = static_cast<std::int32_t>(found - first);
        }
    });
}

// One array of the rows, stably sorted by child; `start` says where each child begins.
template <class T>
void scatter(const std::int32_t* child, T* values, std::int64_t size, std::vector<std::int64_t> start,
             std::vector<T>& spare) {
    if (!values) return;
    if (spare.size() < static_cast<std::size_t>(size)) spare.resize(static_cast<std::size_t>(size));
    T* to = spare.data();
    if (start.size() == 2) {  // two children: the left one stays where it is
        std::int64_t left = 0, right = 0;
        for (std::int64_t i = 0; i < size; ++i) {
            const T value = values[i];
            values[left] = value;
            to[right] = value;
            left += child[i] == 0;
            right += child[i] != 0;
        }
        std::copy_n(to, right, values + left);
        return;
    }
    for (std::int64_t i = 0; i < size; ++i) to[start[static_cast<std::size_t>(child[i])]++] = values[i];
    std::copy_n(to, size, values);
}

std::vector<ChildRows> sort_in_place(const Rows& rows, const std::shared_ptr<RowStore>& store,
                                     std::int64_t children, Spare& spare) {
    std::vector<std::int64_t> start(static_cast<std::size_t>(children) + 1, 0);
    for (std::int64_t i = 0; i < rows.size; ++i) ++start[static_cast<std::size_t>(spare.child.data()[i]) + 1];
    for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
    const std::vector<std::int64_t> begin(start.begin(), start.end() - 1);
    const std::int32_t* child = spare.child.data();
    scatter(child, rows.row, rows.size, begin, spare.row);
    scatter(child, rows.label, rows.size, begin, spare.label);
    scatter(child, rows.weight, rows.size, begin, spare.weight);
    scatter(child, rows.sum, rows.size, begin, spare.sum);
    std::vector<ChildRows> out;
    for (std::size_t c = 0; c < begin.size(); ++c)
        out.push_back({rows.part(start[c], start[c + 1] - start[c]), store, 0.0});
    return out;
}

double weight_sum(const Rows& rows) {
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
    to.weight.push_back((rows.weight ? rows.weight[i] : 1.0) * share);
    if (rows.label) to.label.push_back(rows.label[i]);
    if (rows.sum) to.sum.push_back(scale_sum ? rows.sum[i] * share : rows.sum[i]);
}

std::vector<ChildRows> send_in_parts(const Rows& rows, std::int64_t children, bool scale_sum,
                                     const std::vector<std::int32_t>& child) {
    std::vector<ChildRows> out(static_cast<std::size_t>(children));
    for (ChildRows& each : out) each.store = std::make_shared<RowStore>();
    for (std::int64_t i = 0; i < rows.size; ++i) {
        const std::int32_t c = child[static_cast<std::size_t>(i)];
        if (c != everywhere) append(rows, i, 1.0, scale_sum, *out[static_cast<std::size_t>(c)].store);
    }
    for (ChildRows& each : out) each.rows = each.store->view();
    set_shares(out);
    for (ChildRows& each : out) {
        for (std::int64_t i = 0; i < rows.size; ++i)
            if (child[static_cast<std::size_t>(i)] == everywhere)
                append(rows, i, each.share, scale_sum, *each.store);
        each.rows = each.store->view();
    }
    return out;
}

}  // namespace

std::int64_t child_count(const Split& split) {
    return split.kind == SplitKind::multiway ? static_cast<std::int64_t>(split.levels.size()) : 2;
}

std::vector<ChildRows> partition(const CodedColumn& column, const Split& split, const Rows& rows,
                                 const std::shared_ptr<RowStore>& store, bool fractional, bool scale_sum,
                                 Spare& spare) {
    find_children(column, split, rows, spare.child);
    const std::int64_t children = child_count(split);
    if (fractional) {
        const auto end = spare.child.begin() + rows.size;
        if (std::find(spare.child.begin(), end, everywhere) != end)
            return send_in_parts(rows, children, scale_sum, spare.child);
    }
    std::vector<ChildRows> out = sort_in_place(rows, store, children, spare);
    set_shares(out);
    return out;
}

}  // namespace hornbook
