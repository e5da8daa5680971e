#pragma once

#include "core/interchange/python/syntax/syntax.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

struct PythonToken {
    enum class Kind : std::uint8_t {
        Name,
        Integer,
        Real,
        Text,
        FormattedText, ///< f"…": values in braces, doubled braces for braces
        Operator,
        NewLine,
        Indent,
        Dedent,
        End
    };
    Kind kind = Kind::End;
    PythonPlace place;
    std::string text;
    std::int64_t integer = 0;
    double real = 0;
};

/// The tokens of a program with its indentation made explicit. Errors: "python/syntax".
[[nodiscard]] Result<std::vector<PythonToken>> tokenizePython(std::string_view text, std::string_view file,
                                                              int index = 0);
/// The tokens of an expression that is inside of a text at `place`.
[[nodiscard]] Result<std::vector<PythonToken>>
tokenizePythonExpression(std::string_view text, std::string_view file, PythonPlace place);

} // namespace core
