// Trees for several targets at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/tree/columns/bin_mapper.hpp"
#include "core/tree/grow/options.hpp"
#include "core/tree/search/column_search.hpp"

namespace hornbook {

// One of label (a class for each row and target) and number is null. The values of a node are the class
// weights of one target after the other, or a number for each.
struct SeveralTargets {
    const std::int32_t* label = nullptr;
    const double* number = nullptr;
    std::int64_t targets = 0;           // of each row
    std::vector<std::int32_t> classes;  // of each target; empty for numbers
};

// Impurity is the mean of the impurities of the targets.
std::unique_ptr<Search> make_several_search(const CodedTable& table, const TreeOptions& options,
                                            const SeveralTargets& targets);

void check_several(std::int64_t rows, const SeveralTargets& targets, const TreeOptions& options);

}  // namespace hornbook
