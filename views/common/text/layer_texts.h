#pragma once

#include "core/base/json.h"

#include <QString>
#include <string_view>

namespace views {

/// Name of the icon of a layer class, by its category and a few own drawings.
[[nodiscard]] QString layerIcon(std::string_view className);

/// The attributes of a layer that one wants to see at a glance: "7×7, 64, /2", "1000, softmax".
[[nodiscard]] QString layerAttributes(std::string_view className, const core::Json& config);

/// Element-wise after something else: normalizations, activations, dropout.
[[nodiscard]] bool isFollowerClass(std::string_view className);

} // namespace views
