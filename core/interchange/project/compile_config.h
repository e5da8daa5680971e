#pragma once

#include "core/base/json.h"
#include "core/project/project.h"

#include <string>

namespace core {

/// What Keras keeps of `model.compile()` in a document beside the model: "training_config" (Keras 2) or
/// "compile_config" (Keras 3), also below the wrappers that a model may be in; null where nothing is kept.
[[nodiscard]] Json compileConfigOf(const Json& document);

/// Puts optimizer, losses and metrics of such a configuration into the project, and the steps of an
/// execution. Keys that only a later Keras knows are left out where they say nothing. What means nothing here
/// is left out with one warning "import/compile-config" each; the model is imported all the same.
void takeCompileConfig(const Json& config, const std::string& file, Project& project, Diagnostics& warnings);

} // namespace core
