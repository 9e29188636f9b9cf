#include "core/tree_codes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel.hpp"
#include "core/refuse.hpp"

namespace hornbook {

namespace {

struct Keyed {
    std::uint64_t key;
    std::uint32_t row;
};

// Doubles as unsigned integers in the same order; both zeros are one.
std::uint64_t ordered_bits(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

double from_ordered_bits(std::uint64_t key) {
    return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// Sorts by key, rows of one key in their order: eleven bits a pass, passes in which all agree left out.
void sort_keyed(std::vector<Keyed>& items) {
    constexpr int bits = 11;
    constexpr std::size_t buckets = std::size_t{1} << bits;
    if (items.size() < 4 * buckets) {
        std::stable_sort(items.begin(), items.end(),
                         [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
        return;
    }
    std::vector<Keyed> other(items.size());
    std::vector<std::uint32_t> start(buckets);
    for (int shift = 0; shift < 64; shift += bits) {
        std::fill(start.begin(), start.end(), 0);
        for (const Keyed& item : items) ++start[(item.key >> shift) & (buckets - 1)];
        if (start[(items[0].key >> shift) & (buckets - 1)] == items.size()) continue;
        std::uint32_t before = 0;
        for (std::uint32_t& count : start) {
            const std::uint32_t here = count;
            count = before;
            before += here;
        }
        for (const Keyed& item : items) other[start[(item.key >> shift) & (buckets - 1)]++] = item;
        items.swap(other);
    }
}

template <class T>
void store(CodedColumn& column, const std::vector<std::int32_t>& codes) {
    column.bytes = Buffer<std::uint8_t>(static_cast<std::int64_t>(codes.size() * sizeof(T)));
    auto* out = reinterpret_cast<T*>(column.bytes.data());
    for (std::size_t i = 0; i < codes.size(); ++i) out[i] = static_cast<T>(codes[i]);
}

// Takes codes with -1 for missing.
void pack(CodedColumn& column, std::vector<std::int32_t>& codes) {
    for (std::int32_t& code : codes)
        if (code < 0) {
            code = column.bins;
            column.missing = true;
        }
    column.width = column.bins < 256 ? 1 : column.bins < 65536 ? 2 : 4;
    if (column.width == 1)
        store<std::uint8_t>(column, codes);
    else if (column.width == 2)
        store<std::uint16_t>(column, codes);
    else
        store<std::uint32_t>(column, codes);
}

// Where each run of equal keys ends.
std::vector<std::size_t> run_ends(const std::vector<Keyed>& items) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i <= items.size(); ++i)
        if (i == items.size() || items[i].key != items[i - 1].key) ends.push_back(i);
    return ends;
}

// The bin of each run: runs themselves, or equal parts of the weight.
std::vector<std::int32_t> bins_of(const std::vector<Keyed>& items, const std::vector<std::size_t>& ends,
                                  const double* w, std::int32_t max_bins) {
    std::vector<std::int32_t> bins(ends.size());
    if (max_bins == 0 || ends.size() <= static_cast<std::size_t>(max_bins)) {
        for (std::size_t r = 0; r < ends.size(); ++r) bins[r] = static_cast<std::int32_t>(r);
        return bins;
    }
    std::vector<double> below(ends.size() + 1, 0.0);
    for (std::size_t r = 0, i = 0; r < ends.size(); ++r) {
        double run = 0.0;
        for (; i < ends[r]; ++i) run += w ? w[items[i].row] : 1.0;
        below[r + 1] = below[r] + run;
    }
    std::int32_t last = -1, used = -1;
    for (std::size_t r = 0; r < ends.size(); ++r) {
        const double middle = 0.5 * (below[r] + below[r + 1]) / below.back();
        const auto bin = std::min(max_bins - 1, static_cast<std::int32_t>(middle * max_bins));
        if (bin != last) ++used;
        last = bin;
        bins[r] = used;
    }
    return bins;
}

void code_numbers(const Matrix<double>& numbers, std::int64_t j, const double* w, std::int32_t max_bins,
                  CodedColumn& column) {
    std::vector<Keyed> items;
    items.reserve(static_cast<std::size_t>(numbers.rows));
    std::vector<std::int32_t> codes(static_cast<std::size_t>(numbers.rows), -1);
    for (std::int64_t i = 0; i < numbers.rows; ++i) {
        const double value = numbers.row(i)[j];
        if (w && w[i] == 0.0)
            codes[static_cast<std::size_t>(i)] = 0;  // never looked at
        else if (!std::isnan(value))
            items.push_back({ordered_bits(value), static_cast<std::uint32_t>(i)});
    }
    sort_keyed(items);
    const std::vector<std::size_t> ends = run_ends(items);
    const std::vector<std::int32_t> bins = bins_of(items, ends, w, max_bins);
    for (std::size_t r = 0, i = 0; r < ends.size(); ++r) {
        const double value = from_ordered_bits(items[i].key);
        if (r == 0 || bins[r] != bins[r - 1]) {
            column.low.push_back(value);
            column.high.push_back(value);
        }
        column.high.back() = value;
        for (; i < ends[r]; ++i) codes[items[i].row] = bins[r];
    }
    column.bins = static_cast<std::int32_t>(column.low.size());
    pack(column, codes);
}

void code_levels(const Matrix<std::int32_t>& given, std::int64_t j, std::int32_t levels,
                 CodedColumn& column) {
    std::vector<std::int32_t> codes(static_cast<std::size_t>(given.rows));
    for (std::int64_t i = 0; i < given.rows; ++i) {
        const std::int32_t code = given.row(i)[j];
        if (code < -1 || code >= levels)
            refuse("codes[", i, ", ", j, "] must be -1 or a level below ", levels, "; got ", code, ".");
        codes[static_cast<std::size_t>(i)] = code;
    }
    column.bins = levels;
    if (!column.nominal)
        for (std::int32_t level = 0; level < levels; ++level) column.low.push_back(level);
    column.high = column.low;
    pack(column, codes);
}

void check_plan(const Matrix<double>& numbers, const Matrix<std::int32_t>& codes, const ColumnPlan& plan,
                const Vector<double>* w, std::int32_t max_bins) {
    if (numbers.rows != codes.rows) refuse("numbers and codes must have the same number of rows.");
    if (numbers.rows >= std::int64_t{1} << 31) refuse("a tree takes at most 2**31 - 1 rows.");
    if (w && w->size != numbers.rows) refuse("w must have one entry for each row.");
    if (plan.levels.size != plan.place.size || plan.nominal.size != plan.place.size)
        refuse("place, levels and nominal must have the same length.");
    if (max_bins < 0 || max_bins == 1) refuse("max_bins must be 0 or at least 2; got ", max_bins, ".");
    for (std::int64_t j = 0; j < plan.place.size; ++j) {
        const std::int32_t place = plan.place.data[j];
        if (place >= 0 ? place >= numbers.cols : -1 - place >= codes.cols)
            refuse("place[", j, "] = ", place, " names a column that is not there.");
        if (plan.levels.data[j] < 0) refuse("levels[", j, "] must be at least 0.");
        if (place >= 0 && plan.nominal.data[j]) refuse("nominal[", j, "] is for codes, not for numbers.");
    }
}

}  // namespace

CodedTable code_table(const Matrix<double>& numbers, const Matrix<std::int32_t>& codes,
                      const ColumnPlan& plan, const Vector<double>* w, std::int32_t max_bins, int threads) {
    check_plan(numbers, codes, plan, w, max_bins);
    CodedTable table;
    table.n_rows = numbers.rows;
    table.columns.resize(static_cast<std::size_t>(plan.place.size));
    parallel_for(plan.place.size, threads, [&](std::int64_t j) {
        CodedColumn& column = table.columns[static_cast<std::size_t>(j)];
        const std::int32_t place = plan.place.data[j];
        column.nominal = plan.nominal.data[j];
        if (place >= 0)
            code_numbers(numbers, place, w ? w->data : nullptr, max_bins, column);
        else
            code_levels(codes, -1 - place, plan.levels.data[j], column);
    });
    return table;
}

}  // namespace hornbook
