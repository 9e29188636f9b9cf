#include "core/svm/working_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/simd.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_curvature = 1e-12;  // takes the place of curvatures that are not positive
constexpr double rounding = 1e-8;          // of kernel values, relative

typedef std::int64_t IntLanes __attribute__((vector_size(64), may_alias));
constexpr IntLanes counting = {0, 1, 2, 3, 4, 5, 6, 7};

struct Extremes {
    std::int64_t rising;  // variable that gains most from rising
    double steepest;      // minus its gradient
    double lowest;        // smallest minus gradient of variables that can fall
};

// Lanes k to the end, then the first ones.
#define HORNBOOK_TURNED(x, k) \
    __builtin_shufflevector(x, x, k, (k) + 1, (k) + 2, (k) + 3, (k) + 4, (k) + 5, (k) + 6, (k) + 7)

[[gnu::always_inline]] inline double least_of(Lanes values) {
    const Lanes quarter = HORNBOOK_TURNED(values, 4);
    values = quarter < values ? quarter : values;
    const Lanes pair = HORNBOOK_TURNED(values, 2);
    values = pair < values ? pair : values;
    return values[0] < values[1] ? values[0] : values[1];
}

// The smallest of eight candidates, of equal ones that with the lowest index.
struct Smallest {
    double value;
    std::int64_t index;
};

[[gnu::always_inline]] inline Smallest smallest(const Lanes& values, const IntLanes& indices) {
    const double value = least_of(values);
    // In halves, as branches that depend on the numbers are guessed wrong.
    IntLanes index = values == value ? indices : IntLanes{} + std::numeric_limits<std::int64_t>::max();
    const IntLanes quarter = HORNBOOK_TURNED(index, 4);
    index = quarter < index ? quarter : index;
    const IntLanes pair = HORNBOOK_TURNED(index, 2);
    index = pair < index ? pair : index;
    return {value, index[0] < index[1] ? index[0] : index[1]};
}

// gradient += step (a - b), and who should rise next.
[[gnu::always_inline]] inline Extremes move_all(double* gradient, const double* a, const double* b,
                                                double step, const double* no_rise, const double* no_fall,
                                                std::int64_t n) {
    Lanes least = Lanes{} + infinity;
    Lanes greatest = Lanes{} - infinity;
    IntLanes chosen{};
    IntLanes index = counting;
    for (std::int64_t i = 0; i < n; i += lanes, index += lanes) {
        auto& g = *reinterpret_cast<Lanes*>(gradient + i);
        g += step * (*reinterpret_cast<const Lanes*>(a + i) - *reinterpret_cast<const Lanes*>(b + i));
        const Lanes up = g + *reinterpret_cast<const Lanes*>(no_rise + i);
        chosen = up < least ? index : chosen;
        least = up < least ? up : least;
        const Lanes down = g - *reinterpret_cast<const Lanes*>(no_fall + i);
        greatest = down > greatest ? down : greatest;
    }
    const Smallest first = smallest(least, chosen);
    return {first.index, -first.value, least_of(-greatest)};
}

HORNBOOK_WIDE Extremes advance(double* gradient, const double* a, const double* b, double step,
                               const double* no_rise, const double* no_fall, std::int64_t n) {
    return move_all(gradient, a, b, step, no_rise, no_fall, n);
}

