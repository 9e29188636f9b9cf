#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/neighbors/kd_levels.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The lowest and the highest number of each column.
struct Box {
    std::vector<double> low;
    std::vector<double> high;

    explicit Box(std::int64_t cols) : low(static_cast<std::size_t>(cols)), high(low.size()) {}

    void enclose(const double* points, std::int64_t count) {
        std::fill(low.begin(), low.end(), infinity);
        std::fill(high.begin(), high.end(), -infinity);
        for (std::int64_t i = 0; i < count; ++i, points += low.size())
            for (std::size_t j = 0; j < low.size(); ++j) {
                low[j] = std::min(low[j], points[j]);
                high[j] = std::max(high[j], points[j]);
            }
    }
    std::size_t widest() const {
        std::size_t column = 0;
        for (std::size_t j = 1; j < low.size(); ++j)
            if (high[j] - low[j] > high[column] - low[column]) column = j;
        return column;
    }
};

// A row of a node: its place there, and the number by which the node is cut.
struct Key {
    double number;
    std::int64_t place;

    bool operator<(const Key& other) const {
        return number != other.number ? number < other.number : place < other.place;
    }
};

// Grows the tree from the top. `points` are the rows in the order so far: those of a node are side by side.
struct Builder {
    std::int64_t cols;
    const Levels& levels;
    double* points;
    std::int64_t* order;
    double* boxes;
    int threads;

    // Cuts the keys of rows in the box into parts of `step` rows each, the last of which may be shorter.
    void cut(Key* first, Key* last, std::int64_t step, const double* mine, Box& box, Pace& pace) const {
        const std::int64_t parts = (last - first + step - 1) / step;
        if (parts <= 1) return;
        pace.spend(4 * (last - first));
        const std::size_t column = box.widest();
        for (Key* key = first; key != last; ++key)
            key->number = mine[key->place * cols + static_cast<std::int64_t>(column)];
        Key* mid = first + parts / 2 * step;
        std::nth_element(first, mid, last);
        // The boxes of both sides, as far as the cut tells: they only choose the next column.
        const double edge = mid->number;
        const double high = std::exchange(box.high[column], edge);
        cut(first, mid, step, mine, box, pace);
        box.high[column] = high;
        const double low = std::exchange(box.low[column], edge);
        cut(mid, last, step, mine, box, pace);
        box.low[column] = low;
    }

    // Brings the rows [first, last) into the order of the parts of a node.
    void arrange(std::int64_t first, std::int64_t last, std::int64_t step, Box& box) const {
        Pace pace;
        const std::int64_t count = last - first;
        double* mine = points + first * cols;
        box.enclose(mine, count);
        pace.spend(count * cols);
        std::vector<Key> keys(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) keys[static_cast<std::size_t>(i)] = {0.0, i};
        cut(keys.data(), keys.data() + count, step, mine, box, pace);
        const std::vector<std::int64_t> before(order + first, order + last);
        Buffer<double> arranged(count, cols);
        for (std::int64_t from = 0; from < count && step == Tiles::size; from += step)
            std::sort(keys.begin() + from, keys.begin() + std::min(from + step, count),
                      [&](const Key& one, const Key& other) {  // ties then offer the lower index first
                          return before[static_cast<std::size_t>(one.place)] <
                                 before[static_cast<std::size_t>(other.place)];
                      });
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t place = keys[static_cast<std::size_t>(i)].place;
            order[first + i] = before[static_cast<std::size_t>(place)];
            std::copy_n(mine + place * cols, cols, arranged.data() + i * cols);
        }
        std::copy_n(arranged.data(), count * cols, mine);
    }

    // The i-th node of a level over the rows [first, last); parts that are not there keep an empty box.
    void grow(std::int64_t level, std::int64_t i, std::int64_t first, std::int64_t last,
              std::int64_t step) const {
        Box box(cols);
        arrange(first, last, step, box);
        double* mine = boxes + levels.node(level, i) * box_numbers * cols;
        for (std::int64_t part = 0; part < fanout; ++part) {
            const std::int64_t from = std::min(first + part * step, last);
            box.enclose(points + from * cols, std::min(step, last - from));
            for (std::int64_t j = 0; j < cols; ++j) {
                mine[2 * fanout * j + part] = box.low[static_cast<std::size_t>(j)];
                mine[2 * fanout * j + fanout + part] = box.high[static_cast<std::size_t>(j)];
            }
        }
        if (level == 0) return;
        parallel_for(fanout, level == levels.top() ? threads : 1, [&](std::int64_t part) {
            const std::int64_t from = std::min(first + part * step, last);
            if (from < last)
                grow(level - 1, i * fanout + part, from, std::min(from + step, last), step / fanout);
        });
    }
};

}  // namespace

Tree kd_build(const Matrix<double>& rows, int threads) {
    check_tree_rows(rows);
    for (std::int64_t i = 0; i < rows.rows * rows.cols; ++i)
        if (std::isnan(rows.data[i])) refuse("a tree cannot have rows with missing numbers.");
    const Levels levels(rows.rows);
    Tree tree{Buffer<std::int64_t>(rows.rows), Buffer<double>(levels.nodes, box_numbers * rows.cols)};
    std::iota(tree.order.data(), tree.order.data() + rows.rows, 0);
    std::int64_t step = Tiles::size;
    for (std::int64_t level = 0; level < levels.top(); ++level) step *= fanout;
    Buffer<double> points(rows.rows, rows.cols);
    std::copy_n(rows.data, rows.rows * rows.cols, points.data());
    const Builder builder{rows.cols, levels, points.data(), tree.order.data(), tree.boxes.data(), threads};
    builder.grow(levels.top(), 0, 0, rows.rows, step);
    return tree;
}

}  // namespace hornbook
