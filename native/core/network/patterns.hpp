// Pattern mode: passes in which every single row changes the weights of a small network.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/arrays.hpp"
#include "core/network/epoch.hpp"
#include "core/network/layers.hpp"
#include "core/stop.hpp"

namespace hornbook {

// Whether these passes are for this network and these options: rows come one by one, nothing is dropped.
bool one_by_one(const Layers& layers, const EpochOptions& options);

// The same as batches of one row. There is no product of matrices in it, so units are kept in groups of four
// that are computed together; those beyond the size of a layer have weights and outputs of 0.
class PatternPasses {
  public:
    PatternPasses(const Layers& layers, const EpochRows& rows, const EpochOptions& options,
                  const EpochState& state);

    // Sums that go on from those before.
    EpochSum run(const std::int64_t* order, std::int64_t size, EpochSum sum, Pace& pace);
    void give_weights(double* to) const { give(theta_, to); }
    void give_state() const;

  private:
    struct Layer {
        std::int64_t inputs, units, width;  // the width is that of the groups
        std::int64_t start, constants;      // where weights and constants of the units are
        std::int64_t place;                 // of outputs and deltas of the units
    };

    static std::vector<Layer> parts_of(const Layers& layers);
    std::int64_t total() const { return parts_.back().constants + parts_.back().width; }
    template <class T>
    void take(const T* from, Buffer<T>& to) const;
    void give(const Buffer<double>& from, double* to) const;
    double step(std::int64_t row, double mass, std::int64_t steps);

    const Layers& layers_;
    const EpochRows& rows_;
    const EpochOptions& options_;
    const EpochState& state_;
    std::vector<Layer> parts_;
    Buffer<double> theta_, first_, second_, gradient_;
    Buffer<std::uint8_t> mask_;
    Buffer<double> values_, deltas_;
};

}  // namespace hornbook
