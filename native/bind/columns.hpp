// Arrays of a Python list as columns.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "bind/convert.hpp"
#include "core/base/gather.hpp"

namespace hornbook {

using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

inline constexpr std::pair<nb::dlpack::dtype, Element> elements[] = {
    {nb::dtype<bool>(), Element::boolean},         {nb::dtype<std::int8_t>(), Element::int8},
    {nb::dtype<std::int16_t>(), Element::int16},   {nb::dtype<std::int32_t>(), Element::int32},
    {nb::dtype<std::int64_t>(), Element::int64},   {nb::dtype<std::uint8_t>(), Element::uint8},
    {nb::dtype<std::uint16_t>(), Element::uint16}, {nb::dtype<std::uint32_t>(), Element::uint32},
    {nb::dtype<std::uint64_t>(), Element::uint64}, {nb::dtype<float>(), Element::float32},
    {nb::dtype<double>(), Element::float64},
};

[[noreturn]] inline void wrong_type(std::size_t j, const char* allowed) {
    const std::string sentence = "columns[" + std::to_string(j) + "] must be a 1-D array of " + allowed + ".";
    throw nb::type_error(sentence.c_str());
}

// The arrays behind the columns stay alive for as long as this object does.
class Columns {
  public:
    Columns(const nb::list& list, bool codes) {
        const char* allowed = codes ? "int32" : "bool, integers, float32 or float64";
        for (std::size_t j = 0; j < list.size(); ++j) {
            AnyColumn array;
            if (!nb::try_cast<AnyColumn>(list[j], array, false)) wrong_type(j, allowed);
            const auto* entry = std::find_if(std::begin(elements), std::end(elements),
                                             [&](const auto& pair) { return pair.first == array.dtype(); });
            if (entry == std::end(elements) || (codes && entry->second != Element::int32))
                wrong_type(j, allowed);
            check_aligned(array.data(), array.itemsize(), "Every column");
            views_.push_back(
                {array.data(), static_cast<std::int64_t>(array.shape(0)), array.stride(0), entry->second});
            arrays_.push_back(std::move(array));
        }
    }

    const std::vector<Column>& views() const { return views_; }

  private:
    std::vector<AnyColumn> arrays_;
    std::vector<Column> views_;
};

}  // namespace hornbook
