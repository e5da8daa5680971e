#pragma once

#include <string>
#include <string_view>

namespace core {

/// Text from outside as the content of an element or the value of an attribute in XML and HTML: visible (see
/// `visibleText`), with &, <, > and both quotes as entities.
[[nodiscard]] std::string markupText(std::string_view text);

} // namespace core
