#include "core/tree/contributions/path_walk.hpp"

#include <iterator>
#include <type_traits>

#include "core/base/refuse.hpp"

// Functions that return lanes are always inlined, so that how they would be passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace hornbook {

namespace {

typedef std::int64_t LaneMask __attribute__((vector_size(64), may_alias));

constexpr int kinds = 4;  // of factors of an edge and a point

[[gnu::always_inline]] inline Lanes all(double number) { return Lanes{} + number; }
[[gnu::always_inline]] inline Lanes choose(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
    return mask ? yes : no;
}

[[gnu::noinline]] void find_listed(const PathEdges& tree, const Edge& edge, const double* cells,
                                   std::int64_t* mask) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const double code = cells[lane];
        mask[lane] = code == code && tree.is_listed(edge, static_cast<std::int32_t>(code)) ? -1 : 0;
    }
}

// Which rows with a value take the edge.
[[gnu::always_inline]] inline LaneMask takes(const PathEdges& tree, const Edge& edge, const Lanes& cells) {
    switch (edge.test) {
        case Test::above:
            return cells > edge.cut;
        case Test::not_above:
            return ~(cells > edge.cut);
        case Test::equal:
            return cells == edge.cut;
        default: {
            LaneMask mask;
            find_listed(tree, edge, reinterpret_cast<const double*>(&cells),
                        reinterpret_cast<std::int64_t*>(&mask));
            return edge.test == Test::listed ? mask : ~mask;
        }
    }
}

// Rows take an edge or not: o is 1 or 0, and all factors are known in advance.
template <int Q>
class WholeRows {
  public:
    [[gnu::always_inline]] static void start(Lanes* held) {
        reinterpret_cast<LaneMask*>(held)[0] = ~LaneMask{};
    }
    [[gnu::always_inline]] WholeRows(const WalkTree& walk, std::int64_t i, const Lanes* held)
        : edge_(walk.tree.edges()[i]),
          factors_(walk.factors + i * kinds * Q),
          before_(reinterpret_cast<const LaneMask*>(held)[edge_.before]) {}

    [[gnu::always_inline]] void enter(const PathEdges& tree, const Lanes* cells, Lanes* held) {
        const LaneMask missing = cells[edge_.column] != cells[edge_.column];
        const LaneMask taken = takes(tree, edge_, cells[edge_.column]);
        now_ = before_ & (edge_.takes_missing ? taken | missing : taken & ~missing);
        reinterpret_cast<LaneMask*>(held)[edge_.depth] = now_;
    }
    [[gnu::always_inline]] void enter_again(const Lanes* held) {
        now_ = reinterpret_cast<const LaneMask*>(held)[edge_.depth];
    }
    [[gnu::always_inline]] Lanes passed(int q) const {
        return choose(now_, all(factors_[q]), choose(before_, all(factors_[Q + q]), all(edge_.share)));
    }
    [[gnu::always_inline]] Lanes slope(int q) const {
        return choose(now_, all(factors_[2 * Q + q]), choose(before_, all(factors_[3 * Q + q]), Lanes{}));
    }

  private:
    const Edge& edge_;
    const double* factors_;
    LaneMask before_, now_;
};

// Rows without a value may go everywhere in parts.
template <int Q>
class RowParts {
  public:
    [[gnu::always_inline]] static void start(Lanes* held) { held[0] = all(1.0); }
    [[gnu::always_inline]] RowParts(const WalkTree& walk, std::int64_t i, const Lanes* held)
        : edge_(walk.tree.edges()[i]), point_(walk.point), before_(held[edge_.before]) {}

    [[gnu::always_inline]] void enter(const PathEdges& tree, const Lanes* cells, Lanes* held) {
        const LaneMask missing = cells[edge_.column] != cells[edge_.column];
        const double alone = edge_.part >= 0.0 ? edge_.part : edge_.takes_missing ? 1.0 : 0.0;
        const LaneMask taken = takes(tree, edge_, cells[edge_.column]);
        now_ = before_ * choose(missing, all(alone), choose(taken, all(1.0), Lanes{}));
        held[edge_.depth] = now_;
    }
    [[gnu::always_inline]] void enter_again(const Lanes* held) { now_ = held[edge_.depth]; }
    [[gnu::always_inline]] Lanes passed(int q) const {
        return mean(now_, edge_.rest, q) * inverse(mean(before_, edge_.rest_before, q));
    }
    [[gnu::always_inline]] Lanes slope(int q) const {
        return (now_ - edge_.rest) * inverse(mean(now_, edge_.rest, q)) -
               (before_ - edge_.rest_before) * inverse(mean(before_, edge_.rest_before, q));
    }

  private:
    [[gnu::always_inline]] Lanes mean(const Lanes& o, double z, int q) const {
        return (1.0 - point_[q]) * z + point_[q] * o;
    }
    // Where nothing passes, nothing is divided.
    [[gnu::always_inline]] static Lanes inverse(const Lanes& f) {
        return choose(f > 0.0, 1.0 / choose(f > 0.0, f, all(1.0)), Lanes{});
    }

