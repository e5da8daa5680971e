#pragma once

#include "core/base/diagnostic.h"
#include "core/interchange/python/syntax/syntax.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Where a place is; `files` are those that a program is made of, by the numbers in its places.
[[nodiscard]] Location pythonLocation(const std::vector<std::string>& files, PythonPlace place);
/// A refusal at a place of a file, or of one of those that a program is made of.
[[nodiscard]] Diagnostic pythonError(const std::vector<std::string>& files, PythonPlace place,
                                     std::string code, std::string message, std::vector<std::string> hints);
[[nodiscard]] Diagnostic pythonError(std::string_view file, PythonPlace place, std::string code,
                                     std::string message, std::vector<std::string> hints);

/// Ends the reading of a program from wherever it is met. Caught where a program is read; it never leaves
/// core/interchange/python.
struct PythonRefusal {
    Diagnostic diagnostic;
    /// Where Python raises an error here, too: its name and those of its parents, which handlers catch.
    std::vector<std::string> errors;
};

/// What a program is told about itself: a refusal, which ends its reading, or warnings, each once.
class PythonMessages {
public:
    explicit PythonMessages(std::string_view file)
        : m_files{std::string(file)} {}

    /// The program's own file.
    [[nodiscard]] const std::string& file() const { return m_files.front(); }
    /// The files that the program is made of, by the numbers in its places.
    [[nodiscard]] const std::vector<std::string>& files() const { return m_files; }
    /// Names the file of that number.
    void addFile(int index, std::string name);
    /// The message says the cause, `cures` what a person can write instead.
    [[noreturn]] void refuse(PythonPlace place, std::string code, std::string message,
                             std::vector<std::string> cures) const;
    /// The same where Python raises `error`, so that a `try` of the program can catch it.
    [[noreturn]] void raise(PythonPlace place, std::vector<std::string> errors, std::string code,
                            std::string message, std::vector<std::string> cures) const;
    void warn(PythonPlace place, std::string code, std::string message, std::vector<std::string> cures);
    [[nodiscard]] const Diagnostics& warnings() const { return m_warnings; }

private:
    std::vector<std::string> m_files;
    Diagnostics m_warnings;
    std::set<std::string> m_warned;
};

/// The code of what ends a program without being wrong.
inline constexpr const char* pythonProgramEnd = "python/exit";

/// A name of the program as messages quote it.
[[nodiscard]] std::string quotedName(std::string_view name);

} // namespace core
