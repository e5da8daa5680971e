#pragma once

#include "core/base/result.h"
#include "core/interchange/python/writer/python_text.h"
#include "core/model/model_graph.h"
#include "core/plan/stage_assignment.h"

#include <string>
#include <vector>

namespace core {

/// What the functions that make a model are written from.
struct ModelProgram {
    const ModelGraph* model = nullptr;
    StageAssignment stages;
    /// The classes of TensorFlow 2.1.
    bool isOld = false;
    /// Further arguments of the model's constructor.
    std::vector<std::string> arguments;
};

/// Writes `def create_model():`, and before it a function for each nested model. Errors: "python/api".
[[nodiscard]] Result<void> writeModelProgram(PythonText& text, const ModelProgram& program);

} // namespace core
