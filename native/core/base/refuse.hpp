// How kernels reject input: one sentence, thrown as std::invalid_argument (ValueError in Python).
#pragma once

#include <sstream>
#include <stdexcept>

namespace hornbook {

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
    std::ostringstream sentence;
    (sentence << ... << parts);
    throw std::invalid_argument(sentence.str());
}

}  // namespace hornbook
