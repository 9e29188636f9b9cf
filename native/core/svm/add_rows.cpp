#include "core/svm/add_rows.hpp"

#include "core/base/simd.hpp"

namespace hornbook {

// Four rows at a time, so that the sums are read and written less often.
HORNBOOK_WIDE void add_rows(double* sums, const double* const* rows, const double* steps, std::int64_t n_rows,
                            std::int64_t first, std::int64_t last) {
    std::int64_t k = 0;
    for (; k + 4 <= n_rows; k += 4) {
        const double *a = rows[k], *b = rows[k + 1], *c = rows[k + 2], *d = rows[k + 3];
        const Lanes p = Lanes{} + steps[k], q = Lanes{} + steps[k + 1];
        const Lanes s = Lanes{} + steps[k + 2], t = Lanes{} + steps[k + 3];
        for (std::int64_t r = first; r < last; r += lanes) {
            auto& sum = *reinterpret_cast<Lanes*>(sums + r);
            sum += (p * *reinterpret_cast<const Lanes*>(a + r) + q * *reinterpret_cast<const Lanes*>(b + r)) +
                   (s * *reinterpret_cast<const Lanes*>(c + r) + t * *reinterpret_cast<const Lanes*>(d + r));
        }
    }
    for (; k < n_rows; ++k)
        for (std::int64_t r = first; r < last; r += lanes)
            *reinterpret_cast<Lanes*>(sums + r) += steps[k] * *reinterpret_cast<const Lanes*>(rows[k] + r);
}

}  // namespace hornbook
