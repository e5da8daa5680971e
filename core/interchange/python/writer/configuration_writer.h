#pragma once

#include "core/base/diagnostic.h"
#include "core/interchange/python/writer/text/python_edition.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/project/project.h"

namespace core {

/// Writes the statements that configure the IPUs: an IPUConfig, or the functions before it. The number of
/// IPUs is that of the project's replicas, because a model is replicated as often as it fits. Answers
/// "python/api" for options that TensorFlow 2.1 has no function for.
[[nodiscard]] Diagnostics writeConfiguration(PythonText& text, const Project& project, PythonApi api);

} // namespace core
