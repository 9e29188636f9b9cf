// Kernels of networks: those with threads of their own, and those that are called for many chunks at once.

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/network/epoch.hpp"
#include "core/network/kalman.hpp"
#include "core/network/layers.hpp"
#include "core/network/lvq.hpp"
#include "core/network/passes.hpp"
#include "core/network/rls.hpp"
#include "tests/native/race.hpp"

namespace race {

namespace {

using hornbook::EpochOptions;
using hornbook::Layers;
using hornbook::Matrix;

constexpr std::int64_t rows = 600;
constexpr std::int64_t cols = 20;

Layers layers_of(std::int64_t hidden) {
    const std::vector<std::int64_t> sizes{cols, hidden, 2};
    const std::vector<std::int32_t> kinds{2, 1, 0};  // tanh, logistic, squared error
    const std::vector<double> numbers{1.0, 1.0, 1.0, 1.0};
    return hornbook::checked_layers({sizes.data(), 3}, {kinds.data(), 3}, {numbers.data(), 4});
}

// Rows with targets, and weights to begin with.
struct Work {
    explicit Work(std::int64_t hidden) : layers(layers_of(hidden)) {
        std::iota(turns.begin(), turns.end(), 0);
        start = uniform(layers.parameters, 61);
        for (double& weight : start) weight = 0.2 * (weight - 0.5);
    }

    Matrix<double> x() const { return {numbers.data(), rows, cols}; }
    Matrix<double> targets() const { return {truth.data(), rows, 2}; }

    Layers layers;
    std::vector<double> numbers = uniform(rows * cols, 62), truth = uniform(rows * 2, 63), start;
    std::vector<std::int64_t> turns = std::vector<std::int64_t>(rows);
};

Buffer<double> trained(const Work& work, std::int64_t batch, bool single, int threads) {
    std::vector<double> theta = work.start, first(theta.size()), second(theta.size());
    EpochOptions options{};
    options.step = {hornbook::Rule::adam, hornbook::Penalty::squares, 0.01, 0.9, 0.999, 1e-8, 1.0, 0.0, 1.0};
    options.alpha = 0.001;
    options.mean = true;
    options.batch = batch;
    const Matrix<double> x = work.x(), targets = work.targets();
    hornbook::Epochs out = hornbook::network_epochs(
        work.layers, {x, targets, nullptr}, {work.turns.data(), 3, rows / 3}, options,
        {theta.data(), first.data(), second.data(), nullptr}, single, threads);
    return std::move(out.theta);
}

void training_agrees(int threads) {
    const Work wide(400), small(8);
    for (const bool single : {false, true})
        require(same(trained(wide, 200, single, 1), trained(wide, 200, single, threads)),
                "network_epochs depends on the threads");
    at_once(threads, [&] { return trained(small, 1, false, 1); }, "rows one by one meet another call");
    const auto filtered = [&] {
        std::vector<double> theta = small.start;
        const auto n = static_cast<std::int64_t>(theta.size());
        Buffer<double> covariance(n, n, 0.0);
        for (std::int64_t i = 0; i < n; ++i) covariance[i * n + i] = 1.0;
        hornbook::network_kalman(small.layers, small.x(), small.targets(), nullptr, {small.turns.data(), 20},
                                 1.0, 0.0, theta.data(), covariance.data());
        return covariance;
    };
    at_once(threads, filtered, "network_kalman meets another call");
}

void sums_agree(int threads) {
    const Work work(50);
    const hornbook::Vector<double> theta{work.start.data(), work.layers.parameters};
    const auto outputs = [&](int team) {
        return hornbook::network_outputs(work.layers, work.x(), theta, false, team);
    };
    require(same(outputs(1), outputs(threads)), "network_outputs depends on the threads");
    const auto gradient = [&] {
        return hornbook::network_gradient(work.layers, work.x(), work.targets(), nullptr, theta).gradient;
    };
    at_once(threads, gradient, "network_gradient meets another call");
    const auto jacobian = [&] {
        return hornbook::network_jacobian(work.layers, {work.numbers.data(), 20, cols}, theta).jacobian;
    };
    at_once(threads, jacobian, "network_jacobian meets another call");
}

void passes_agree(int threads) {
    const Work work(4);
    std::vector<std::int32_t> y, classes{0, 0, 1, 1};
    for (std::int64_t i = 0; i < rows; ++i) y.push_back(static_cast<std::int32_t>(i % 2));
    for (const auto rule : {hornbook::LvqRule::lvq1, hornbook::LvqRule::lvq3, hornbook::LvqRule::glvq}) {
        const auto moved = [&] {
            return hornbook::lvq_pass(work.x(), {y.data(), rows}, nullptr, {work.turns.data(), rows},
                                      {work.numbers.data(), 4, cols}, {classes.data(), 4},
                                      {rule, 0.1, 0.3, 0.2, 2.0});
        };
        at_once(threads, moved, "lvq_pass meets another call");
    }
    const std::vector<double> factor(cols * cols, 0.0), none(cols * 2, 0.0);
    const auto rotated = [&] {
        return hornbook::rls_pass(work.x(), work.targets(), nullptr, {factor.data(), cols, cols},
                                  {none.data(), cols, 2})
            .factor;
    };
    at_once(threads, rotated, "rls_pass meets another call");
}

}  // namespace

void networks_agree(int threads) {
    training_agrees(threads);
    sums_agree(threads);
    passes_agree(threads);
}

}  // namespace race
