// A tree as the list of its edges in depth-first order, each with what contributions need of its path.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tree/predict/prediction.hpp"

namespace hornbook {

// How a row with a value takes an edge.
enum class Test : std::uint8_t { above, not_above, listed, not_listed, equal };

// From a node to a child, or, for rows whose level has no branch, to the end of their path in the node.
struct Edge {
    std::int32_t depth;   // 1 below the root
    std::int32_t before;  // depth of the next edge above that asks about the same column; 0 if there is none
    std::int32_t column;
    std::int32_t answer;  // row of the value at the end of the path; -1 if the path goes on
    double share;         // part of the node's training weight
    double rest;          // product of the shares of the column's edges down to this one,
    double rest_before;   // and of those above it
    Test test;
    bool takes_missing;
    double part;               // of a row without a value that goes everywhere; -1 if it does not
    double cut;                // threshold or level
    std::int32_t node;         // whose levels are listed
    std::int32_t first, many;  // words that say which levels are; none if the list itself is searched
};

class PathEdges {
  public:
    // `cover` is the training weight of each row of `value`; only those of leaves are read.
    PathEdges(const TreeArrays& trees, const Matrix<double>& value, const Vector<double>& cover,
              const TreeRows& rows)
        : trees_(trees), value_(value), cover_(cover), rows_(rows), last_(rows.place.size, 0) {}

    // Lists the tree of nodes begin, ..., end - 1 in place of the previous one, and rejects invalid nodes.
    void list(std::int64_t begin, std::int64_t end);

    const std::vector<Edge>& edges() const { return edges_; }
    std::int32_t depth() const { return depth_; }      // of the deepest edge
    std::int32_t columns() const { return columns_; }  // most that one path asks about
    // Mean prediction over the training weights.
    const std::vector<double>& mean() const { return mean_; }
    bool is_listed(const Edge& edge, std::int32_t level) const;

  private:
    struct Step {
        std::int32_t node, next, children;
        double reach;  // part of the training weight
    };

    void weigh(std::int64_t begin, std::int64_t end);
    Edge edge_to(const Step& step, std::int32_t child, std::int32_t depth) const;
    void set_test(Edge& edge, std::int32_t node, std::int32_t child) const;
    void add_levels(Edge& edge);
    void end_path(const Edge& edge, double reach);

    const TreeArrays& trees_;
    const Matrix<double>& value_;
    const Vector<double>& cover_;
    const TreeRows& rows_;
    std::vector<Edge> edges_;
    std::vector<double> weight_, share_, mean_, rest_;
    std::vector<std::int32_t> last_;  // depth of the last edge of each column on the current path; 0 if none
    std::vector<std::uint64_t> words_;
    std::int64_t begin_ = 0;
    std::int32_t depth_ = 0, columns_ = 0;
};

}  // namespace hornbook
