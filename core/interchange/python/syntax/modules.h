#pragma once

#include "core/interchange/python/syntax/syntax.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace core {

/// The files of the folder of a program that it imports: `helpers` is helpers.py or helpers/__init__.py
/// there, `data.loader` is data/loader.py. Each is read and parsed once. Texts that the program opens are
/// files of that folder, too. Nothing outside of it is read, and only regular files of at most 4 MiB.
class PythonModules {
public:
    struct Module {
        std::string name; ///< the file, as messages name it
        std::string file; ///< as the program finds it from its folder
        int index = 0;    ///< its number in places
        bool isPackage = false;
        /// A package without __init__.py: any folder is one.
        bool isFolderOnly = false;
        PythonBlock program;
    };

    /// A program that is no file on disk, such as one from the standard input, has no modules.
    explicit PythonModules(std::string program);

    [[nodiscard]] const std::string& program() const { return m_program; }
    /// Null: the folder has no such module. Throws PythonRefusal where its file cannot be read as Python.
    const Module* find(const std::string& path);

    /// The file of the program itself in its folder.
    [[nodiscard]] std::string programFile() const;
    /// What another file of the folder holds, by its path from there; nothing: there is none, it is larger
    /// than 4 MiB, or it is no text.
    [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
    [[nodiscard]] bool isFile(const std::string& path) const;
    /// Where such a file is; nothing: there is none.
    [[nodiscard]] std::optional<std::filesystem::path> file(const std::string& path) const;
    [[nodiscard]] bool isFolder(const std::string& path) const;

private:
    [[nodiscard]] bool isInFolder(const std::filesystem::path& file) const;

    std::string m_program;
    std::filesystem::path m_folder; ///< resolved; empty: none
    std::map<std::string, std::unique_ptr<Module>> m_modules;
};

} // namespace core
