#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// A table of names with their arguments (ipu_api.txt, tensorflow_api.txt) of one edition.
class PythonNameTable {
public:
    PythonNameTable(const std::filesystem::path& file, const std::string& edition);

    [[nodiscard]] std::size_t size() const { return m_rows.size(); }
    /// What a program says of a module ("ipu", "tf") that the table does not have, each with its line: names,
    /// arguments by name, missing and surplus ones.
    [[nodiscard]] std::vector<std::string> unknownIn(const std::string& program,
                                                     const std::string& module) const;

private:
    struct Row {
        std::vector<std::string> required;
        std::vector<std::string> optional;
        bool takesMore = false;  ///< further positional arguments
        bool takesNames = false; ///< further arguments by name
        bool isLayer = false;
    };
    /// What is wrong with a name and the text behind it; empty: nothing.
    [[nodiscard]] std::string complaint(const std::string& path, std::string_view rest) const;

    /// By their name without the module; several where the arguments differ.
    std::map<std::string, Row> m_rows;
    std::set<std::string> m_members;
};

} // namespace tests
