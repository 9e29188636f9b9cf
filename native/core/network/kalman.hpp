// Training as estimation: the extended Kalman filter whose state are the weights (Singhal and Wu 1989).
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"
#include "core/network/layers.hpp"

namespace hornbook {

// Takes the rows in the order given and updates the weights and their covariance (parameters x parameters) by
// each output in turn: the network is linearized at the present weights, and the error of the output is
// believed as far as its variance h'Ph + noise / w says. `drift` is added to the variance of every weight
// that has one before each row. Returns the sum of weight times cost before the updates by each row; stops
// early, with a value that is not finite, where the filter diverges.
double network_kalman(const Layers& layers, const Matrix<double>& x, const Matrix<double>& targets,
                      const Vector<double>* w, const Vector<std::int64_t>& order, double noise, double drift,
                      double* theta, double* covariance);

}  // namespace hornbook
