// Partition of the rows of a node among its children.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/node.hpp"

namespace hornbook {

// Owner of rows.
struct RowStore {
    std::vector<std::int32_t> row, label;
    std::vector<std::uint64_t> pair;
    std::vector<double> weight, sum;

    Rows view() {
        return {row.data(),
                pair.empty() ? nullptr : pair.data(),
                label.empty() ? nullptr : label.data(),
                weight.empty() ? nullptr : weight.data(),
                sum.empty() ? nullptr : sum.data(),
                static_cast<std::int64_t>(row.size())};
    }
};

struct ChildRows {
    Rows rows{};
    std::shared_ptr<RowStore> store;  // keeps the rows alive; null where the caller of the grower does
    double share = 0.0;  // of the weight; of the rows with a value, when others go to all children
};

// Memory of a partition, reused.
struct PartitionBuffers {
    std::vector<std::int32_t> child, row, label, child_of_code;
    std::vector<std::uint64_t> pair;
    std::vector<double> weight, sum;
    std::vector<ChildRows> parts;
};

std::int64_t child_count(const Split& split);

// Sorts the rows by child, in place and in order. Under `fractional`, rows that lack the value go to every
// child, their weight (and, if `scale_sum`, their sum) times the child's share of the others; the children
// then have rows of their own. Sets the codes next to a threshold, and fills buffers.parts.
void partition(const CodedColumn& column, Split& split, const Rows& rows,
               const std::shared_ptr<RowStore>& store, bool fractional, bool scale_sum,
               PartitionBuffers& buffers);

}  // namespace hornbook
