#include "core/tree/pairs/pair_shard.hpp"

#include <algorithm>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t tile = 64;  // rows whose codes are turned at a time

// Codes column after column: those of one column are then close together when rows are divided by them.
Buffer<std::uint8_t> turned(const RowCodes& codes) {
    Buffer<std::uint8_t> out(codes.rows * codes.columns);
    for (std::int64_t first = 0; first < codes.rows; first += tile) {
        const std::int64_t last = std::min(first + tile, codes.rows);
        for (std::int64_t j = 0; j < codes.columns; ++j)
            for (std::int64_t i = first; i < last; ++i)
                out.data()[j * codes.rows + i] = codes.bytes[i * codes.columns + j];
    }
    return out;
}

// Which codes of its column a node sends to its first child.
struct FirstChild {
    std::uint8_t takes[256];

    FirstChild(const RouteView& routes, std::int64_t node, std::int32_t bins) {
        const bool cut = static_cast<SplitKind>(routes.kind.data[node]) == SplitKind::threshold;
        for (std::int32_t c = 0; c < 256; ++c) takes[c] = cut && c <= routes.below.data[node] ? 1 : 0;
        for (std::int32_t k = routes.level_offset.data[node]; k < routes.level_offset.data[node + 1]; ++k) {
            const std::int32_t level = routes.levels.data[k];
            if (level < 0 || level > bins) refuse("levels must be those of the column; got ", level, ".");
            takes[level] = 1;
        }
        takes[bins] = routes.missing_child.data[node] == 0 ? 1 : 0;
    }
};

}  // namespace

PairShard::PairShard(const RowCodes& codes, std::span<const std::int32_t> bins, std::int64_t first,
                     std::int64_t trees)
    : codes_(codes),
      bins_(bins.begin(), bins.end()),
      first_(first),
      columns_(bins, codes.bytes),
      by_column_(turned(codes)),
      trees_(static_cast<std::size_t>(trees)),
      words_(0) {
    check_codes(codes, bins);
}

PairShard::Growing& PairShard::at(std::int64_t tree) {
    if (tree < 0 || tree >= std::ssize(trees_)) refuse("tree must be from 0 to ", trees() - 1, ".");
    return trees_[static_cast<std::size_t>(tree)];
}

void PairShard::begin(std::int64_t tree, const PairTarget& target, const PairScale& scale) {
    const std::lock_guard one_at_a_time(mutex_);
    Growing& own = at(tree);
    if (target.size != codes_.rows) refuse("sum and weight must have one entry for each row.");
    check_pairs(target, scale);
    Crew alone(1);
    own.pairs.encode(target, scale, first_, alone);
    std::int32_t* rows = resized(own.rows, target.size + rows_ahead);
    std::int64_t size = 0;
    for (std::int32_t i = 0; i < target.size; ++i) {  // branchless: which rows are kept is unpredictable
        rows[size] = i;
        size += target.weight[i] != 0.0;
    }
    std::fill_n(rows + size, target.size + rows_ahead - size, 0);  // fetched ahead, and never used
    own.nodes.assign(1, {0, size, false});
    if (own.pairs.is_small && words_.size() == 0) words_ = Buffer<std::uint64_t>(entries(), lanes, 0);
}

void PairShard::follow(std::int64_t tree, const RouteView& routes) {
    const std::lock_guard one_at_a_time(mutex_);
    Growing& own = at(tree);
    check_routes(routes, codes_.columns);
    if (own.nodes.empty()) refuse("a tree must begin before it has splits.");
    if (std::ssize(own.nodes) > routes.kind.size) refuse("routes must be those of a tree that has grown.");
    own.nodes.resize(static_cast<std::size_t>(routes.kind.size));
    std::int32_t* moved = resized(moved_, codes_.rows);
    Pace pace;
    for (std::int64_t node = 0; node < routes.kind.size; ++node) {  // children come after their parents
        Rows& parent = own.nodes[static_cast<std::size_t>(node)];
        const std::int32_t j = routes.column.data[node];
        if (j < 0 || parent.divided || parent.first < 0) continue;
        if (static_cast<SplitKind>(routes.kind.data[node]) == SplitKind::multiway)
            refuse("trees for gradient pairs have splits in two.");
        pace.spend(parent.size);
        const FirstChild left(routes, node, bins_[static_cast<std::size_t>(j)]);
        const std::uint8_t* codes = by_column_.data() + j * codes_.rows;
        std::int32_t* rows = own.rows.data() + parent.first;
        std::int64_t kept = 0;
        for (std::int64_t i = 0; i < parent.size; ++i) {  // branchless: the side is unpredictable
            const std::int32_t row = rows[i];
            rows[kept] = row;
            moved[i - kept] = row;
            kept += left.takes[codes[row]];
        }
        std::copy_n(moved, parent.size - kept, rows + kept);
        const auto child = static_cast<std::size_t>(routes.first_child.data[node]);
        own.nodes[child] = {parent.first, kept, false};
        own.nodes[child + 1] = {parent.first + kept, parent.size - kept, false};
        parent.divided = true;
    }
}

void PairShard::add_histogram(std::int64_t tree, std::int64_t node, CodeSums* out) {
    const std::lock_guard one_at_a_time(mutex_);
    Growing& own = at(tree);
    if (node < 0 || node >= std::ssize(own.nodes) || own.nodes[static_cast<std::size_t>(node)].first < 0)
        refuse("node must be one that rows have been sent to; got ", node, ".");
    const Rows& place = own.nodes[static_cast<std::size_t>(node)];
    Pace pace;
    for (std::int64_t done = 0; done < place.size; done += packed_rows) {
        const std::int64_t size = std::min(packed_rows, place.size - done);
        const std::int32_t* rows = own.rows.data() + place.first + done;
        pace.spend(size * columns_.columns + entries());
        if (!own.pairs.is_small) {
            add_rows(columns_, own.pairs, rows, size, out);
            continue;
        }
        add_packed(columns_, own.pairs, rows, size, words_.data());
        unpack(reinterpret_cast<Packed*>(words_.data()), entries(), own.pairs.units.count_bits, false, out);
    }
}

void PairShard::leaves(std::int64_t tree, std::span<const std::int32_t> number, std::int32_t* leaf) {
    const std::lock_guard one_at_a_time(mutex_);
    const Growing& own = at(tree);
    if (number.size() != own.nodes.size()) refuse("number must have one entry for each node.");
    if (own.nodes.empty() || own.nodes[0].size < codes_.rows) std::fill_n(leaf, codes_.rows, -1);
    for (std::size_t node = 0; node < own.nodes.size(); ++node) {
        const Rows& place = own.nodes[node];
        if (place.first < 0 || place.divided) continue;
        const std::int32_t* rows = own.rows.data() + place.first;
        for (std::int64_t i = 0; i < place.size; ++i) leaf[rows[i]] = number[node];
    }
}

}  // namespace hornbook
