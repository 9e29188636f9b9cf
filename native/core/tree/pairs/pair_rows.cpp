// The part of the grower that goes over rows: histograms, the partition of a node, leaves and their sums.

#include <algorithm>
#include <cstring>

#include "core/stop.hpp"
#include "core/tree/columns/threshold.hpp"
#include "core/tree/pairs/pair_grower.hpp"
#include "core/tree/search/criteria.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t rows_worth_a_thread = 2048;
constexpr std::int64_t cells_at_once = std::int64_t{1} << 25;  // between two stop points
constexpr std::int64_t partition_chunk = std::int64_t{1} << 14;
constexpr std::int64_t sums_at_once = std::int64_t{1} << 20;
constexpr std::int64_t route_chunk = std::int64_t{1} << 15;

// A stable partition of rows by their codes: those that stay move up in place, the others are written to
// `moved`. Gives the number of the former.
std::int64_t part_rows(const std::uint8_t* codes, const std::uint8_t* left, std::int32_t* rows,
                       std::int64_t size, std::int32_t* moved) {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < size; ++i) {  // branchless: the side is unpredictable
        const std::int32_t row = rows[i];
        const std::uint8_t stays = left[codes[row]];
        rows[kept] = row;
        moved[i - kept] = row;
        kept += stays;
    }
    return kept;
}

}  // namespace

PairGrower::Memory PairGrower::take_memory() {
    ++kept_;
    if (pool_.empty()) return std::make_unique<Buffer<CodeSums>>(columns_.entries());
    Memory memory = std::move(pool_.back());
    pool_.pop_back();
    return memory;
}

void PairGrower::give_back(Memory& memory) {
    if (!memory) return;
    --kept_;
    pool_.push_back(std::move(memory));
}

void PairGrower::for_groups(const std::function<void(std::int64_t)>& fn) {
    crew_->run(columns_.groups(), fn);
}

// Sums up the rows of a node, in parts that fit into words, each part on a thread of its own.
void PairGrower::fill(const Open& open, CodeSums* out) {
    const std::int64_t entries = columns_.entries();
    const std::int32_t* rows = rows_.data() + open.first;
    const std::int64_t threads = std::clamp<std::int64_t>(open.size / rows_worth_a_thread, 1, crew_->size());
    const std::int64_t most =
        std::clamp<std::int64_t>(cells_at_once / columns_.columns, rows_worth_a_thread, packed_rows);
    const std::int64_t step = std::min(most, (open.size + threads - 1) / threads);
    const bool small = pairs_.is_small;
    while (small && std::ssize(words_) < threads) words_.emplace_back(entries, lanes, 0);
    while (!small && std::ssize(spare_) < threads - 1) {
        spare_.push_back(std::make_unique<Buffer<CodeSums>>(entries));
        std::memset(static_cast<void*>(spare_.back()->data()), 0,
                    sizeof(CodeSums) * static_cast<std::size_t>(entries));
    }
    if (!small) std::memset(static_cast<void*>(out), 0, sizeof(CodeSums) * static_cast<std::size_t>(entries));
    for (std::int64_t done = 0; done < open.size; done += step * threads) {
        if (done > 0) stop_point();
        const std::int64_t parts = std::min(threads, (open.size - done + step - 1) / step);
        crew_->run(parts, [&](std::int64_t part) {
            const std::int64_t first = done + part * step, size = std::min(step, open.size - first);
            const auto at = static_cast<std::size_t>(part);
            if (small)
                add_packed(columns_, pairs_, rows + first, size, words_[at].data());
            else
                add_rows(columns_, pairs_, rows + first, size, part ? spare_[at - 1]->data() : out);
        });
        if (!small && parts == 1) continue;
        for_groups([&](std::int64_t g) {
            const std::int64_t at = columns_.first[static_cast<std::size_t>(g)];
            const std::int64_t codes = columns_.codes[static_cast<std::size_t>(g)];
            for (std::int64_t part = small ? 0 : 1; part < parts; ++part) {
                const auto p = static_cast<std::size_t>(part);
                if (small)
                    unpack(reinterpret_cast<Packed*>(words_[p].data()) + at, codes, pairs_.units.count_bits,
                           done == 0 && part == 0, out + at);
                else
                    move_sums(spare_[p - 1]->data() + at, codes, out + at);
            }
        });
    }
}

