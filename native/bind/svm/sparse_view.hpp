// The arrays of a sparse matrix as a table.
#pragma once

#include "bind/convert.hpp"
#include "core/base/refuse.hpp"
#include "core/svm/table_rows.hpp"

namespace hornbook {

inline TableRows sparse_view(const Array1<double>& stored, const Array1<std::int32_t>& columns,
                             const Array1<std::int64_t>& offsets, std::int64_t n_columns) {
    const Vector<double> x = view(stored, "stored");
    const Vector<std::int32_t> names = view(columns, "columns");
    const Vector<std::int64_t> cuts = view(offsets, "offsets");
    if (cuts.size == 0 || names.size != x.size || n_columns < 0)
        refuse("sparse rows need offsets, and a column for each stored value.");
    constexpr std::int64_t most_columns = std::int64_t{1} << 31;  // that 32-bit indices can name
    if (n_columns > most_columns)
        refuse("sparse rows have at most ", most_columns, " columns; got ", n_columns, ".");
    return {cuts.size - 1, n_columns, x.data, names.data, cuts.data};
}

}  // namespace hornbook
