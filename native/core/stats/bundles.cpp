#include "core/stats/bundles.hpp"

namespace hornbook {

std::vector<std::int32_t> Bundle::levels_of(std::size_t place) const {
    std::int64_t step = 1;
    for (std::size_t k = place + 1; k < sizes.size(); ++k) step *= sizes[k] + 1;
    std::vector<std::int32_t> out;
    out.reserve(static_cast<std::size_t>(cells));
    for (std::int64_t cell = 0; cell < cells; ++cell)
        out.push_back(static_cast<std::int32_t>(cell / step % (sizes[place] + 1) - 1));
    return out;
}

void Bundle::encode(const std::int32_t* codes, std::int64_t rows, std::int64_t cols,
                    std::int32_t* __restrict cells_of) const {
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::int32_t* column = codes + columns[k];
        const auto levels = static_cast<std::int32_t>(sizes[k] + 1);
        if (k == 0)
            for (std::int64_t i = 0; i < rows; ++i) cells_of[i] = column[i * cols] + 1;
        else
            for (std::int64_t i = 0; i < rows; ++i) cells_of[i] = cells_of[i] * levels + column[i * cols] + 1;
    }
}

std::vector<Bundle> bundled(const Vector<std::int32_t>& columns, const Vector<std::int32_t>& n_levels,
                            std::int64_t max_cells) {
    std::vector<Bundle> out;
    std::int64_t start = 0;
    for (std::int64_t p = 0; p < columns.size; ++p) {
        const std::int64_t levels = n_levels.data[columns.data[p]];
        if (out.empty() || out.back().cells * (levels + 1) > max_cells) out.emplace_back();
        Bundle& bundle = out.back();
        bundle.columns.push_back(columns.data[p]);
        bundle.starts.push_back(start);
        bundle.sizes.push_back(levels);
        bundle.cells *= levels + 1;
        start += levels;
    }
    return out;
}

}  // namespace hornbook
