#pragma once

#include "core/model/shape.h"
#include "views/common/widgets/search_popup.h"

#include <optional>

namespace views {

/// Every layer class for a search; with a tensor, only those that take it as their one input with the
/// attributes of a new layer.
[[nodiscard]] std::vector<SearchEntry> layerEntries(const std::optional<core::TensorSpec>& tensor = {});

} // namespace views
