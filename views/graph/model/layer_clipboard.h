#pragma once

#include "core/model/edit/copied_layers.h"

#include <vector>

namespace views {

void putOnClipboard(const std::vector<core::CopiedLayer>& layers);
/// Empty when the clipboard holds something else.
[[nodiscard]] std::vector<core::CopiedLayer> layersOnClipboard();

} // namespace views
