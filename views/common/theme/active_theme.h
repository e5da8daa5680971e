#pragma once

#include "views/common/theme/widget_theme.h"

namespace views {

/// The theme of the application, for parts that have no widget at hand.
[[nodiscard]] inline const Theme& activeTheme() {
    return themeOf(nullptr);
}

} // namespace views
