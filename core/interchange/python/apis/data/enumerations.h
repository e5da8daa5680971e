#pragma once

#include "core/interchange/python/language/value.h"

#include <optional>
#include <string>

namespace core {

/// The members of an enumeration of the IPU extensions in their order, by its full name; nothing: it is none.
/// Source: the documentation of `tensorflow.python.ipu`.
[[nodiscard]] std::optional<PythonValues> enumerationMembers(const std::string& path);
/// `name` of a member, by the member's full name; nothing: it is none.
[[nodiscard]] std::optional<std::string> enumerationMemberName(const std::string& path);

} // namespace core
