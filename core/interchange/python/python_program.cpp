#include "core/interchange/python/python_program.h"

#include <fmt/format.h>

namespace core {

Result<std::string> writePythonProgram(const Project& project, PythonApi api) {
    auto text = writeProgramText(project, api);
    if (!text)
        return text;
    // What reading the program does not give again goes into a comment.
    const auto again = readPythonProgram(*text, "program");
    if (!again)
        return failure(again.error());
    const Json patch = Json::diff(toJson(again->project), toJson(project));
    if (!patch.empty())
        *text += fmt::format("\n{}{}\n", pythonRemainder, toText(patch, -1));
    return text;
}

} // namespace core