    const Edge& edge_;
    const double* point_;
    Lanes before_, now_;
};

// One walk down all paths of a tree and back.
template <class Rows, int Q, bool Pairs>
class Walk {
  public:
    [[gnu::always_inline]] Walk(const WalkTree& walk, const Lanes* cells, PathMemory& memory,
                                const WalkSums& sums)
        : walk_(walk),
          edges_(walk.tree.edges().data()),
          many_(std::ssize(walk.tree.edges())),
          outputs_(walk.value.cols),
          cells_(cells),
          held_(memory.held()),
          passed_(memory.passed()),
          below_(memory.below()),
          slopes_(memory.slopes()),
          edge_(memory.edge()),
          slot_(memory.slot()),
          latest_(memory.latest()),
          sums_(sums) {}

    [[gnu::always_inline]] void run() {
        Rows::start(held_);
        for (int q = 0; q < Q; ++q) passed_[q] = all(walk_.weight[q]);
        clear_below(0);
        for (std::int64_t i = 0; i < many_; ++i) {
            const Edge& edge = edges_[i];
            Rows rows(walk_, i, held_);
            rows.enter(walk_.tree, cells_, held_);
            Lanes passed[Q];
            for (int q = 0; q < Q; ++q) passed[q] = passed_[(edge.depth - 1) * Q + q] * rows.passed(q);
            if (edge.answer < 0) {
                open(i, rows, passed);
                continue;
            }
            end(edge, rows, passed);
            const std::int32_t next = i + 1 < many_ ? edges_[i + 1].depth : 1;
            for (std::int32_t depth = edge.depth - 1; depth >= next; --depth) close(depth);
        }
    }

  private:
    [[gnu::always_inline]] void clear_below(std::int64_t depth) {
        for (std::int64_t k = 0; k < outputs_ * Q; ++k) below_[depth * outputs_ * Q + k] = Lanes{};
    }

    [[gnu::always_inline]] void open(std::int64_t i, const Rows& rows, const Lanes* passed) {
        const Edge& edge = edges_[i];
        const std::int64_t depth = edge.depth;
        for (int q = 0; q < Q; ++q) passed_[depth * Q + q] = passed[q];
        clear_below(depth);
        edge_[depth] = static_cast<std::int32_t>(i);
        if constexpr (Pairs) {
            for (int q = 0; q < Q; ++q) {
                const Lanes before = edge.before > 0 ? slopes_[edge.before * Q + q] : Lanes{};
                slopes_[depth * Q + q] = before + rows.slope(q);
            }
            slot_[depth] = edge.before > 0 ? slot_[edge.before] : asked_++;
            latest_[slot_[depth]] = edge.depth;
        }
    }

    // A path ends: its value counts for the last edge here, and for those above in the sums below them.
    [[gnu::always_inline]] void end(const Edge& edge, const Rows& rows, const Lanes* passed) {
        const double* value = walk_.value.row(edge.answer);
        Lanes change[Q], total{};
        for (int q = 0; q < Q; ++q) {
            change[q] = rows.slope(q) * passed[q];
            total += change[q];
        }
        Lanes* single = sums_.single + edge.column * sums_.outputs + sums_.first;
        Lanes* above = below_ + (edge.depth - 1) * outputs_ * Q;
        for (std::int64_t k = 0; k < outputs_; ++k) {
            single[k] += total * value[k];
            for (int q = 0; q < Q; ++q) above[k * Q + q] += passed[q] * value[k];
        }
        if constexpr (Pairs) {
            for (std::int32_t s = 0; s < asked_; ++s) {
                const std::int32_t other = edges_[edge_[latest_[s]]].column;
                if (other == edge.column) continue;
                Lanes both{};
                for (int q = 0; q < Q; ++q) both += change[q] * slopes_[latest_[s] * Q + q];
                Lanes* pair = pair_of(edge.column, other);
                for (std::int64_t k = 0; k < outputs_; ++k) pair[k] += both * value[k];
            }
        }
    }

    // All paths below the edge at this depth are done.
    [[gnu::always_inline]] void close(std::int64_t depth) {
        const Edge& edge = edges_[edge_[depth]];
        Rows rows(walk_, edge_[depth], held_);
        rows.enter_again(held_);
        Lanes slope[Q];
        for (int q = 0; q < Q; ++q) slope[q] = rows.slope(q);
        if constexpr (Pairs) {
            if (edge.before > 0)
                latest_[slot_[depth]] = edge.before;
            else
                --asked_;
        }
        Lanes* single = sums_.single + edge.column * sums_.outputs + sums_.first;
        for (std::int64_t k = 0; k < outputs_; ++k) {
            Lanes* below = below_ + (depth * outputs_ + k) * Q;
            Lanes* above = below - outputs_ * Q;
            Lanes total{};
            for (int q = 0; q < Q; ++q) {
                above[q] += below[q];
                below[q] *= slope[q];
                total += below[q];
            }
            single[k] += total;
            if constexpr (Pairs) {
                for (std::int32_t s = 0; s < asked_; ++s) {
                    const std::int32_t other = edges_[edge_[latest_[s]]].column;
                    if (other == edge.column) continue;
                    Lanes both{};
                    for (int q = 0; q < Q; ++q) both += below[q] * slopes_[latest_[s] * Q + q];
                    pair_of(edge.column, other)[k] += both;
                }
            }
        }
    }

