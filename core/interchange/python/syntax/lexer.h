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

/// A model of five thousand layers, written layer by layer, has 60,000. Each takes some hundred bytes until
/// the program has been followed.
inline constexpr std::size_t mostPythonTokens = 200'000;

/// The tokens of a program with its indentation made explicit. Errors: "python/syntax"; "python/too-long" for
/// more than `mostPythonTokens`.
[[nodiscard]] Result<std::vector<PythonToken>> tokenizePython(std::string_view text, std::string_view file,
                                                              int index = 0);
/// The tokens of an expression that is inside of a text at `place`.
[[nodiscard]] Result<std::vector<PythonToken>>
tokenizePythonExpression(std::string_view text, std::string_view file, PythonPlace place);

} // namespace core
