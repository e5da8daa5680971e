#pragma once

#include "core/model/model_graph.h"
#include "core/project/project.h"
#include "views/inspector/form/property.h"

#include <string>
#include <vector>

namespace views {

/// The line for the shape of one sample that an InputLayer takes. It is written without the batch axis, "28 ×
/// 28 × 1"; its id is Keras' batch_input_shape, which has it.
[[nodiscard]] Property inputShapeProperty(const core::Layer& layer);

/// Keras' shape of a batch that a typed shape of a sample means: a leading axis of any extent is put before
/// it, unless it was typed too ("None, 784"). What is wrong with it otherwise.
[[nodiscard]] tl::expected<core::Json, QString> batchShapeOf(const core::Layer& layer,
                                                             const core::Json& typed);

/// The lines for a layer of a class that the catalogue does not know: its output shape without the batch, its
/// parameters and the arithmetic of one sample, as `opaque_layers` of the project declares them.
[[nodiscard]] std::vector<Property> opaqueProperties(const core::Project& project, const std::string& layer);

/// Whether an edit names one of those lines.
[[nodiscard]] bool isOpaqueProperty(const std::string& id);

/// The project with a line of these layers changed. Errors: "edit/attribute" for what is no shape or number,
/// and for a cost without a shape.
[[nodiscard]] core::Result<core::Project> withOpaqueProperty(const core::Project& project,
                                                             const std::vector<std::string>& layers,
                                                             const std::string& id, const core::Json& value);

} // namespace views
