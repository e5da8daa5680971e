#pragma once

#include "core/project/project.h"

#include <map>
#include <optional>
#include <span>
#include <string>

namespace core {

/// What a layer was before it was bypassed. In the model stands an Activation "linear" in its place, under
/// its name and on its stage, so that whatever takes the model takes what the layer reads for what it gives.
struct MutedLayer {
    std::string className;
    Json config;
    Json extra;
    /// Keyword arguments of its calls, in their order.
    Json arguments = Json::array();
};

/// As the project keeps it; nothing for anything else.
[[nodiscard]] Json mutedToJson(const MutedLayer& layer);
[[nodiscard]] std::optional<MutedLayer> mutedFromJson(const Json& entry);

/// Layers of the outermost model that are bypassed, by name: "muted" of the canvas section.
[[nodiscard]] std::map<std::string, MutedLayer> mutedLayers(const Project& project);

/// Bypasses these layers (paths), or puts them back. Errors: "edit/bypass" for a layer that has no one tensor
/// to pass on, and where what reads it could not take that; "edit/restore" where one cannot come back.
[[nodiscard]] Result<Project> withMuted(const Project& project, std::span<const std::string> layers,
                                        bool isMuted);

/// The project after bypassed layers were copied: the copies, by their names, are bypassed as well.
[[nodiscard]] Project withMutedCopies(Project project, const std::map<std::string, MutedLayer>& copies);

} // namespace core
