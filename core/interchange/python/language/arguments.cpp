#include "core/interchange/python/language/arguments.h"

#include <algorithm>

namespace core {

const PythonValue* PythonArguments::keyword(std::string_view name) const {
    const auto found =
        std::ranges::find(keywords, name, [](const auto& entry) -> std::string_view { return entry.first; });
    return found == keywords.end() ? nullptr : &found->second;
}

const PythonValue* PythonArguments::find(std::string_view name, std::size_t position) const {
    const PythonValue* named = keyword(name);
    return named != nullptr ? named : position < list.size() ? &list[position] : nullptr;
}

const PythonValue* PythonArguments::given(std::string_view name, std::size_t position) const {
    const PythonValue* value = find(name, position);
    return value == nullptr || value->isNone() ? nullptr : value;
}

} // namespace core
