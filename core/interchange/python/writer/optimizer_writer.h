#pragma once

#include "core/base/json.h"
#include "core/interchange/python/writer/text/python_edition.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/project/project.h"

#include <set>
#include <string>

namespace core {

/// Writes a class for what a project makes of gradients before its optimizer takes them, derived from the
/// class of Keras: they are averaged over replicas, or decay the weights, or are clipped together, which
/// optimizers of TensorFlow 2.1 do not. Answers its name; empty: the project makes nothing of them.
[[nodiscard]] std::string writeOptimizerClass(PythonText& text, const Project& project, PythonApi api,
                                              std::set<std::string>& names);

/// Whether gradients of several replicas are averaged.
[[nodiscard]] bool averagesGradients(const Project& project);

} // namespace core
