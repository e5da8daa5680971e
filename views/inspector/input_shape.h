#pragma once

#include "core/model/model_graph.h"
#include "views/inspector/property.h"

namespace views {

/// The line for the shape of one sample that an InputLayer takes. It is written without the batch axis, "28 ×
/// 28 × 1"; its id is Keras' batch_input_shape, which has it.
[[nodiscard]] Property inputShapeProperty(const core::Layer& layer);

/// Keras' shape of a batch that a typed shape of a sample means: a leading axis of any extent is put before
/// it, unless it was typed too ("None, 784"). What is wrong with it otherwise.
[[nodiscard]] tl::expected<core::Json, QString> batchShapeOf(const core::Layer& layer,
                                                             const core::Json& typed);

} // namespace views
