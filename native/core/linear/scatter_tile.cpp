#include "core/linear/scatter_tile.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t square = lanes * lanes;  // numbers of one block of products
constexpr std::int64_t tile_cells = 3 << 10;    // 24 KB, so that few columns stay in the first cache
constexpr std::int64_t line_bytes = 64;         // of the cache
constexpr std::int64_t least_rows = 64;         // over which products are summed in registers

std::int64_t rows_of_tile(std::int64_t panels) {
    return std::max(least_rows, tile_cells / (std::max<std::int64_t>(panels, 1) * lanes));
}

// One row into panels that are `step` numbers apart.
HORNBOOK_WIDE void wide_put(const double* __restrict x, const double* __restrict mean, std::int64_t cols,
                            double factor, std::int64_t step, double* __restrict row) {
    for (; cols >= lanes; cols -= lanes, x += lanes, mean += lanes, row += step) {
        Lanes numbers;
        Lanes center;
        std::memcpy(&numbers, x, sizeof numbers);
        std::memcpy(&center, mean, sizeof center);
        *reinterpret_cast<Lanes*>(row) = factor * (numbers - center);
    }
    for (std::int64_t j = 0; j < cols; ++j) row[j] = factor * (x[j] - mean[j]);
}

typedef float FloatLanes __attribute__((vector_size(32), may_alias));

[[gnu::always_inline]] inline void load(const double* x, Lanes& numbers) {
    std::memcpy(&numbers, x, sizeof numbers);
}

[[gnu::always_inline]] inline void load(const float* x, Lanes& numbers) {
    FloatLanes single;
    std::memcpy(&single, x, sizeof single);
    numbers = __builtin_convertvector(single, Lanes);
}

// The same for one panel of many rows; sums += weight * (row - shift)
template <typename Number>
[[gnu::always_inline]] inline void put_panel(const Number* __restrict x, std::int64_t rows,
                                             std::int64_t stride, const double* __restrict roots,
                                             const double* shift, double* __restrict panel, double* sums) {
    Lanes center;
    load(shift, center);
    Lanes sum{};
    for (std::int64_t r = 0; r < rows; ++r, x += stride, panel += lanes) {
        Lanes numbers;
        load(x, numbers);
        numbers -= center;
        if (roots == nullptr) {
            sum += numbers;
        } else {
            numbers = roots[r] == 0.0 ? Lanes{} : roots[r] * numbers;
            sum += roots[r] * numbers;
        }
        *reinterpret_cast<Lanes*>(panel) = numbers;
    }
    *reinterpret_cast<Lanes*>(sums) += sum;
}

HORNBOOK_WIDE void wide_panel(const double* x, std::int64_t rows, std::int64_t stride, const double* roots,
                              const double* shift, double* panel, double* sums) {
    put_panel(x, rows, stride, roots, shift, panel, sums);
}

HORNBOOK_WIDE void wide_panel(const float* x, std::int64_t rows, std::int64_t stride, const double* roots,
                              const double* shift, double* panel, double* sums) {
    put_panel(x, rows, stride, roots, shift, panel, sums);
}

// sums[j] += sum over rows of a[row][j] * b[row], for `count` columns j of panel a and all of panel b
template <std::int64_t count>
[[gnu::always_inline]] inline void products(const double* a, const Lanes* b, std::int64_t rows, Lanes* sums) {
    Lanes sum[count] = {};
    for (std::int64_t r = 0; r < rows; ++r, a += lanes)
        for (std::int64_t j = 0; j < count; ++j) sum[j] += a[j] * b[r];
    for (std::int64_t j = 0; j < count; ++j) sums[j] += sum[j];
}

// The last panel may have fewer columns, for which there is less to do.
HORNBOOK_WIDE void wide_half(const double* a, const Lanes* b, std::int64_t columns, std::int64_t rows,
                             Lanes* sums) {
    if (columns == 1)
        products<1>(a, b, rows, sums);
    else if (columns == 2)
        products<2>(a, b, rows, sums);
    else if (columns == 3)
        products<3>(a, b, rows, sums);
    else
        products<4>(a, b, rows, sums);
}

void add_block(const double* a, const Lanes* b, std::int64_t columns, std::int64_t rows, Lanes* sums) {
    wide_half(a, b, columns, rows, sums);
    if (columns > lanes / 2) wide_half(a + lanes / 2, b, columns - lanes / 2, rows, sums + lanes / 2);
}

}  // namespace

