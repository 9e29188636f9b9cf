#include "core/tree/pairs/pair_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/stop.hpp"

namespace hornbook {

namespace {

// The rows of each slot, one slot after the other.
struct SlotRows {
    std::vector<std::int32_t> rows;
    std::vector<std::int64_t> first;  // of each slot, and the number of all

    SlotRows(const PairTarget& target, const std::int32_t* slot, std::int64_t slots)
        : first(static_cast<std::size_t>(slots) + 1, 0) {
        const auto counts = [&](std::int64_t i) { return slot[i] >= 0 && target.weight[i] != 0.0; };
        for (std::int64_t i = 0; i < target.size; ++i)
            if (counts(i)) ++first[static_cast<std::size_t>(slot[i]) + 1];
        for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
        rows.assign(static_cast<std::size_t>(first.back() + rows_ahead), 0);
        std::vector<std::int64_t> next(first.begin(), first.end() - 1);
        for (std::int64_t i = 0; i < target.size; ++i)
            if (counts(i))
                rows[static_cast<std::size_t>(next[static_cast<std::size_t>(slot[i])]++)] =
                    static_cast<std::int32_t>(i);
    }
};

}  // namespace

std::int64_t histogram_entries(std::span<const std::int32_t> bins) {
    return GroupedColumns(bins, nullptr).entries();
}

Buffer<CodeSums> slot_histograms(const PairChunk& chunk, std::span<const std::int32_t> bins,
                                 const PairScale& scale, const std::int32_t* slot, std::int64_t slots) {
    check_pairs(chunk.target, scale);
    const GroupedColumns columns(bins, chunk.codes.bytes);
    const std::int64_t entries = columns.entries();
    Buffer<CodeSums> out(slots, entries);
    std::memset(static_cast<void*>(out.data()), 0, sizeof(CodeSums) * static_cast<std::size_t>(out.size()));
    const SlotRows by_slot(chunk.target, slot, slots);
    Crew alone(1);
    RowPairs pairs;
    pairs.encode(chunk.target, scale, chunk.first, alone);
    Buffer<std::uint64_t> words(pairs.is_small ? entries : 0, lanes, 0);
    Pace pace;
    for (std::int64_t s = 0; s < slots; ++s) {
        CodeSums* sums = out.data() + s * entries;
        const std::int64_t last = by_slot.first[static_cast<std::size_t>(s) + 1];
        for (std::int64_t at = by_slot.first[static_cast<std::size_t>(s)]; at < last; at += packed_rows) {
            const std::int64_t size = std::min(packed_rows, last - at);
            pace.spend(size * columns.columns + entries);
            const std::int32_t* rows = by_slot.rows.data() + at;
            if (!pairs.is_small) {
                add_rows(columns, pairs, rows, size, sums);
                continue;
            }
            add_packed(columns, pairs, rows, size, words.data());
            unpack(reinterpret_cast<Packed*>(words.data()), entries, scale.units.count_bits, false, sums);
        }
    }
    return out;
}

std::vector<LeafSums> leaf_sums_of_runs(const std::int32_t* leaf, const PairTarget& target,
                                        std::int64_t nodes) {
    const std::int64_t step = leaf_run(nodes), runs = (target.size + step - 1) / step;
    std::vector<LeafSums> sums(static_cast<std::size_t>(runs * nodes));
    for (std::int64_t c = 0; c < runs; ++c)
        add_leaves(leaf, target, c * step, std::min((c + 1) * step, target.size), sums.data() + c * nodes);
    return sums;
}

}  // namespace hornbook
