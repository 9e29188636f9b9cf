#include "core/svm/table_rows.hpp"

#include "core/base/refuse.hpp"

namespace hornbook {

void check_table(const TableRows& table, std::int64_t n_values) {
    if (!table.sparse()) return;
    if (table.offsets[0] != 0 || table.offsets[table.rows] != n_values)
        refuse("offsets must begin with 0 and end with the number of values, ", n_values, ".");
    for (std::int64_t i = 0; i < table.rows; ++i)
        if (table.offsets[i + 1] < table.offsets[i] || table.offsets[i + 1] > n_values)
            refuse("offsets must ascend; row ", i, " does not.");
    for (std::int64_t j = 0; j < n_values; ++j)
        if (table.columns[j] < 0 || table.columns[j] >= table.cols)
            refuse("column ", table.columns[j], " is not among ", table.cols, ".");
}

}  // namespace hornbook
