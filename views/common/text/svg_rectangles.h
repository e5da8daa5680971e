#pragma once

#include <string>
#include <string_view>

namespace views {

/// The same picture with the plain rectangles of each colour that follow one another as one shape.
/// QSvgGenerator writes a group of its own around each of them, which makes a timeline of many spans tens of
/// megabytes.
[[nodiscard]] std::string withJoinedRectangles(std::string_view svg);

} // namespace views
