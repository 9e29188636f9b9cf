#include "core/tree/simd/lane_codes.hpp"

#include <algorithm>

namespace hornbook {

namespace {

// Where the codes of some rows are.
template <class Code>
struct Lines {
    const Code* first;
    std::int64_t step;
    const std::int32_t* rows;
    std::int64_t size;
    std::int32_t at[lanes];  // the columns

    const Code* of(std::int64_t i) const { return first + rows[i] * step; }

    // In one expression, so that codes get into a register without a detour through memory.
    __attribute__((always_inline)) void read(const Code* line, bool are_few, LaneCodes& codes) const {
        const auto code = [&](int l) { return static_cast<std::int32_t>(line[at[l]]); };
        if (are_few) {
            const std::int32_t a = code(0), b = code(1), c = code(2), d = code(3);
            codes = LaneCodes{a, b, c, d, a, b, c, d};
        } else {
            codes = LaneCodes{code(0), code(1), code(2), code(3), code(4), code(5), code(6), code(7)};
        }
    }
    __attribute__((always_inline)) void read(bool are_few, LaneCodes* codes) const {
        constexpr std::int64_t ahead = 16;  // rows are scattered: prefetch their lines
        std::int64_t i = 0;
        for (; i < size - ahead; ++i) {
            __builtin_prefetch(of(i + ahead));
            __builtin_prefetch(of(i + ahead) + step - 1);
            read(of(i), are_few, codes[i]);
        }
        for (; i < size; ++i) read(of(i), are_few, codes[i]);
    }
};

// Not a template: only functions by name are compiled for several instruction sets.
HORNBOOK_WIDE void read_bytes(const Lines<std::uint8_t>& lines, LaneCodes* codes) {
    lines.read(false, codes);
}
HORNBOOK_WIDE void read_few_bytes(const Lines<std::uint8_t>& lines, LaneCodes* codes) {
    lines.read(true, codes);
}
HORNBOOK_WIDE void read_words(const Lines<std::uint16_t>& lines, LaneCodes* codes) {
    lines.read(false, codes);
}
HORNBOOK_WIDE void read_few_words(const Lines<std::uint16_t>& lines, LaneCodes* codes) {
    lines.read(true, codes);
}
HORNBOOK_WIDE void read_long_words(const Lines<std::uint32_t>& lines, LaneCodes* codes) {
    lines.read(false, codes);
}

void read_lines(const Lines<std::uint8_t>& lines, bool are_few, LaneCodes* codes) {
    are_few ? read_few_bytes(lines, codes) : read_bytes(lines, codes);
}
void read_lines(const Lines<std::uint16_t>& lines, bool are_few, LaneCodes* codes) {
    are_few ? read_few_words(lines, codes) : read_words(lines, codes);
}
void read_lines(const Lines<std::uint32_t>& lines, bool, LaneCodes* codes) { read_long_words(lines, codes); }

}  // namespace

void read_lanes(const CodedTable& table, std::span<const std::int32_t> columns, const std::int32_t* rows,
                std::int64_t size, LaneCodes* codes) {
    with_lines(table, [&]<class Code>(const Code* first, std::int64_t step) {
        Lines<Code> lines{first, step, rows, size, {}};
        for (std::size_t l = 0; l < lanes; ++l) lines.at[l] = columns[l < columns.size() ? l : 0];
        read_lines(lines, std::ssize(columns) <= half_lanes, codes);
    });
}

}  // namespace hornbook
