#include "core/cluster/graph_linkage.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/stop.hpp"

namespace hornbook {

namespace {

using Neighbors = std::unordered_map<std::int64_t, double>;
using Edge = std::tuple<double, std::int64_t, std::int64_t>;  // height, lower and higher node

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

// The distance of a merged cluster to a neighbor by the distances of its parts.
class ByDistance {
  public:
    ByDistance(const Vector<double>& masses, Linkage linkage)
        : masses_(masses.data, masses.data + masses.size), linkage_(linkage) {}

    void merge(std::int64_t one, std::int64_t other) {
        masses_.push_back(masses_[at(one)] + masses_[at(other)]);
        one_ = masses_[at(one)];
        other_ = masses_[at(other)];
    }
    double of_both(double one, double other) const {
        if (linkage_ == Linkage::single) return std::min(one, other);
        if (linkage_ == Linkage::complete) return std::max(one, other);
        return (one_ * one + other_ * other) / (one_ + other_);
    }
    double final(std::int64_t, std::int64_t, double distance) const { return distance; }

  private:
    std::vector<double> masses_;
    Linkage linkage_;
    double one_ = 0.0, other_ = 0.0;
};

// The same by the means of the clusters.
class ByMeans {
  public:
    ByMeans(const Matrix<double>& rows, const Vector<double>& masses)
        : cols_(rows.cols), masses_(masses.data, masses.data + masses.size) {
        means_.reserve(at(checked_product(2 * rows.rows, rows.cols)));
        means_.assign(rows.data, rows.data + rows.rows * rows.cols);
    }

    void merge(std::int64_t one, std::int64_t other) {
        const double a = masses_[at(one)], b = masses_[at(other)];
        masses_.push_back(a + b);
        for (std::int64_t j = 0; j < cols_; ++j) {
            const double x = means_[at(one * cols_ + j)], y = means_[at(other * cols_ + j)];
            means_.push_back(x + (y - x) * (b / (a + b)));
        }
    }
    double of_both(double one, double) const { return one; }
    double final(std::int64_t one, std::int64_t other, double) const {
        double sum = 0.0;
        for (std::int64_t j = 0; j < cols_; ++j) {
            const double gap = means_[at(one * cols_ + j)] - means_[at(other * cols_ + j)];
            sum += gap * gap;
        }
        const double a = masses_[at(one)], b = masses_[at(other)];
        const double height = std::sqrt(2.0 * (a / (a + b)) * b * sum);
        return std::isnan(height) ? std::numeric_limits<double>::infinity() : height;  // numbers overflowed
    }

  private:
    std::int64_t cols_;
    std::vector<double> means_;
    std::vector<double> masses_;
};

template <class Rule>
class Graph {
  public:
    Graph(Rule& rule, const Matrix<std::int64_t>& edges, const double* distances, std::int64_t n)
        : rule_(rule), n_(n), neighbors_(at(2 * n - 1)) {
        for (std::int64_t e = 0; e < edges.rows; ++e) {
            const auto [one, other] = std::minmax(edges.row(e)[0], edges.row(e)[1]);
            if (one == other || neighbors_[at(one)].contains(other)) continue;
            link(one, other, rule_.final(one, other, distances == nullptr ? 0.0 : distances[e]));
        }
    }

    MergeTree merged() {
        MergeTree tree{Buffer<std::int64_t>(n_ - 1, 2), Buffer<double>(n_ - 1)};
        for (std::int64_t i = 0; i < n_ - 1; ++i) {
            const auto [height, one, other] = next();
            tree.children[2 * i] = one;
            tree.children[2 * i + 1] = other;
            tree.heights[i] = height;
            merge(one, other, n_ + i);
        }
        return tree;
    }

  private:
    void link(std::int64_t lower, std::int64_t higher, double height) {
        neighbors_[at(lower)][higher] = height;
        neighbors_[at(higher)][lower] = height;
        waiting_.emplace(height, lower, higher);
    }

    // The nearest neighbors, the lowest of equally near ones.
    Edge next() {
        while (!waiting_.empty()) {
            const Edge edge = waiting_.top();
            waiting_.pop();
            pace_.spend(16);
            const Neighbors& around = neighbors_[at(std::get<1>(edge))];
            if (around.contains(std::get<2>(edge))) return edge;  // else one of them is merged already
        }
        refuse("edges must connect all rows.");
    }

    void merge(std::int64_t one, std::int64_t other, std::int64_t node) {
        rule_.merge(one, other);
        Neighbors around = std::exchange(neighbors_[at(one)], {});
        const Neighbors more = std::exchange(neighbors_[at(other)], {});
        around.erase(other);
        for (const auto& [neighbor, distance] : more) {
            if (neighbor == one) continue;
            const auto [place, is_new] = around.try_emplace(neighbor, distance);
            if (!is_new) place->second = rule_.of_both(place->second, distance);
            neighbors_[at(neighbor)].erase(other);
        }
        for (const auto& [neighbor, distance] : around) {
            pace_.spend(64);
            neighbors_[at(neighbor)].erase(one);
            link(neighbor, node, rule_.final(neighbor, node, distance));
        }
    }

    Rule& rule_;
    std::int64_t n_;
    std::vector<Neighbors> neighbors_;
    std::priority_queue<Edge, std::vector<Edge>, std::greater<>> waiting_;
    Pace pace_;
};

void check_graph(const Matrix<std::int64_t>& edges, const Vector<double>& masses) {
    const std::int64_t n = masses.size;
    check_masses(masses, n);
    if (n < 1) refuse("there must be at least one row.");
    if (edges.cols != 2) refuse("edges must have two columns; they have ", edges.cols, ".");
    for (std::int64_t i = 0; i < 2 * edges.rows; ++i)
        if (edges.data[i] < 0 || edges.data[i] >= n)
            refuse("edges must be of rows from 0 to ", n - 1, "; edge ", i / 2, " has row ", edges.data[i],
                   ".");
}

}  // namespace

MergeTree linkage_graph(const Matrix<std::int64_t>& edges, const Vector<double>& distances,
                        const Vector<double>& masses, Linkage linkage) {
    check_graph(edges, masses);
    if (distances.size != edges.rows)
        refuse("distances must have one entry per edge; they have ", distances.size, " for ", edges.rows,
               ".");
    for (std::int64_t i = 0; i < distances.size; ++i)
        if (std::isnan(distances.data[i])) refuse("distances must not be missing; that of edge ", i, " is.");
    ByDistance rule(masses, linkage);
    return Graph(rule, edges, distances.data, masses.size).merged();
}

MergeTree linkage_graph_ward(const Matrix<double>& rows, const Matrix<std::int64_t>& edges,
                             const Vector<double>& masses) {
    check_graph(edges, masses);
    if (rows.rows != masses.size)
        refuse("masses must have one entry per row; they have ", masses.size, " for ", rows.rows, ".");
    for (std::int64_t i = 0; i < rows.rows * rows.cols; ++i)
        if (!std::isfinite(rows.data[i])) refuse("rows must be finite; row ", i / rows.cols, " is not.");
    ByMeans rule(rows, masses);
    return Graph(rule, edges, nullptr, masses.size).merged();
}

}  // namespace hornbook
