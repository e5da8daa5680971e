#pragma once

#include "core/interchange/python/writer/layers/layer_writer.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/project/project.h"

#include <set>
#include <string>
#include <vector>

namespace core {

/// Writes `def loss(y_true, y_pred):` for each loss of a project that is held as a model of labels and
/// predictions. Answers their names by the position of the loss; empty: a loss of Keras. What `layers` cannot
/// make is among its problems.
[[nodiscard]] std::vector<std::string> writeLossFunctions(PythonText& text, const Project& project,
                                                          LayerWriter& layers, std::set<std::string>& names);

} // namespace core
