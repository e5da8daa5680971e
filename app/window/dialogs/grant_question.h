#pragma once

#include "app/window/dialogs/dialogs.h"
#include "app/window/frame/window_settings.h"
#include "core/base/write_door.h"
#include "core/project/project.h"

#include <filesystem>
#include <optional>

namespace app {

/// Asks for what a run of the project would do beyond its folder and was not allowed before: for each library
/// (named with its SHA-256, by which the answer is remembered: another content is asked for again), and once
/// for the files outside of the folder. Nothing when the person says no: the run is not started.
[[nodiscard]] std::optional<core::ProjectGrants> askGrants(const core::Project& project,
                                                           const std::filesystem::path& folder,
                                                           Dialogs& dialogs, WindowSettings& settings);

} // namespace app
