#pragma once

#include "core/interchange/python/writer/layers/layer_writer.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/model/model_graph.h"
#include "core/model/opaque_layer.h"
#include "core/plan/stage_assignment.h"

#include <set>
#include <string>
#include <vector>

namespace core {

/// What the functions that make a model are written from.
struct ModelProgram {
    const ModelGraph* model = nullptr;
    StageAssignment stages;
    OpaqueLayers opaqueLayers;
    /// The classes of TensorFlow 2.1.
    bool isOld = false;
    /// Further arguments of the model's constructor.
    std::vector<std::string> arguments;
};

/// Writes `def create_model():`, and before it a function for each inner model. `names` are those of the
/// program's functions and classes. Answers what the edition cannot say ("python/api"), beside the problems
/// of `layers`.
[[nodiscard]] Diagnostics writeModelProgram(PythonText& text, const ModelProgram& program,
                                            LayerWriter& layers, std::set<std::string>& names);

} // namespace core
