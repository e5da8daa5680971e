#pragma once

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/config/training_options.h"

#include <span>
#include <string>

namespace core {

/// Reads the section `training` strictly. `outputs` are the names of the layers whose outputs the model
/// gives, so that losses may be keyed by them as in Keras.
[[nodiscard]] TrainingOptions readTrainingOptions(const Json& object, std::span<const std::string> outputs,
                                                  const std::string& file, const std::string& pointer,
                                                  Diagnostics& findings);

/// The options that differ from their defaults.
[[nodiscard]] Json toJson(const TrainingOptions& training);

} // namespace core
