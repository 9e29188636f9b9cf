#include "core/network/step.hpp"

#include <cmath>

#include "core/base/simd.hpp"

namespace hornbook {

namespace {

// The gradient of the objective; returns the sum of the penalties.
template <class T>
__attribute__((always_inline)) inline double whole_gradient(const StepOptions& o, bool penalized,
                                                            const T* gradient, const std::uint8_t* mask,
                                                            const T* theta, T* out, std::int64_t n) {
    const T scale = static_cast<T>(o.scale), decay = static_cast<T>(o.decay);
    const T square = static_cast<T>(o.width * o.width);
    double penalty = 0.0;
    const Penalty kind = penalized ? o.penalty : Penalty::none;
    if (kind == Penalty::none) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = scale * gradient[i];
    } else if (kind == Penalty::elimination) {
        for (std::int64_t i = 0; i < n; ++i) {
            const T w = theta[i], below = square + w * w;
            penalty += static_cast<double>(w * w / below);
            out[i] = scale * gradient[i] + decay * (T{2} * w * square / (below * below));
        }
    } else {
        const T factor = kind == Penalty::squares ? decay : T{2} * decay;
        double sums[lanes] = {};
        std::int64_t i = 0;
        for (; i + lanes <= n; i += lanes)
            for (std::int64_t j = 0; j < lanes; ++j)
                sums[j] += static_cast<double>(theta[i + j]) * static_cast<double>(theta[i + j]);
        for (; i < n; ++i) sums[0] += static_cast<double>(theta[i]) * static_cast<double>(theta[i]);
        for (const double sum : sums) penalty += sum;
        if (kind == Penalty::squares) penalty *= 0.5;
        for (i = 0; i < n; ++i) out[i] = scale * gradient[i] + factor * theta[i];
    }
    for (std::int64_t i = 0; mask != nullptr && i < n; ++i)
        if (mask[i] == 0) out[i] = T{0};
    return penalty;
}

constexpr std::int64_t run = 512;

template <class T>
__attribute__((always_inline)) inline double step(const StepOptions& o, bool penalized, const T* gradient,
                                                  const std::uint8_t* mask, T* theta, T* first, T* second,
                                                  std::int64_t n) {
    const T rate = static_cast<T>(o.rate), keep = static_cast<T>(o.momentum);
    const T keep_square = static_cast<T>(o.second), epsilon = static_cast<T>(o.epsilon);
    double penalty = 0.0;
    T g[run];
    for (std::int64_t begin = 0; begin < n; begin += run) {
        const std::int64_t count = n - begin < run ? n - begin : run;
        T* w = theta + begin;
        T* m = first + begin;
        T* v = second + begin;
        penalty += whole_gradient(o, penalized, gradient + begin, mask == nullptr ? nullptr : mask + begin, w,
                                  g, count);
        switch (o.rule) {
            case Rule::gradient:
                for (std::int64_t i = 0; i < count; ++i) w[i] -= rate * g[i];
                break;
            case Rule::momentum:
                for (std::int64_t i = 0; i < count; ++i) {
                    m[i] = keep * m[i] - rate * g[i];
                    w[i] += m[i];
                }
                break;
            case Rule::nesterov:
                for (std::int64_t i = 0; i < count; ++i) {
                    m[i] = keep * m[i] - rate * g[i];
                    w[i] += keep * m[i] - rate * g[i];
                }
                break;
            case Rule::adam:
                for (std::int64_t i = 0; i < count; ++i) {
                    m[i] = keep * m[i] + (T{1} - keep) * g[i];
                    v[i] = keep_square * v[i] + (T{1} - keep_square) * (g[i] * g[i]);
                    w[i] -= rate * m[i] / (std::sqrt(v[i]) + epsilon);
                }
        }
    }
    return penalty;
}

HORNBOOK_WIDE double wide_step(const StepOptions& o, bool penalized, const double* gradient,
                               const std::uint8_t* mask, double* theta, double* first, double* second,
                               std::int64_t n) {
    return step(o, penalized, gradient, mask, theta, first, second, n);
}

HORNBOOK_WIDE double wide_step(const StepOptions& o, bool penalized, const float* gradient,
                               const std::uint8_t* mask, float* theta, float* first, float* second,
                               std::int64_t n) {
    return step(o, penalized, gradient, mask, theta, first, second, n);
}

}  // namespace

template <class T>
double take_step(const StepOptions& options, bool penalized, const T* gradient, const std::uint8_t* mask,
                 T* theta, T* first, T* second, std::int64_t n) {
    return wide_step(options, penalized, gradient, mask, theta, first, second, n);
}

template double take_step<double>(const StepOptions&, bool, const double*, const std::uint8_t*, double*,
                                  double*, double*, std::int64_t);
template double take_step<float>(const StepOptions&, bool, const float*, const std::uint8_t*, float*, float*,
                                 float*, std::int64_t);

}  // namespace hornbook
