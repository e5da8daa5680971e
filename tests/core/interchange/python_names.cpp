#include "tests/core/interchange/python_names.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace tests {

namespace {

bool isNameLetter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Behind a text or a comment that begins at `at`; `at` itself where none does.
std::size_t behindText(std::string_view text, std::size_t at) {
    if (text[at] == '#')
        return std::min(text.find('\n', at), text.size());
    if (text[at] != '"' && text[at] != '\'')
        return at;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at])
        end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

/// The arguments of a call whose "(" is the first letter of `text`.
std::vector<std::string> argumentsOf(std::string_view text) {
    std::vector<std::string> arguments;
    std::string current;
    int depth = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t behind = behindText(text, at); behind > at) {
            current += text[at] == '#' ? "" : "text";
            at = behind;
            continue;
        }
        const char c = text[at++];
        const bool closes = c == ')' || c == ']' || c == '}';
        depth -= closes ? 1 : 0;
        if (closes && depth == 0)
            break;
        if (c == ',' && depth == 1) {
            arguments.push_back(current);
            current.clear();
        } else if (depth > 0 && (std::isspace(static_cast<unsigned char>(c)) == 0 || depth > 1)) {
            current += c;
        }
        if (c == '(' || c == '[' || c == '{')
            ++depth;
    }
    if (!current.empty())
        arguments.push_back(current);
    return arguments;
}

/// "a" of "a=1"; empty for one by position.
std::string keywordOf(const std::string& argument) {
    std::size_t end = 0;
    while (end < argument.size() && isNameLetter(argument[end]))
        ++end;
    const bool isNamed = end > 0 && end + 1 <= argument.size() && argument[end] == '=' &&
                         (end + 1 == argument.size() || argument[end + 1] != '=');
    return isNamed ? argument.substr(0, end) : "";
}

constexpr std::string_view layerArguments[] = {"name", "trainable", "dtype", "input_shape",
                                               "batch_input_shape"};

} // namespace

PythonNameTable::PythonNameTable(const std::filesystem::path& file, const std::string& edition) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (line.empty() || line.starts_with('#'))
            continue;
        const bool isOfOne = line.ends_with(" 2.4") || line.ends_with(" 2.1");
        if (isOfOne && !line.ends_with(edition))
            continue;
        if (isOfOne)
            line.resize(line.size() - 4);
        const std::string kind = line.substr(0, line.find(' '));
        const std::string rest = line.substr(kind.size() + 1);
        if (kind == "enum") {
            std::istringstream words(rest.substr(rest.find(':') + 1));
            const std::string name = rest.substr(0, rest.find(':'));
            for (std::string word; words >> word;)
                m_members.insert(name == "types" ? word : name + "." + word);
        } else if (kind != "attribute") {
            const std::string name = rest.substr(0, rest.find('('));
            Row row;
            row.isLayer = name.starts_with("keras.layers.");
            for (const std::string& argument : argumentsOf(std::string_view(rest).substr(name.size()))) {
                row.takesNames = row.takesNames || argument.starts_with("**");
                row.takesMore = row.takesMore || (argument.starts_with('*') && !argument.starts_with("**"));
                if (argument.starts_with('*'))
                    continue;
                if (argument.ends_with('='))
                    row.optional.push_back(argument.substr(0, argument.size() - 1));
                else
                    row.required.push_back(argument);
            }
            m_rows[name] = std::move(row);
        }
    }
}

std::string PythonNameTable::complaint(const std::string& path, std::string_view rest) const {
    if (m_members.contains(path))
        return "";
    const auto found = m_rows.find(path);
    if (found == m_rows.end())
        return "is not in the reference";
    if (!rest.starts_with('('))
        return "";
    const Row& row = found->second;
    std::set<std::string> given;
    std::size_t positions = 0;
    const auto isIn = [](const auto& list, const std::string& name) {
        return std::find(std::begin(list), std::end(list), name) != std::end(list);
    };
    for (const std::string& argument : argumentsOf(rest)) {
        const std::string name = keywordOf(argument);
        positions += name.empty() ? 1 : 0;
        if (argument.starts_with('*'))
            return "";
        const bool isTaken = isIn(row.required, name) || isIn(row.optional, name) ||
                             (row.isLayer ? row.takesNames && isIn(layerArguments, name) : row.takesNames);
        const bool isOfEveryLayer = row.isLayer && (name == "name" || name == "dtype" || name == "trainable");
        if (!name.empty() && !isTaken && !isOfEveryLayer)
            return fmt::format("has no argument {}", name);
        given.insert(name);
    }
    if (positions > row.required.size() + row.optional.size() && !row.takesMore)
        return "has too many arguments";
    for (std::size_t i = positions; i < row.required.size(); ++i)
        if (!given.contains(row.required[i]))
            return fmt::format("lacks its argument {}", row.required[i]);
    return "";
}

std::vector<std::string> PythonNameTable::unknownIn(const std::string& program,
                                                    const std::string& module) const {
    std::vector<std::string> found;
    const std::string_view text = program;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t behind = behindText(text, at); behind > at) {
            at = behind;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && (isNameLetter(text[end]) || text[end] == '.'))
            ++end;
        if (end == at) {
            ++at;
            continue;
        }
        std::string path(text.substr(at, end - at));
        const bool isImport = text.substr(0, at).ends_with("import ") || text.substr(0, at).ends_with("as ");
        if (path.starts_with(module + ".") && !isImport) {
            path.erase(0, module.size() + 1);
            if (path.starts_with("ops."))
                path.erase(0, 4);
            if (const std::string what = complaint(path, text.substr(end)); !what.empty())
                found.push_back(
                    fmt::format("line {}: {}.{} {}",
                                1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'), module,
                                path, what));
        }
        at = end;
    }
    return found;
}

} // namespace tests
