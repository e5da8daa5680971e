#pragma once

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/project/project.h"

#include <span>
#include <string>

namespace core {

// The sections of a project file that hold options: each walks the rows of the option table, and reads and
// writes beside them what is more than one value.

/// Reads the options among the keys of `pipeline`. The caller owns the reader: it reads `stages` and finishes
/// it.
void readPipelineOptions(ObjectReader& reader, Project& project);
/// Adds the options that differ from their defaults to `object`.
void writePipelineOptions(const Project& project, Json& object);

/// The layers whose outputs a model gives, in their order.
[[nodiscard]] std::vector<std::string> outputNames(const ModelGraph& model);

/// Reads the section `training` strictly. `outputs` are the names of the layers whose outputs the model
/// gives, so that losses may be keyed by them as in Keras.
void readTrainingOptions(const Json& object, std::span<const std::string> outputs, const std::string& file,
                         const std::string& pointer, Diagnostics& findings, Project& project);
/// The options that differ from their defaults.
[[nodiscard]] Json trainingSection(const Project& project);

/// `system`. Figures of the target (numbers and switches with other keys) are kept for the simulator, which
/// knows their names.
void readSystemOptions(const Json& object, const std::string& file, const std::string& pointer,
                       Diagnostics& findings, Project& project);
/// The machine's size and target always, the rest where it differs from its default.
[[nodiscard]] Json systemSection(const Project& project);

/// The options that are keys of the project itself.
void readProjectOptions(ObjectReader& reader, Project& project);
void writeProjectOptions(const Project& project, Json& object);

} // namespace core
