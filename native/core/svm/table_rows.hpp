// Tables as support vector machines read them: numbers of all cells, or only those that are stored.
#pragma once

#include <cstdint>

#include "core/base/arrays.hpp"

namespace hornbook {

// Rows of a matrix, or the stored numbers of a sparse one: row i has those at offsets[i] to offsets[i + 1].
struct TableRows {
    std::int64_t rows;
    std::int64_t cols;
    const double* values;
    const std::int32_t* columns = nullptr;  // null for a matrix
    const std::int64_t* offsets = nullptr;  // null for a matrix

    bool sparse() const { return offsets != nullptr; }
    const double* row(std::int64_t i) const { return values + i * cols; }  // of a matrix
};

inline TableRows table_rows(const Matrix<double>& matrix) { return {matrix.rows, matrix.cols, matrix.data}; }

// Refuses offsets and columns that lie outside.
void check_table(const TableRows& table, std::int64_t n_values);

}  // namespace hornbook
