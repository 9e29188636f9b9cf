#include "core/tree/boost/loss_pairs.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/exponent.hpp"
#include "core/base/parallel.hpp"
#include "core/base/refuse.hpp"
#include "core/base/simd.hpp"

namespace hornbook {

namespace {

constexpr std::int64_t run = 8192;  // rows at a time
constexpr std::int64_t rows_worth_threads = 1 << 15;

template <class Fn>
void for_runs(std::int64_t n, int threads, const Fn& fn) {
    parallel_rows(n, run, n >= rows_worth_threads ? threads : std::min(threads, 1), fn);
}

HORNBOOK_WIDE bool are_nodes(const std::int32_t* leaf, std::int64_t size, std::int32_t nodes) {
    std::uint32_t largest = 0;  // negative numbers are large ones
    for (std::int64_t i = 0; i < size; ++i) largest = std::max(largest, static_cast<std::uint32_t>(leaf[i]));
    return largest < static_cast<std::uint32_t>(nodes);
}

// Adds the steps of rows first, ..., last - 1.
void step_rows(const LeafSteps& steps, double* scores, std::int64_t first, std::int64_t last) {
    if (!steps.leaf) return;
    const std::int32_t* leaf = steps.leaf;
    if (!are_nodes(leaf + first, last - first, static_cast<std::int32_t>(steps.step.size)))
        refuse("leaf must hold nodes below ", steps.step.size, ", one for each row.");
    const double* step = steps.step.data;
    for (std::int64_t i = first; i < last; ++i) scores[i] += step[leaf[i]];
}

// Eight numbers, or fewer at the end.
template <class T>
__attribute__((always_inline)) inline void load(const T* from, std::int64_t size, Lanes& out) {
    if (size >= lanes && sizeof(T) == sizeof(double)) {
        std::memcpy(&out, from, sizeof out);
        return;
    }
    for (std::int64_t lane = 0; lane < lanes; ++lane)
        out[lane] = lane < size ? static_cast<double>(from[lane]) : 0.0;
}

__attribute__((always_inline)) inline void store(const Lanes& lane_values, std::int64_t size, double* to) {
    if (size >= lanes)
        std::memcpy(to, &lane_values, sizeof lane_values);
    else
        std::memcpy(to, &lane_values, sizeof(double) * static_cast<std::size_t>(size));
}

HORNBOOK_WIDE void log_loss_run(const std::int32_t* y, const double* w, const double* scores,
                                std::int64_t size, double smallest, double* sum, double* weight) {
    alignas(64) double label[lanes];
    for (std::int64_t i = 0; i < size; i += lanes) {
        const std::int64_t left = size - i;
        if (left >= lanes)
            for (std::int64_t k = 0; k < lanes; ++k) label[k] = y[i + k];
        else
            for (std::int64_t k = 0; k < lanes; ++k) label[k] = k < left ? y[i + k] : 0;
        Lanes score, factor = Lanes{} + 1.0, truth;
        std::memcpy(&truth, label, sizeof truth);
        load(scores + i, left, score);
        if (w) load(w + i, left, factor);
        Lanes small = score > 0.0 ? -score : score;
        exponentiate(small);
        const Lanes near = 1.0 / (1.0 + small), far = small * near;  // of p and 1 - p, without cancellation
        const Lanes p = score > 0.0 ? near : far, q = score > 0.0 ? far : near;
        const Lanes residual = truth > 0.5 ? q : -p;
        store(residual * factor, left, sum + i);
        const Lanes bend = near * far;
        store((bend > smallest ? bend : Lanes{} + smallest) * factor, left, weight + i);
    }
}

HORNBOOK_WIDE void squared_error_run(const double* y, const double* w, const double* scores,
                                     std::int64_t size, double* sum, double* weight) {
    for (std::int64_t i = 0; i < size; ++i) sum[i] = y[i] - scores[i];
    if (!w) {
        std::fill_n(weight, size, 1.0);
        return;
    }
    for (std::int64_t i = 0; i < size; ++i) sum[i] *= w[i];
    std::copy_n(w, size, weight);
}

// Scores of a class are `step` apart from those of the next.
HORNBOOK_WIDE void norms_run(const double* scores, std::int64_t classes, std::int64_t step, std::int64_t size,
                             double* top_of, double* all_of) {
    for (std::int64_t i = 0; i < size; i += lanes) {
        const std::int64_t left = size - i;
        Lanes top, all{};
        load(scores + i, left, top);
        for (std::int64_t k = 1; k < classes; ++k) {
            Lanes score;
            load(scores + k * step + i, left, score);
            top = score > top ? score : top;
        }
        for (std::int64_t k = 0; k < classes; ++k) {
            Lanes score;
            load(scores + k * step + i, left, score);
            score -= top;
            exponentiate(score);
            all += score;
        }
        store(top, left, top_of + i);
        store(all, left, all_of + i);
    }
}

HORNBOOK_WIDE void softmax_run(const std::int32_t* y, const double* w, const SoftmaxClass& of,
                               std::int64_t first, std::int64_t size, double smallest, double* sum,
                               double* weight) {
    alignas(64) double own[lanes];
    for (std::int64_t i = 0; i < size; i += lanes) {
        const std::int64_t left = size - i;
        for (std::int64_t lane = 0; lane < lanes; ++lane)
            own[lane] = lane < left && y[i + lane] == of.k ? 1.0 : 0.0;
        Lanes p, top, all, truth, factor = Lanes{} + 1.0;
        std::memcpy(&truth, own, sizeof truth);
        load(of.scores + first + i, left, p);
        load(of.norms.top + first + i, left, top);
        load(of.norms.all + first + i, left, all);
        if (w) load(w + i, left, factor);
        p -= top;
        exponentiate(p);
        p /= all;
        const Lanes residual = truth - p, extent = residual < 0.0 ? -residual : residual;
        const Lanes least = least_bend * extent, bend = p * (1.0 - p);
        const Lanes enough = bend > smallest ? bend : Lanes{} + smallest;
        store((enough > least ? enough : least) * factor, left, weight + i);
        store(residual * factor, left, sum + i);
    }
}

}  // namespace

void add_steps(const LeafSteps& steps, double* scores, std::int64_t n, int threads) {
    for_runs(n, threads,
             [&](std::int64_t first, std::int64_t last) { step_rows(steps, scores, first, last); });
}

void log_loss_pairs(const Vector<std::int32_t>& y, const double* w, const LeafSteps& steps, double* scores,
                    const LossPairs& out, int threads, double smallest) {
    for_runs(y.size, threads, [&](std::int64_t first, std::int64_t last) {
        step_rows(steps, scores, first, last);
        log_loss_run(y.data + first, w ? w + first : nullptr, scores + first, last - first, smallest,
                     out.sum + first, out.weight + first);
    });
}

void squared_error_pairs(const Vector<double>& y, const double* w, const LeafSteps& steps, double* scores,
                         const LossPairs& out, int threads) {
    for_runs(y.size, threads, [&](std::int64_t first, std::int64_t last) {
        step_rows(steps, scores, first, last);
        squared_error_run(y.data + first, w ? w + first : nullptr, scores + first, last - first,
                          out.sum + first, out.weight + first);
    });
}

void softmax_norms(const Matrix<double>& scores, const SoftmaxNorms& out, int threads) {
    for_runs(scores.cols, threads, [&](std::int64_t first, std::int64_t last) {
        norms_run(scores.data + first, scores.rows, scores.cols, last - first, out.top + first,
                  out.all + first);
    });
}

void softmax_pairs(const Vector<std::int32_t>& y, const double* w, const SoftmaxClass& of,
                   const LossPairs& out, int threads, double smallest) {
    for_runs(y.size, threads, [&](std::int64_t first, std::int64_t last) {
        softmax_run(y.data + first, w ? w + first : nullptr, of, first, last - first, smallest,
                    out.sum + first, out.weight + first);
    });
}

}  // namespace hornbook
