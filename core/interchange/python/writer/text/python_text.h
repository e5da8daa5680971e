#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A JSON value as a Python literal: None, True, lists, dictionaries.
[[nodiscard]] std::string pythonLiteral(const Json& value);
/// A name that Python takes: other characters become underscores, keywords get one behind them.
[[nodiscard]] std::string pythonName(std::string_view name);
/// Whether a text can be used as the name of a keyword argument.
[[nodiscard]] bool isPythonName(std::string_view name);

/// `callee(arguments)`.
struct PythonCallText {
    std::string callee;
    std::vector<std::string> arguments;
    /// False: `callee` is an object that is there already, and nothing is called.
    bool isMade = true;

    /// On one line.
    [[nodiscard]] std::string flat() const;
};

/// A program that grows line by line.
class PythonText {
public:
    void line(std::string_view text = {});
    void indent() { ++m_depth; }
    void dedent() { --m_depth; }
    /// `head(a, b, …)tail`, on several lines where it is long.
    void call(std::string_view head, const std::vector<std::string>& arguments, std::string_view tail = {});
    /// The same between other brackets.
    void list(std::string_view head, std::string_view open, const std::vector<std::string>& entries,
              std::string_view close);
    /// Lines of their own indentation, below the current one.
    void block(std::string_view lines);
    /// Lines that were indented elsewhere.
    void append(std::string_view lines) { m_text += lines; }
    [[nodiscard]] std::string take() { return std::move(m_text); }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
    int m_depth = 0;
};

} // namespace core
