#pragma once

#include "core/project/project.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What is left of a project without the layers whose shapes cannot be known.
struct SoundPart {
    /// What nobody reads any more is an output of its model; stages stay with their layers.
    Project project;
    /// Names of the layers of the outermost model that are left out.
    std::vector<std::string> leftOut;
};

/// The part of a project that can be planned while a layer is not connected or refuses its inputs: without
/// that layer and all that follows it. Nothing where every shape is known, where none is, and where the
/// structure of the model is broken.
[[nodiscard]] std::optional<SoundPart> soundPart(const Project& project);

} // namespace core
