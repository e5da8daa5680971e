#pragma once

#include <string>
#include <string_view>

namespace app {

/// A drawing of Qt's SVG generator without what says nothing: the XML header, empty groups, attributes that
/// the outermost group has already, fonts of groups (texts name their own). The same picture.
/// Ids begin with `prefix`, so that several drawings share a document.
[[nodiscard]] std::string compactSvg(std::string_view svg, std::string_view prefix);

} // namespace app
