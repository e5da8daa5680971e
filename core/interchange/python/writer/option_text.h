#pragma once

#include "core/base/diagnostic.h"
#include "core/interchange/python/writer/text/python_edition.h"
#include "core/project/options/project_option.h"

#include <string>
#include <vector>

namespace core {

/// Options of a project as the arguments and statements that say them.

[[nodiscard]] const PythonSpelling& spellingOf(const ProjectOption& option, PythonApi api);

/// The options that one statement says and that differ from their defaults, in its order.
[[nodiscard]] std::vector<const ProjectOption*> optionsOf(const Project& project, PythonSite site,
                                                          PythonApi api);

/// Keyword arguments of one call.
[[nodiscard]] std::vector<std::string> optionArguments(const Project& project, PythonSite site,
                                                       PythonApi api);

/// Those of the statement that splits the model, or accumulates its gradients: set_pipelining_options,
/// set_gradient_accumulation_options, or the constructor of TensorFlow 2.1. Files "python/api" for options
/// that it has no argument for and that change a run.
[[nodiscard]] std::vector<std::string> pipelineArguments(const Project& project, PythonApi api,
                                                         Diagnostics& problems);

} // namespace core
