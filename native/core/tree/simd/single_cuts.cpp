#include "core/tree/simd/single_cuts.hpp"

namespace hornbook {

namespace {

typedef std::int32_t HalfCodes __attribute__((vector_size(16), may_alias));

// The codes of a row are close together where the lines are short, or where few rows are read anyway.
bool reads_lines(const CodedTable& table, std::int64_t rows) {
    constexpr std::int64_t short_line = 128;
    const CodedColumn& column = table.columns.front();
    return column.line_step * column.line_width <= short_line || is_sparse(rows, table.n_rows);
}

HORNBOOK_WIDE void add_pairs(const LaneCodes* codes, const std::uint64_t* pair, std::int64_t n,
                             const LaneCodes& below, LaneSums& sums) {
    LaneCodes one = sums.classes[0], two = sums.classes[1], rows = sums.rows;
    for (std::int64_t i = 0; i < n; ++i) {
        const LaneCodes left = codes[i] <= below;
        one += left & static_cast<std::int32_t>(pair[i]);
        two += left & static_cast<std::int32_t>(pair[i] >> 32);
        rows -= left;
    }
    sums.classes[0] = one;
    sums.classes[1] = two;
    sums.rows = rows;
}

HORNBOOK_WIDE void add_classes(const LaneCodes* codes, const Rows& rows, std::int64_t n,
                               const LaneCodes& below, LaneSums& sums) {
    const std::int32_t* label = rows.label;
    const double* weight = rows.weight;
    LaneCodes count = sums.rows;
    for (std::int64_t i = 0; i < n; ++i) {
        const LaneCodes left = codes[i] <= below;
        sums.classes[label[i]] += left & (weight ? static_cast<std::int32_t>(weight[i]) : 1);
        count -= left;
    }
    sums.rows = count;
}

HORNBOOK_WIDE void add_numbers(const LaneCodes* codes, const Rows& rows, std::int64_t n,
                               const LaneCodes& below, LaneSums& sums) {
    const auto* halves = reinterpret_cast<const HalfCodes*>(codes);
    const auto* limits = reinterpret_cast<const HalfCodes*>(&below);
    Numbers sum[2] = {sums.sum[0], sums.sum[1]}, weight[2] = {sums.weight[0], sums.weight[1]};
    LaneCodes count = sums.rows;
    for (std::int64_t i = 0; i < n; ++i) {
        count -= codes[i] <= below;
        for (int h = 0; h < 2; ++h) {
            const Mask left = __builtin_convertvector(halves[2 * i + h] <= limits[h], Mask);
            sum[h] += left ? Numbers{} + rows.sum[i] : Numbers{};
            if (rows.weight) weight[h] += left ? Numbers{} + rows.weight[i] : Numbers{};
        }
    }
    sums.rows = count;
    for (int h = 0; h < 2; ++h) {
        sums.sum[h] = sum[h];
        sums.weight[h] =
            rows.weight ? weight[h]
                        : __builtin_convertvector(reinterpret_cast<const HalfCodes*>(&count)[h], Numbers);
    }
}

HORNBOOK_WIDE void mark_levels(LaneCodes* codes, std::int64_t n, const LaneCodes& listed) {
    for (std::int64_t i = 0; i < n; ++i) codes[i] = ~(listed >> codes[i]) & 1;
}

}  // namespace

void CodeBlock::read(const CodedTable& table, std::span<const std::int32_t> columns, const std::int32_t* rows,
                     std::int64_t size, std::int64_t all) {
    size_ = size;
    if (!reads_lines(table, all)) {
        auto* to = reinterpret_cast<std::int32_t*>(codes_);
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::int32_t j = columns[l < columns.size() ? l : 0];
            with_codes(table.columns[static_cast<std::size_t>(j)], table.n_rows, [&](const auto& view) {
                for (std::int64_t i = 0; i < size; ++i)
                    to[i * lanes + static_cast<std::int64_t>(l)] = static_cast<std::int32_t>(view[rows[i]]);
            });
        }
        return;
    }
    read_lanes(table, columns, rows, size, codes_);
}

HORNBOOK_WIDE void find_ranges(const CodeBlock& block, LaneRanges& ranges) {
    const LaneCodes* codes = block.begin();
    LaneCodes first = codes[0], last = codes[0];
    for (std::int64_t i = 1; i < block.size(); ++i) {
        first = codes[i] < first ? codes[i] : first;
        last = codes[i] > last ? codes[i] : last;
    }
    LaneCodes only_two = last >= first;
    for (std::int64_t i = 0; i < block.size(); ++i) only_two &= (codes[i] == first) | (codes[i] == last);
    ranges = {first, last, only_two};
}

HORNBOOK_WIDE void find_levels(const CodeBlock& block, LaneCodes& levels) {
    const LaneCodes one = LaneCodes{} + 1;
    LaneCodes occurring = levels;
    for (std::int64_t i = 0; i < block.size(); ++i) occurring |= one << block.begin()[i];
    levels = occurring;
}

void CodeBlock::mark(const LaneCodes& listed) { mark_levels(codes_, size_, listed); }

void LaneSums::add(const CodeBlock& block, const Rows& rows, const LaneCodes& below) {
    if (rows.pair)
        add_pairs(block.begin(), rows.pair, block.size(), below, *this);
    else if (rows.label)
        add_classes(block.begin(), rows, block.size(), below, *this);
    else
        add_numbers(block.begin(), rows, block.size(), below, *this);
}

HORNBOOK_WIDE LaneScores score_lanes(const LaneSums& sums, const LaneNode& node, std::int64_t n_rows) {
    LaneScores scores;
    for (int h = 0; h < 2; ++h) {
        const auto half = [h](const LaneCodes& all) { return reinterpret_cast<const HalfCodes*>(&all)[h]; };
        Numbers weight = sums.weight[h], rest, score;
        if (node.classes.empty()) {
            rest = node.weight - weight;
            const Numbers excess = sums.sum[h] - weight * node.mean;
            score = excess * excess * node.weight / (weight * rest);
        } else {
            Numbers squares{}, other_squares{};
            weight = Numbers{};
            for (std::size_t k = 0; k < node.classes.size(); ++k) {
                const Numbers left = __builtin_convertvector(half(sums.classes[k]), Numbers),
                              other = node.classes[k] - left;
                weight += left;
                squares += left * left;
                other_squares += other * other;
            }
            rest = node.weight - weight;
            score = squares / weight + other_squares / rest;
        }
        const Numbers rows = __builtin_convertvector(half(sums.rows), Numbers),
                      others = static_cast<double>(n_rows) - rows;
        const auto least = static_cast<double>(node.least_rows);
        const Mask allowed = (rows >= least) & (others >= least) & (weight >= node.least_weight) &
                             (rest >= node.least_weight) & (weight > 0.0) & (rest > 0.0);
        score = allowed ? score : Numbers{} + no_gain;
        for (std::int64_t l = 0; l < half_lanes; ++l)
            scores[static_cast<std::size_t>(h * half_lanes + l)] = score[l];
    }
    return scores;
}

}  // namespace hornbook
