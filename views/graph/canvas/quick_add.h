#pragma once

#include "core/model/shape.h"
#include "views/common/widgets/search_popup.h"
#include "views/graph/model/canvas_model.h"

#include <optional>

namespace views {

/// Every layer class for a search; with a tensor, those that take it as their one input with the attributes
/// of a new layer come first, and the others cannot be chosen and say why.
[[nodiscard]] std::vector<SearchEntry> layerEntries(const std::optional<core::TensorSpec>& tensor = {});

/// What a call may read: every call of the outermost model that does not depend on it, those near it first.
/// The id is the place among the nodes.
[[nodiscard]] std::vector<SearchEntry> sourceEntries(const CanvasModel& model, int reader);

} // namespace views
