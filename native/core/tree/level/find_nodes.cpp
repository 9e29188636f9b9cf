#include <algorithm>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"
#include "core/tree/level/level_grower.hpp"

namespace hornbook {

namespace {

std::int64_t children_of(const RouteView& routes, std::int64_t node) {
    if (static_cast<SplitKind>(routes.kind.data[node]) != SplitKind::multiway) return 2;
    return routes.level_offset.data[node + 1] - routes.level_offset.data[node];
}

// The child for a code of the node's column.
std::int32_t child_of(const RouteView& routes, std::int32_t node, std::int32_t code, std::int32_t bins) {
    const std::int32_t first = routes.first_child.data[node];
    const std::int32_t missing = first + routes.missing_child.data[node];
    if (code == bins) return missing;
    const auto kind = static_cast<SplitKind>(routes.kind.data[node]);
    if (kind == SplitKind::threshold) return first + (code > routes.below.data[node] ? 1 : 0);
    const std::int32_t* begin = routes.levels.data + routes.level_offset.data[node];
    const std::int32_t* end = routes.levels.data + routes.level_offset.data[node + 1];
    const std::int32_t* place = std::lower_bound(begin, end, code);
    const bool listed = place != end && *place == code;
    if (kind == SplitKind::subset) return first + (listed ? 0 : 1);
    return listed ? first + static_cast<std::int32_t>(place - begin) : missing;
}

constexpr std::int64_t byte_codes = 256;
constexpr std::int64_t rows_abreast = 16;  // go down the tree together, so that none waits for its cells

// The next node for each node and code of a byte; leaves are their own.
class NextNodes {
  public:
    NextNodes(const RouteView& routes, std::span<const std::int32_t> bins)
        : column_(static_cast<std::size_t>(routes.kind.size)),
          next_(static_cast<std::size_t>(routes.kind.size * byte_codes)) {
        for (std::int32_t node = 0; node < routes.kind.size; ++node) {
            const std::int32_t j = routes.column.data[node];
            column_[static_cast<std::size_t>(node)] = std::max(j, 0);
            std::int32_t* next = next_.data() + node * byte_codes;
            std::fill_n(next, byte_codes, node);
            if (j < 0) continue;
            const std::int32_t size = bins[static_cast<std::size_t>(j)];
            for (std::int32_t code = 0; code < byte_codes; ++code)
                next[code] = child_of(routes, node, code, size);
        }
    }

    // The nodes of rows first, ..., first + size - 1.
    void find(const RowCodes& codes, std::int64_t first, std::int64_t size, std::int32_t* nodes) const {
        const std::uint8_t* cells = codes.bytes + first * codes.columns;
        std::fill_n(nodes, size, 0);
        for (bool moves = true; moves;) {
            moves = false;
            for (std::int64_t i = 0; i < size; ++i) {
                const auto node = static_cast<std::size_t>(nodes[i]);
                const std::uint8_t code = cells[i * codes.columns + column_[node]];
                nodes[i] = next_[node * byte_codes + code];
                moves |= nodes[i] != static_cast<std::int32_t>(node);
            }
        }
    }

  private:
    std::vector<std::int32_t> column_, next_;
};

}  // namespace

void Routes::add(const Split& split, std::int32_t first, std::int32_t own_slot) {
    kind.push_back(static_cast<std::uint8_t>(split.kind));
    column.push_back(split.kind == SplitKind::leaf || first < 0 ? -1 : split.column);
    below.push_back(split.below);
    first_child.push_back(first);
    missing_child.push_back(split.missing_child < 0 ? 1 : split.missing_child);  // -1: no row lacks the value
    levels.insert(levels.end(), split.levels.begin(), split.levels.end());
    level_offset.push_back(static_cast<std::int32_t>(levels.size()));
    slot.push_back(own_slot);
}

void check_routes(const RouteView& routes, std::int64_t columns) {
    const std::int64_t n = routes.kind.size;
    for (const auto* list : {&routes.column, &routes.below, &routes.first_child, &routes.missing_child})
        if (list->size != n) refuse("all arrays of a tree must have one entry for each node.");
    if (n < 1 || routes.level_offset.size != n + 1)
        refuse("a tree needs a node, and level_offset an entry more than there are nodes.");
    for (std::int64_t node = 0; node < n; ++node) {
        const std::int64_t from = routes.level_offset.data[node], to = routes.level_offset.data[node + 1];
        if (from < 0 || to < from || to > routes.levels.size) refuse("level_offset must ascend.");
        const std::int32_t column = routes.column.data[node];
        if (column < 0) continue;
        const auto kind = static_cast<SplitKind>(routes.kind.data[node]);
        const std::int64_t children = children_of(routes, node), first = routes.first_child.data[node];
        if (column >= columns || kind == SplitKind::leaf || kind > SplitKind::multiway || children < 1 ||
            first <= node || first + children > n || routes.missing_child.data[node] < 0 ||
            routes.missing_child.data[node] >= children)
            refuse("node ", node, " has a column or children that do not exist.");
    }
}

void find_nodes(const RowCodes& codes, std::span<const std::int32_t> bins, const RouteView& routes,
                std::int32_t* nodes) {
    check_routes(routes, codes.columns);
    Pace pace;
    if (codes.width == 1 && codes.columns > 0 && routes.kind.size * byte_codes <= 4 * codes.rows) {
        const NextNodes next(routes, bins);
        for (std::int64_t i = 0; i < codes.rows; i += rows_abreast) {
            pace.spend(4 * rows_abreast);
            next.find(codes, i, std::min(rows_abreast, codes.rows - i), nodes + i);
        }
        return;
    }
    with_width(codes.bytes, codes.width, 1, [&](const auto& cells) {
        for (std::int64_t i = 0; i < codes.rows; ++i) {
            pace.spend(4);
            const auto* row = cells.first + i * codes.columns;
            std::int32_t node = 0;
            while (routes.column.data[node] >= 0) {
                const std::int32_t j = routes.column.data[node];
                node = child_of(routes, node, static_cast<std::int32_t>(row[j]),
                                bins[static_cast<std::size_t>(j)]);
            }
            nodes[i] = node;
        }
    });
}

}  // namespace hornbook
