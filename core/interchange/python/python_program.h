#pragma once

#include "core/base/result.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/python/import_choice.h"
#include "core/interchange/python/writer/program_writer.h"

#include <string>
#include <string_view>

namespace core {

/// Whether a text looks like a program that makes a Keras model.
[[nodiscard]] bool isPythonProgram(std::string_view bytes);

/// The project that a program describes: its model, stages, options, compile and fit, of either edition and
/// of the functions before IPUConfig (each named with its replacement in a warning). The program is read,
/// never run. Several models: the one that is used most, by fit() before compile() before options; several
/// that are used alike: "import/several-models", which names them. Errors: "python/syntax", "python/name",
/// "python/value", "python/unsupported", "python/raised", "python/endless", each with line:column, and those
/// of the sections.
[[nodiscard]] Result<ProjectFile> readPythonProgram(std::string_view text, const std::string& file);

/// The same of one model of several by its name (of models of one name the second is "NAME-2"), and as the
/// program is started with a command line. Errors: "import/no-such-model", "python/arguments".
[[nodiscard]] Result<ProjectFile> readPythonProgram(std::string_view text, const std::string& file,
                                                    const ImportChoice& choice);

/// A complete program that builds the project's model, stages, options, compile and fit. What Python has no
/// words for (positions on the canvas, dataset files, Keras' bookkeeping) follows in one comment, so that
/// reading the program gives the project again. Errors: "python/api" for what TensorFlow 2.1 does not know.
[[nodiscard]] Result<std::string> writePythonProgram(const Project& project, PythonApi api);

/// The comment in front of the rest of a project.
inline constexpr std::string_view pythonRemainder = "# ipu-workbench: ";

} // namespace core