ScatterTile::ScatterTile(std::int64_t cols)
    : cols_(cols),
      panels_((cols + lanes - 1) / lanes),
      most_rows_(rows_of_tile(panels_)),
      tile_(panels_ * lanes, most_rows_, 0.0),
      roots_(most_rows_),
      sums_(checked_product(panels_, panels_ + 1) / 2, square, 0.0) {}

void ScatterTile::put(std::int64_t first, const double* x, const double* mean, std::int64_t cols,
                      double factor) {
    double* row = tile_.data() + rows_ * lanes;
    const std::int64_t step = most_rows_ * lanes;
    if (first == 0 && factor != 0.0) {
        wide_put(x, mean, cols, factor, step, row);
        return;
    }
    for (std::int64_t j = 0; j < cols; ++j)
        row[(first + j) / lanes * step + (first + j) % lanes] =
            factor == 0.0 ? 0.0 : factor * (x[j] - mean[j]);
}

template <typename Number>
void ScatterTile::put_rows(const Number* x, std::int64_t rows, const double* w, const double* shift,
                           double* sums) {
    const std::int64_t step = most_rows_ * lanes;
    while (rows > 0) {
        const std::int64_t now = std::min(rows, most_rows_ - rows_);
        for (std::int64_t r = 0; w != nullptr && r < now; ++r) roots_[r] = std::sqrt(w[r]);
        const double* roots = w == nullptr ? nullptr : roots_.data();
        for (std::int64_t p = 0; p < panels_; ++p)
            wide_panel(x + p * lanes, now, cols_, roots, shift + p * lanes,
                       tile_.data() + p * step + rows_ * lanes, sums + p * lanes);
        rows_ += now;
        rows -= now;
        x += now * cols_;
        if (w != nullptr) w += now;
        if (rows_ == most_rows_)
            add_products(rows > most_rows_ ? x : nullptr, cols_ * static_cast<std::int64_t>(sizeof(Number)));
    }
}

template void ScatterTile::put_rows(const double*, std::int64_t, const double*, const double*, double*);
template void ScatterTile::put_rows(const float*, std::int64_t, const double*, const double*, double*);

std::int64_t ScatterTile::width() const { return panels_ * lanes; }

void ScatterTile::next_row() {
    if (++rows_ == most_rows_) add_products();
}

// While products are computed, the rows that are put next come from memory.
void ScatterTile::add_products(const void* ahead, std::int64_t row_bytes) {
    const std::int64_t step = most_rows_ * lanes;
    const std::int64_t blocks = std::max<std::int64_t>(panels_ * (panels_ + 1) / 2, 1);
    const std::int64_t lines = (rows_ * row_bytes / line_bytes + blocks) / blocks;  // to fetch for each block
    const char* line = static_cast<const char*>(ahead);
    auto* sums = reinterpret_cast<Lanes*>(sums_.data());
    for (std::int64_t p = 0; p < panels_; ++p) {
        pace_.spend((p + 1) * rows_ * lanes);
        const double* a = tile_.data() + p * step;
        const std::int64_t columns = std::min(lanes, cols_ - p * lanes);
        for (std::int64_t q = 0; q <= p; ++q, sums += lanes) {
            if (ahead != nullptr)
                for (std::int64_t i = 0; i < lines; ++i, line += line_bytes) __builtin_prefetch(line, 0, 2);
            add_block(a, reinterpret_cast<const Lanes*>(tile_.data() + q * step), columns, rows_, sums);
        }
    }
    rows_ = 0;
}

void ScatterTile::finish(double* out, const double* sums, double mass) {
    add_products();
    const double* block = sums_.data();
    for (std::int64_t p = 0; p < cols_; p += lanes) {
        pace_.spend((p + lanes) * lanes);
        for (std::int64_t q = 0; q <= p; q += lanes, block += square)
            for (std::int64_t j = p; j < std::min(p + lanes, cols_); ++j)
                for (std::int64_t k = q; k < std::min(q + lanes, j + 1); ++k) {
                    double product = block[(j - p) * lanes + (k - q)];
                    if (sums != nullptr) product -= sums[j] / mass * sums[k];
                    if (j == k && product < 0.0) product = 0.0;  // by rounding
                    out[j * cols_ + k] = out[k * cols_ + j] = product;
                }
    }
}

}  // namespace hornbook