// Who should fall while the chosen one rises: the pair with the largest decrease, (gap of gradients)² over
// curvature. Fractions are compared by products, and every choice stands by its own comparison: the compiler
// takes a mask that is used twice apart, lane by lane.
HORNBOOK_WIDE std::int64_t choose_falling(const double* gradient, const double* no_fall, const double* kernel,
                                          const double* own, double own_rising, double steepest,
                                          std::int64_t n) {
    Lanes most = Lanes{};
    Lanes over = Lanes{} + 1.0;
    IntLanes chosen = IntLanes{} - 1;
    IntLanes index = counting;
    const Lanes none = Lanes{};
    const Lanes floor = Lanes{} + least_curvature;
    for (std::int64_t j = 0; j < n; j += lanes, index += lanes) {
        // A barred one has an infinite entry, and so a gap of minus infinity.
        Lanes gap = *reinterpret_cast<const Lanes*>(gradient + j) + steepest -
                    *reinterpret_cast<const Lanes*>(no_fall + j);
        gap = gap > none ? gap : none;
        Lanes curvature = own_rising + *reinterpret_cast<const Lanes*>(own + j) -
                          2.0 * *reinterpret_cast<const Lanes*>(kernel + j);
        curvature = curvature > floor ? curvature : floor;
        const Lanes square = gap * gap;
        const Lanes ours = square * over;
        const Lanes theirs = most * curvature;
        chosen = ours > theirs ? index : chosen;
        over = ours > theirs ? curvature : over;
        most = ours > theirs ? square : most;
    }
    const Smallest best = smallest(-(most / over), chosen);
    return best.value < 0.0 ? best.index : -1;
}

void mark(WorkingSet& set, std::int64_t i) {
    set.no_rise[i] = set.value[i] < set.high[i] ? 0.0 : infinity;
    set.no_fall[i] = set.value[i] > set.low[i] ? 0.0 : infinity;
}

std::int64_t padded(std::int64_t n) { return (n + lanes - 1) / lanes * lanes; }

}  // namespace

WorkingSet::WorkingSet(std::int64_t capacity)
    : room(padded(capacity) * padded(capacity)),
      own(padded(capacity)),
      ridge(padded(capacity)),
      value(padded(capacity)),
      low(padded(capacity)),
      high(padded(capacity)),
      gradient(padded(capacity)),
      no_rise(padded(capacity)),
      no_fall(padded(capacity)) {}

void WorkingSet::resize(std::int64_t count) {
    std::swap(kernel, previous);
    if (kernel.size() == 0) kernel = Buffer<double>(room);
    previous_stride = stride;
    size = count;
    stride = padded(count);
    for (std::int64_t i = size; i < stride; ++i) {
        own[i] = gradient[i] = 0.0;
        no_rise[i] = no_fall[i] = infinity;
        for (std::int64_t r = 0; r < size; ++r) row(r)[i] = 0.0;
    }
}

PairSteps optimize_pairs(WorkingSet& set, double tol, std::int64_t max_steps) {
    for (std::int64_t i = 0; i < set.size; ++i) mark(set, i);
    PairSteps steps;
    Pace pace;
    double* g = set.gradient.data();
    Extremes now =
        advance(g, set.row(0), set.row(0), 0.0, set.no_rise.data(), set.no_fall.data(), set.stride);
    while (steps.count < max_steps && now.steepest - now.lowest > tol) {
        const std::int64_t i = now.rising;
        const std::int64_t j = choose_falling(g, set.no_fall.data(), set.row(i), set.own.data(), set.own[i],
                                              now.steepest, set.stride);
        if (j < 0 || j == i) break;
        double curvature = set.own[i] + set.own[j] - 2.0 * set.row(i)[j];
        if (curvature < -rounding * (std::abs(set.own[i]) + std::abs(set.own[j]))) steps.indefinite = true;
        curvature = std::max(curvature, least_curvature);
        const double room_up = set.high[i] - set.value[i];
        const double room_down = set.value[j] - set.low[j];
        const double step = std::min({(now.steepest + g[j]) / curvature, room_up, room_down});
        if (curvature == least_curvature && room_up == infinity && room_down == infinity) {
            steps.unbounded = true;
            break;
        }
        set.value[i] = step == room_up ? set.high[i] : set.value[i] + step;
        set.value[j] = step == room_down ? set.low[j] : set.value[j] - step;
        g[i] += set.ridge[i] * step;
        g[j] -= set.ridge[j] * step;
        mark(set, i);
        mark(set, j);
        now = advance(g, set.row(i), set.row(j), step, set.no_rise.data(), set.no_fall.data(), set.stride);
        ++steps.count;
        pace.spend(set.stride);
    }
    return steps;
}

}  // namespace hornbook