// Sorts the rows of a node by child; gives the number of those on the left. Chunks are divided on their own,
// and then put together.
std::int64_t PairGrower::partition(const Open& open, const Split& split) {
    const CodedColumn& column = table_.columns[static_cast<std::size_t>(split.column)];
    const Sides sides(split, column.bins);
    std::int32_t* rows = rows_.data() + open.first;
    std::int32_t* moved = resized(moved_, 2 * std::ssize(rows_));
    const std::uint8_t* codes = column.bytes.data();
    if (crew_->size() == 1 || open.size < 2 * partition_chunk) {
        const std::int64_t kept = part_rows(codes, sides.left, rows, open.size, moved);
        std::copy_n(moved, open.size - kept, rows + kept);
        return kept;
    }
    const std::int64_t chunks = (open.size + partition_chunk - 1) / partition_chunk;
    std::vector<std::int64_t> kept(static_cast<std::size_t>(chunks) + 1, 0);
    crew_->run(chunks, [&](std::int64_t c) {
        const std::int64_t first = c * partition_chunk, size = std::min(partition_chunk, open.size - first);
        kept[static_cast<std::size_t>(c) + 1] =
            part_rows(codes, sides.left, rows + first, size, moved + first);
    });
    for (std::size_t c = 1; c < kept.size(); ++c) kept[c] += kept[c - 1];
    std::int32_t* sorted = moved + std::ssize(rows_);
    crew_->run(chunks, [&](std::int64_t c) {
        const std::int64_t first = c * partition_chunk, size = std::min(partition_chunk, open.size - first);
        const std::int64_t before = kept[static_cast<std::size_t>(c)];
        const std::int64_t here = kept[static_cast<std::size_t>(c) + 1] - before;
        std::copy_n(rows + first, here, sorted + before);
        std::copy_n(moved + first, size - here, sorted + kept.back() + first - before);
    });
    crew_->run(chunks, [&](std::int64_t c) {
        const std::int64_t first = c * partition_chunk, size = std::min(partition_chunk, open.size - first);
        std::copy_n(sorted + first, size, rows + first);
    });
    return kept.back();
}

// The leaves of rows that the tree was not grown on.
void PairGrower::route(const std::vector<std::int32_t>& number, std::int64_t n, std::int32_t* leaf) {
    constexpr std::uint8_t unknown = 2;
    std::vector<std::uint8_t> sides(256 * part_.nodes.size());  // of all codes in all nodes
    for (std::size_t i = 0; i < part_.nodes.size(); ++i) {
        const GrowingNode& node = part_.nodes[i];
        if (node.children == 0) continue;
        const CodedColumn& column = table_.columns[static_cast<std::size_t>(node.split.column)];
        const Sides known(node.split, column.bins);
        std::uint8_t* left = std::copy_n(known.left, 256, sides.data() + 256 * i) - 256;
        if (node.split.kind != SplitKind::threshold) continue;
        // No row of the tree has the codes next to the threshold; one that spans it decides nothing.
        for (std::int32_t c = node.split.below + 1; c < node.split.above; ++c)
            left[c] = column.largest(c) <= node.threshold                        ? 1
                      : column.low[static_cast<std::size_t>(c)] > node.threshold ? 0
                                                                                 : unknown;
    }
    crew_->run((n + route_chunk - 1) / route_chunk, [&](std::int64_t chunk) {
        for (std::int64_t row = chunk * route_chunk; row < std::min((chunk + 1) * route_chunk, n); ++row) {
            if (leaf[row] >= 0) continue;
            std::size_t at = 0;
            std::uint8_t side = 0;
            while (part_.nodes[at].children > 0 && side != unknown) {
                const GrowingNode& node = part_.nodes[at];
                side = sides[256 * at + columns_.lines[row * columns_.columns + node.split.column]];
                at = static_cast<std::size_t>(node.first_child + (side == 0 ? 1 : 0));
            }
            if (side != unknown) leaf[row] = number[at];
        }
    });
}

// The sums of all leaves, by their numbers; those of as many runs at a time as fit into memory.
std::vector<LeafSums> PairGrower::sum_leaves(const PairTarget& target, const std::int32_t* leaf,
                                             std::int64_t nodes) {
    const std::int64_t run = leaf_run(nodes), all = (target.size + run - 1) / run;
    const std::int64_t most = std::min(all, std::max<std::int64_t>(crew_->size(), sums_at_once / nodes));
    std::vector<LeafSums> sums(static_cast<std::size_t>(nodes)), runs(static_cast<std::size_t>(most * nodes));
    for (std::int64_t done = 0; done < all; done += most) {
        std::fill(runs.begin(), runs.end(), LeafSums{});
        const std::int64_t size = std::min(most, all - done);
        crew_->run(size, [&](std::int64_t c) {
            const std::int64_t first = (done + c) * run;
            add_leaves(leaf, target, first, std::min(first + run, target.size), runs.data() + c * nodes);
        });
        add_runs({runs.data(), static_cast<std::size_t>(size * nodes)}, sums);
    }
    return sums;
}

Tree PairGrower::finish(const PairTarget& target, bool all_coded, std::int32_t* leaf) {
    const std::vector<std::int32_t> number = numbers_of(part_);
    std::vector<GrowingNode>& nodes = part_.nodes;
    const auto n_nodes = std::ssize(nodes);
    if (n_rows_ < target.size) std::fill_n(leaf, target.size, -1);
    crew_->run(n_nodes, [&](std::int64_t node) {
        const GrowingNode& at = nodes[static_cast<std::size_t>(node)];
        if (at.children > 0) return;
        const std::int32_t id = number[static_cast<std::size_t>(node)];
        const std::int32_t* rows = rows_.data() + first_row_[static_cast<std::size_t>(node)];
        for (std::int32_t i = 0; i < at.n_rows; ++i) leaf[rows[i]] = id;
    });
    const std::vector<LeafSums> sums = sum_leaves(target, leaf, n_nodes);
    Tree tree = finished(part_, bounds_, number, sums);
    if (all_coded && n_rows_ < target.size) route(number, target.size, leaf);
    return tree;
}

}  // namespace hornbook
