#include "core/interchange/python/python_program.h"

#include <fmt/format.h>

namespace core {

Result<std::string> writePythonProgram(const Project& project, PythonApi api) {
    auto text = writeProgramText(project, api);
    if (!text)
        return text;
    // What reading the program does not give again goes into a comment. A program with words that are not
    // read stands without one: it is right all the same.
    const auto again = readPythonProgram(*text, "program");
    if (!again)
        return text;
    const Json patch = Json::diff(toJson(again->project), toJson(project));
    if (!patch.empty())
        *text += fmt::format("\n{}{}\n", pythonRemainder, toText(patch, -1));
    return text;
}

} // namespace core
