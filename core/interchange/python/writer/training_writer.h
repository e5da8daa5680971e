#pragma once

#include "core/base/diagnostic.h"
#include "core/interchange/python/writer/optimizer_writer.h"
#include "core/interchange/python/writer/text/python_edition.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/project/project.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

struct TrainingProgram {
    const Project& project;
    PythonApi api = PythonApi::TensorFlow24;
    /// Layers whose table stays in the host's memory and has to be connected to the run.
    std::vector<std::string> hostTables = {};
    /// Functions of the program that are losses, by the position of the loss; empty: one of Keras.
    std::vector<std::string> lossFunctions = {};
    /// What its optimizer is.
    WrittenOptimizer optimizer = {};
};

/// Whether a project is trained by a loop of the program itself, because fit() does not say what it asks for:
/// an outfeed that keeps the last result alone. Nothing where such a loop says all that the project does;
/// else why not.
[[nodiscard]] bool needsOwnLoop(const Project& project);
[[nodiscard]] std::optional<std::string> missingInOwnLoop(const Project& project, PythonApi api);

/// Writes compile and fit of the variable `model`, and what comes between them. Answers "python/api" for
/// optimizers, losses, metrics and callbacks that the edition does not have.
[[nodiscard]] Diagnostics writeTraining(PythonText& text, const TrainingProgram& program);

} // namespace core
