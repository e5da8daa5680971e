#pragma once

#include "core/interchange/python/language/arguments.h"
#include "core/interchange/python/language/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// A value as str() writes it, or as format() does with a specification like ".3f" or "02d"; "!r" is how
/// repr() writes it. Nothing for values without a known text and for specifications that are not known.
[[nodiscard]] std::optional<std::string> formatValue(const PythonValue& value,
                                                     std::string_view specification);
/// "%d of %s" % values. Nothing as above, and where the values are too few.
[[nodiscard]] std::optional<std::string> formatByPercent(const std::string& text, const PythonValue& values);
/// "{} of {name:02d}".format(…). Nothing as above.
[[nodiscard]] std::optional<std::string> formatByBraces(const std::string& text,
                                                        const PythonArguments& arguments);

} // namespace core
