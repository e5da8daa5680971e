#pragma once

#include "core/interchange/python/language/value.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// What a call is handed.
struct PythonArguments {
    PythonValues list;
    std::vector<std::pair<std::string, PythonValue>> keywords;
    PythonPlace place;

    /// Null where it is not among them.
    [[nodiscard]] const PythonValue* keyword(std::string_view name) const;
    /// By name, or by position.
    [[nodiscard]] const PythonValue* find(std::string_view name, std::size_t position) const;
    /// The same, but an argument that is None is none.
    [[nodiscard]] const PythonValue* given(std::string_view name, std::size_t position) const;
};

} // namespace core
