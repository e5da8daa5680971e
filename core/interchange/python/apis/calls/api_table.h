#pragma once

#include "core/interchange/python/draft/program_builder.h"
#include "core/interchange/python/language/interpreter.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A call of a name of an API.
struct PythonApiCall {
    PythonProgramBuilder& builder;
    PythonInterpreter& interpreter;
    /// The full name that is called.
    const std::string& path;
    PythonArguments& arguments;

    [[nodiscard]] std::string name() const { return lastPart(path); }
    [[nodiscard]] PythonPlace place() const { return arguments.place; }
    [[noreturn]] void refuse(std::string code, std::string message, std::vector<std::string> cures) const {
        builder.refuse(arguments.place, std::move(code), std::move(message), std::move(cures));
    }
    void warn(std::string code, std::string message, std::vector<std::string> cures) const {
        builder.warn(arguments.place, std::move(code), std::move(message), std::move(cures));
    }
};
/// What has to be a number is known only when the program runs: "the size of the batches", say. `cure`: how
/// it is written.
[[noreturn]] void refuseOpenNumber(const PythonApiCall& call, std::string_view what,
                                   std::string cure = "write the number in the program");
using PythonMeaning = std::function<PythonValue(const PythonApiCall&)>;

/// One row of an API's table: the only place where the name is spelt.
struct PythonApiName {
    enum class Reading : std::uint8_t {
        Read,    ///< with its meaning
        Host,    ///< runs beside the model and says nothing about it: what it answers is data
        Warned,  ///< left out, and a warning says so
        Refused, ///< ends the reading
    };
    /// The full name. "*" stands for any letters of a part, "**" for any number of parts. The first row that
    /// fits counts.
    std::string pattern;
    Reading reading = Reading::Read;
    /// Of a Read name.
    PythonMeaning meaning;
    /// Of a Warned or Refused name: what is wrong, as it goes on behind the name, and what to write instead.
    std::string cause;
    std::string cure;
    /// Arguments that nothing defines are samples, as in snippets.
    bool takesSamples = false;
    /// As a decorator it is called with the function, and what it answers takes the function's place.
    bool decorates = false;
};

[[nodiscard]] PythonApiName readName(std::string pattern, PythonMeaning meaning);
[[nodiscard]] PythonApiName hostName(std::string pattern);
[[nodiscard]] PythonApiName warnedName(std::string pattern, std::string cause, std::string cure);
[[nodiscard]] PythonApiName refusedName(std::string pattern, std::string cause, std::string cure);

/// Where programs import a module from, and its one name here.
struct PythonModuleName {
    std::string_view imported;
    std::string_view name;
};

/// The names of a library.
struct PythonApiTable {
    std::vector<PythonModuleName> modules;
    /// Names that snippets use without importing them, by their full name as it would be imported.
    std::vector<std::string_view> assumed;
    std::vector<PythonApiName> names;
};

/// Whether a full name fits the pattern of a row.
[[nodiscard]] bool fitsPattern(std::string_view pattern, std::string_view path);

} // namespace core
