#include "core/interchange/python/syntax/modules.h"

#include "core/base/file.h"
#include "core/interchange/python/syntax/messages.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <system_error>

namespace core {

namespace {

constexpr std::uintmax_t largestModule = std::uintmax_t{4} * 1024 * 1024;
constexpr std::size_t mostModules = 1000;

/// Names and dots only: a path of modules leads nowhere else.
bool isModulePath(const std::string& path) {
    return !path.empty() && path.front() != '.' && path.find("..") == std::string::npos &&
           std::ranges::all_of(path, [](char c) {
               return c == '.' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
           });
}

/// Whether a folder is a package: it holds Python, or folders that do.
bool holdsPython(const std::filesystem::path& folder, int deeper) {
    std::error_code error;
    for (auto at = std::filesystem::directory_iterator(folder, error);
         !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
        if (at->path().extension() == ".py")
            return true;
        if (deeper > 0 && at->is_directory(error) && holdsPython(at->path(), deeper - 1))
            return true;
    }
    return false;
}

} // namespace

PythonModules::PythonModules(std::string program)
    : m_program(std::move(program)) {
    std::error_code error;
    if (std::filesystem::is_regular_file(m_program, error))
        m_folder = std::filesystem::canonical(m_program, error).parent_path();
}

bool PythonModules::isInFolder(const std::filesystem::path& file) const {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::canonical(file, error);
    return !error && std::mismatch(m_folder.begin(), m_folder.end(), whole.begin(), whole.end()).first ==
                         m_folder.end();
}

const PythonModules::Module* PythonModules::find(const std::string& path) {
    if (m_folder.empty() || !isModulePath(path))
        return nullptr;
    if (const auto known = m_modules.find(path); known != m_modules.end())
        return known->second.get();
    std::string relative = path;
    std::ranges::replace(relative, '.', '/');
    const std::filesystem::path shown = std::filesystem::path(m_program).parent_path();
    std::error_code error;
    auto made = std::make_unique<Module>();
    constexpr int deepest = 2;
    made->isPackage = std::filesystem::is_directory(m_folder / relative, error) &&
                      isInFolder(m_folder / relative) && holdsPython(m_folder / relative, deepest);
    std::string file = relative + ".py";
    if (made->isPackage)
        file = relative + "/__init__.py";
    made->name = (shown / file).string();
    made->file = file;
    const bool isFile = std::filesystem::is_regular_file(m_folder / file, error);
    if ((!isFile && !made->isPackage) || m_modules.size() >= mostModules)
        return nullptr;
    made->index = static_cast<int>(m_modules.size()) + 1;
    made->isFolderOnly = !isFile;
    if (isFile) {
        if (!isInFolder(m_folder / file))
            return nullptr;
        auto text = readFile(m_folder / file, largestModule);
        auto program = text ? parsePython(*text, made->name, made->index)
                            : Result<PythonBlock>(failure(std::move(text.error())));
        if (!program)
            throw PythonRefusal{program.error().front(), {"ImportError", "SyntaxError", "Exception"}};
        made->program = std::move(*program);
    }
    return m_modules.emplace(path, std::move(made)).first->second.get();
}

std::string PythonModules::programFile() const {
    return std::filesystem::path(m_program).filename().string();
}

std::optional<std::string> PythonModules::text(const std::string& path) const {
    if (!isFile(path))
        return std::nullopt;
    auto text = readFile(m_folder / path, largestModule);
    return text && isUtf8(*text) ? std::optional(std::move(*text)) : std::nullopt;
}

bool PythonModules::isFile(const std::string& path) const {
    std::error_code error;
    return !m_folder.empty() && std::filesystem::is_regular_file(m_folder / path, error) &&
           isInFolder(m_folder / path);
}

std::optional<std::filesystem::path> PythonModules::file(const std::string& path) const {
    return isFile(path) ? std::optional(m_folder / path) : std::nullopt;
}

bool PythonModules::isFolder(const std::string& path) const {
    std::error_code error;
    return !m_folder.empty() && std::filesystem::is_directory(m_folder / path, error) &&
           isInFolder(m_folder / path);
}

} // namespace core
