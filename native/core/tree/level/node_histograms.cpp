#include "core/tree/level/node_histograms.hpp"

#include <algorithm>

#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t rows_at_once = 2048;  // whose codes stay in the cache from column to column

// Rows of a run that are in some slot, gathered.
struct Gathered {
    std::vector<std::int32_t> row, label, slot;
    std::vector<double> sum, weight;

    void clear() {
        row.clear();
        label.clear();
        slot.clear();
        sum.clear();
        weight.clear();
    }
    Rows view() {
        return {row.data(),
                nullptr,
                label.empty() ? nullptr : label.data(),
                weight.empty() ? nullptr : weight.data(),
                sum.empty() ? nullptr : sum.data(),
                std::ssize(row)};
    }
};

void gather(const ChunkRows& rows, std::int64_t first, std::int64_t last, std::int64_t histograms,
            double square_unit, Gathered& out, Spread* spreads) {
    out.clear();
    for (std::int64_t i = first; i < last; ++i) {
        const std::int32_t slot = rows.slot[i];
        if (slot < 0) continue;
        const double weight = rows.weight ? rows.weight[i] : 1.0;
        if (rows.sum) spreads[slot].add(rows.sum[i], weight, square_unit);
        if (slot >= histograms) continue;
        out.row.push_back(static_cast<std::int32_t>(i));
        out.slot.push_back(slot);
        if (rows.label) out.label.push_back(rows.label[i]);
        if (rows.sum) out.sum.push_back(rows.sum[i]);
        if (rows.weight) out.weight.push_back(weight);
    }
}

template <class T>
void add_columns(const RowCodes& codes, const Rows& rows, const std::int32_t* slot, const PassLayout& pass,
                 const Layout& layout, std::uint8_t* histograms) {
    const std::int64_t slot_size = pass.offsets.back() / static_cast<std::int64_t>(sizeof(T));
    for (std::size_t place = 0; place < pass.columns.size(); ++place) {
        T* first = reinterpret_cast<T*>(histograms + pass.offsets[place]);
        with_column(codes, pass.columns[place], [&](const auto& view) {
            with_adder<T>(rows, layout, [&](auto add) {
                for (std::int64_t i = 0; i < rows.size; ++i)
                    add(first + slot[i] * slot_size +
                            static_cast<std::int64_t>(view[rows.row[i]]) * layout.stride,
                        i);
            });
        });
    }
}

}  // namespace

void add_rows(const ChunkRows& rows, const PassLayout& pass, int classes, double square_unit,
              std::uint8_t* histograms, Spread* spreads) {
    const Layout layout = classes ? class_layout(classes, pass.counted) : sum_layout();
    Gathered gathered;
    Pace pace;
    for (std::int64_t first = 0; first < rows.codes.rows; first += rows_at_once) {
        const std::int64_t last = std::min(rows.codes.rows, first + rows_at_once);
        pace.spend((last - first) * (std::ssize(pass.columns) + 4));
        gather(rows, first, last, pass.histograms, square_unit, gathered, spreads);
        if (gathered.row.empty()) continue;
        const Rows some = gathered.view();
        if (pass.whole)
            add_columns<std::uint32_t>(rows.codes, some, gathered.slot.data(), pass, layout, histograms);
        else
            add_columns<double>(rows.codes, some, gathered.slot.data(), pass, layout, histograms);
    }
}

}  // namespace hornbook
