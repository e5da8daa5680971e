#pragma once

#include "views/common/theme/theme.h"

#include <span>

namespace views {

/// One row of the theme file. Values are 0xRRGGBB, or 0xAARRGGBB where alpha is not 0.
struct RoleColors {
    Role role;
    std::uint32_t light;
    std::uint32_t dark;
    std::uint32_t highContrast;
};

struct StageColors {
    const char* name;
    std::uint32_t light;
    std::uint32_t dark;
    HatchPattern hatch;
};

struct ActivityColors {
    Activity activity;
    const char* name;
    std::uint32_t light;
    std::uint32_t dark;
};

struct CategoryColors {
    core::MemoryCategory category;
    std::uint32_t light;
    std::uint32_t dark;
};

[[nodiscard]] std::span<const RoleColors> roleTable();
[[nodiscard]] std::span<const StageColors> stageTable();
[[nodiscard]] std::span<const ActivityColors> activityTable();
[[nodiscard]] std::span<const CategoryColors> categoryTable();

} // namespace views
