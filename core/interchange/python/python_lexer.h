#pragma once

#include "core/interchange/python/python_syntax.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

struct PythonToken {
    enum class Kind : std::uint8_t { Name, Integer, Real, Text, Operator, NewLine, Indent, Dedent, End };
    Kind kind = Kind::End;
    PythonPlace place;
    std::string text;
    std::int64_t integer = 0;
    double real = 0;
};

/// The tokens of a program with its indentation made explicit. Errors: "python/syntax".
[[nodiscard]] Result<std::vector<PythonToken>> tokenizePython(std::string_view text, std::string_view file);

/// A refusal at a place of the program.
[[nodiscard]] Diagnostic pythonError(std::string_view file, PythonPlace place, std::string code,
                                     std::string message, std::vector<std::string> hints = {});

} // namespace core
