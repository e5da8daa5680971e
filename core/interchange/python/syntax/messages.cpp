#include "core/interchange/python/syntax/messages.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

Location pythonLocation(const std::vector<std::string>& files, PythonPlace place) {
    return {files.at(static_cast<std::size_t>(place.file)), fmt::format("{}:{}", place.line, place.column)};
}

Diagnostic pythonError(const std::vector<std::string>& files, PythonPlace place, std::string code,
                       std::string message, std::vector<std::string> hints) {
    return makeError(Trouble::Input, std::move(code), pythonLocation(files, place), std::move(message),
                     std::move(hints));
}

Diagnostic pythonError(std::string_view file, PythonPlace place, std::string code, std::string message,
                       std::vector<std::string> hints) {
    return makeError(Trouble::Input, std::move(code),
                     {std::string(file), fmt::format("{}:{}", place.line, place.column)}, std::move(message),
                     std::move(hints));
}

void PythonMessages::addFile(int index, std::string name) {
    const auto at = static_cast<std::size_t>(index);
    m_files.resize(std::max(m_files.size(), at + 1));
    m_files[at] = std::move(name);
}

void PythonMessages::refuse(PythonPlace place, std::string code, std::string message,
                            std::vector<std::string> cures) const {
    throw PythonRefusal{pythonError(m_files, place, std::move(code), std::move(message), std::move(cures)),
                        {}};
}

void PythonMessages::raise(PythonPlace place, std::vector<std::string> errors, std::string code,
                           std::string message, std::vector<std::string> cures) const {
    throw PythonRefusal{pythonError(m_files, place, std::move(code), std::move(message), std::move(cures)),
                        std::move(errors)};
}

void PythonMessages::warn(PythonPlace place, std::string code, std::string message,
                          std::vector<std::string> cures) {
    if (!m_warned.insert(message).second)
        return;
    Diagnostic diagnostic =
        pythonError(m_files, place, std::move(code), std::move(message), std::move(cures));
    diagnostic.severity = Severity::Warning;
    m_warnings.push_back(std::move(diagnostic));
}

std::string quotedName(std::string_view name) {
    constexpr std::size_t longest = 80;
    return std::string(name.substr(0, longest));
}

} // namespace core
