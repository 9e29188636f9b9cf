#include "core/tree/simd/multiclass_bounds.hpp"

#include <algorithm>

#include "core/base/simd.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

namespace {

typedef double LooseNumbers __attribute__((vector_size(32), may_alias, aligned(8)));

inline void read(const double* from, double more, Numbers& out) {
    out = *reinterpret_cast<const LooseNumbers*>(from) + more;
}

}  // namespace

HORNBOOK_WIDE void score_edges(const ClassPlanes& planes, double* scores) {
    for (std::int64_t b = 1; b < planes.count; b += half_lanes) {
        Numbers weight{}, squares{}, other_squares{};
        for (int k = 0; k < planes.classes; ++k) {
            Numbers left;
            read(planes.left + k * planes.step + b, planes.more[k], left);
            const Numbers other = planes.whole[k] - left;
            weight += left;
            squares += left * left;
            other_squares += other * other;
        }
        const Numbers rest = planes.weight - weight;
        Mask allowed =
            (weight > 0.0) & (rest > 0.0) & (weight >= planes.least_weight) & (rest >= planes.least_weight);
        if (planes.rows) {
            Numbers rows;
            read(planes.rows + b, planes.more_rows, rows);
            allowed &= (rows >= planes.least_rows) & (planes.all_rows - rows >= planes.least_rows);
        }
        const Numbers score = squares / weight + other_squares / rest;
        *reinterpret_cast<LooseNumbers*>(scores + b) = allowed ? score : Numbers{} + no_gain;
    }
}

// With W of the node and p, the shares of its classes, w and l of the left side, e = l - w p: a cut gains
// |e|^2 W / (w (W - w)). From the middle of a bin that holds d of the classes to a cut inside it some x is
// added to l, |x_k| <= d_k / 2, and
//   |e + x - sum(x) p|^2 = |e|^2 + 2 sum x_k (e_k - e.p) + |x - sum(x) p|^2,
// where each term is bounded on its own. Besides, a side of weight w gains at most
// w W (1 + |p|^2) / (W - w), as if it held one class that occurs nowhere else, which is tighter for sides of
// few rows.
HORNBOOK_WIDE void flag_planes(const ClassPlanes& planes, double least_gain, bool bound,
                               std::uint8_t* flags) {
    const double all = planes.weight, unit = 1.0 / all;
    double squares = 0.0;  // of the shares
    for (int k = 0; k < planes.classes; ++k) squares += (unit * planes.whole[k]) * (unit * planes.whole[k]);
    const double small = all * (1.0 + squares);
    for (std::int64_t b = 0; b < planes.count; b += half_lanes) {
        Numbers weight{}, until{}, along{};
        for (int k = 0; k < planes.classes; ++k) {
            Numbers here, next;
            read(planes.left + k * planes.step + b, planes.more[k], here);
            read(planes.left + k * planes.step + b + 1, planes.more[k], next);
            weight += here;
            until += next;
            along += 0.5 * (here + next) * (unit * planes.whole[k]);
        }
        const Numbers middle = 0.5 * (weight + until);
        along -= middle * squares;
        Numbers most{};
        Mask classes_present{};
        for (int k = 0; k < planes.classes; ++k) {
            Numbers here, next;
            read(planes.left + k * planes.step + b, planes.more[k], here);
            read(planes.left + k * planes.step + b + 1, planes.more[k], next);
            const double share = unit * planes.whole[k];
            const Numbers joins = next - here, excess = 0.5 * (here + next) - middle * share;
            const Numbers slope = excess - along;
            const Numbers far = 0.5 * ((1.0 - share) * joins + share * (until - weight - joins));
            most += excess * excess + joins * (slope > 0.0 ? slope : -slope) + far * far;
            classes_present -= joins > 0.0;
        }
        const Numbers rest = all - weight, after = all - until;
        const Numbers narrow = weight * rest < until * after ? weight * rest : until * after;
        const Mask inside = (most * all >= least_gain * narrow) & (until * small >= least_gain * after) &
                            (rest * small >= least_gain * weight) & (classes_present >= (bound ? 1 : 2));
        for (std::int64_t i = 0; i < half_lanes; ++i)
            flags[b + i] |= static_cast<std::uint8_t>(inside[i] & 1);
    }
}

}  // namespace hornbook