    [[gnu::always_inline]] Lanes* pair_of(std::int64_t one, std::int64_t other) const {
        return sums_.pairs + (one * sums_.columns + other) * sums_.outputs + sums_.first;
    }

    const WalkTree& walk_;
    const Edge* edges_;
    std::int64_t many_, outputs_;
    const Lanes* cells_;
    Lanes *held_, *passed_, *below_, *slopes_;
    std::int32_t *edge_, *slot_, *latest_;
    const WalkSums& sums_;
    std::int32_t asked_ = 0;  // columns of the current path
};

template <template <int> class Rows, bool Pairs>
[[gnu::always_inline]] inline void walk_points(const WalkTree& tree, const Lanes* cells, PathMemory& memory,
                                               const WalkSums& sums) {
    if constexpr (!Pairs && std::is_same_v<Rows<1>, WholeRows<1>>) {
        if (tree.points == 1) return Walk<Rows<1>, 1, Pairs>(tree, cells, memory, sums).run();
        if (tree.points == 3) return Walk<Rows<3>, 3, Pairs>(tree, cells, memory, sums).run();
        if (tree.points == 6) return Walk<Rows<6>, 6, Pairs>(tree, cells, memory, sums).run();
    }
    if (tree.points == 2) return Walk<Rows<2>, 2, Pairs>(tree, cells, memory, sums).run();
    if (tree.points == 4) return Walk<Rows<4>, 4, Pairs>(tree, cells, memory, sums).run();
    return Walk<Rows<most_points>, most_points, Pairs>(tree, cells, memory, sums).run();
}

HORNBOOK_WIDE void walk_whole(const WalkTree& tree, const Lanes* cells, PathMemory& memory,
                              const WalkSums& sums) {
    walk_points<WholeRows, false>(tree, cells, memory, sums);
}

HORNBOOK_WIDE void walk_whole_pairs(const WalkTree& tree, const Lanes* cells, PathMemory& memory,
                                    const WalkSums& sums) {
    walk_points<WholeRows, true>(tree, cells, memory, sums);
}

HORNBOOK_WIDE void walk_parts(const WalkTree& tree, const Lanes* cells, PathMemory& memory,
                              const WalkSums& sums) {
    walk_points<RowParts, false>(tree, cells, memory, sums);
}

HORNBOOK_WIDE void walk_parts_pairs(const WalkTree& tree, const Lanes* cells, PathMemory& memory,
                                    const WalkSums& sums) {
    walk_points<RowParts, true>(tree, cells, memory, sums);
}

}  // namespace

void PathMemory::reserve(std::int32_t depth, std::int64_t outputs, int points) {
    constexpr std::int64_t most = std::int64_t{1} << 25;  // lanes: 2 GiB
    const std::int64_t levels = depth + 1, wide = checked_product(levels, outputs * points);
    if (wide > most)
        refuse("a tree ", depth, " levels deep with ", outputs, " outputs takes too much memory.");
    const auto grow = [](auto& memory, std::int64_t size) {
        if (memory.size() < size) memory = std::remove_reference_t<decltype(memory)>(size);
    };
    grow(held_, levels * lanes);
    grow(passed_, levels * points * lanes);
    grow(below_, wide * lanes);
    grow(slopes_, levels * points * lanes);
    grow(edge_, levels);
    grow(slot_, levels);
    grow(latest_, levels);
}

void edge_factors(const PathEdges& tree, const double* point, int points, Buffer<double>& factors) {
    const std::vector<Edge>& edges = tree.edges();
    const std::int64_t size = std::ssize(edges) * kinds * points;
    if (factors.size() < size) factors = Buffer<double>(size);
    double* factor = factors.data();
    for (const Edge& edge : edges) {
        for (int q = 0; q < points; ++q) {
            const double t = point[q], rest = 1.0 - t;
            const double before = rest * edge.rest_before + t, now = rest * edge.rest + t;
            const double slope = (1.0 - edge.rest_before) / before;
            factor[q] = now / before;
            factor[points + q] = rest * edge.rest / before;
            factor[2 * points + q] = (1.0 - edge.rest) / now - slope;
            factor[3 * points + q] = -1.0 / rest - slope;
        }
        factor += kinds * points;
    }
}

void walk_paths(const WalkTree& tree, const Lanes* cells, PathMemory& memory, const WalkSums& sums) {
    if (tree.tree.edges().empty()) return;
    if (tree.factors == nullptr)
        sums.pairs == nullptr ? walk_parts(tree, cells, memory, sums)
                              : walk_parts_pairs(tree, cells, memory, sums);
    else
        sums.pairs == nullptr ? walk_whole(tree, cells, memory, sums)
                              : walk_whole_pairs(tree, cells, memory, sums);
}

}  // namespace hornbook
