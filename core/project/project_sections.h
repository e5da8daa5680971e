#pragma once

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/project/project.h"

#include <string>

namespace core {

// The sections of a project file that belong to no other module, read strictly. The file as a whole is read
// in core/interchange, which knows Keras' format for the model.

/// `opaque_layers`: layer name → {"output_shape", "parameters", "flops"}.
[[nodiscard]] std::map<std::string, OpaqueLayer> readOpaqueLayers(const Json& object, const std::string& file,
                                                                  const std::string& pointer,
                                                                  Diagnostics& findings);
[[nodiscard]] Json toJson(const std::map<std::string, OpaqueLayer>& layers);

/// `canvas`: positions by layer name; whatever else the canvas keeps is written back as it is.
[[nodiscard]] CanvasLayout readCanvas(const Json& object, const std::string& file, const std::string& pointer,
                                      Diagnostics& findings);
[[nodiscard]] Json toJson(const CanvasLayout& canvas);

} // namespace core
