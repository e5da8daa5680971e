#include "core/base/write_door.h"

#include "core/base/file.h"
#include "core/platform/file_descriptor.h"
#include "core/text/decimal_number.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace core {

namespace fs = std::filesystem;

namespace {

Diagnostic doorRefuses(Trouble trouble, std::string code, const std::string& place, std::string message,
                       std::string hint) {
    return makeError(trouble, std::move(code), {"", place}, std::move(message), {std::move(hint)});
}

bool holdsMark(const FileReader& file, std::uint64_t from) {
    constexpr std::size_t blockBytes = std::size_t{1} << 20U;
    std::string block;
    for (std::uint64_t at = from; at < file.size();) {
        // Blocks overlap, so that a mark across their border is found.
        const std::uint64_t begin = at - std::min<std::uint64_t>(at - from, productMark.size());
        block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(blockBytes, file.size() - begin)));
        if (!file.read(begin, std::as_writable_bytes(std::span(block))))
            return false;
        if (block.find(productMark) != std::string::npos)
            return true;
        at = begin + block.size();
    }
    return false;
}

/// True when every cell of the line is a number, the first a whole one.
bool isLogLine(std::string_view line, char separator) {
    bool isFirst = true;
    while (true) {
        const std::string_view cell = line.substr(0, line.find(separator));
        const bool isWhole = std::ranges::all_of(cell, [](char c) { return c >= '0' && c <= '9'; });
        if (!decimalNumber(cell) || (isFirst && !isWhole))
            return false;
        if (cell.size() == line.size())
            return true;
        line.remove_prefix(cell.size() + 1);
        isFirst = false;
    }
}

/// Whether a part of the way from the folder to the file begins with a dot.
bool isHidden(const fs::path& folder, const fs::path& file) {
    const fs::path way = file.lexically_relative(folder);
    return std::ranges::any_of(
        way, [](const fs::path& part) { return part != ".." && part.native().starts_with('.'); });
}

} // namespace

bool isTrainingLog(std::string_view text) {
    constexpr std::string_view first = "epoch";
    constexpr std::string_view second = "loss";
    if (!text.starts_with(first) || text.size() <= first.size() + 1 + second.size() || text.back() != '\n')
        return false;
    const char separator = text[first.size()];
    const char behind = text[first.size() + 1 + second.size()];
    if (std::isalnum(static_cast<unsigned char>(separator)) != 0 || separator == '\n' ||
        !text.substr(first.size() + 1).starts_with(second) || (behind != separator && behind != '\r'))
        return false;
    if (!text.substr(0, text.find('\n') + 1).ends_with(logHeadEnd))
        return false;
    text.remove_prefix(text.find('\n') + 1);
    while (!text.empty()) {
        if (!isLogLine(text.substr(0, text.find('\n')), separator))
            return false;
        text.remove_prefix(text.find('\n') + 1);
    }
    return true;
}

bool isOwnProduct(const fs::path& path) {
    constexpr std::string_view zip = "PK";
    constexpr std::string_view hdf5 = "\x89HDF";
    const auto file = FileReader::open(path);
    if (!file || file->size() < hdf5.size())
        return false;
    std::string start(hdf5.size(), '\0');
    if (!file->read(0, std::as_writable_bytes(std::span(start))))
        return false;
    if (start == hdf5)
        return holdsMark(*file, 0);
    // The comment of an archive is its end; a member may hold any text.
    if (start.starts_with(zip))
        return file->size() > productMark.size() && holdsMark(*file, file->size() - productMark.size());
    constexpr std::uintmax_t longestLog = std::uintmax_t{64} << 20U;
    const auto text = readFile(path, longestLog);
    return text && isTrainingLog(*text);
}

fs::path namedFile(const fs::path& folder, const std::string& name) {
    std::error_code error;
    const fs::path path = fs::absolute((folder.empty() ? fs::path(".") : folder) / name, error);
    fs::path resolved = fs::weakly_canonical(path, error);
    return error ? path.lexically_normal() : resolved;
}

bool isInside(const fs::path& folder, const fs::path& file) {
    const auto [left, right] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    // A folder may end in an empty part ("net/").
    return (left == folder.end() || (std::next(left) == folder.end() && left->empty())) &&
           right != file.end();
}

WriteDoor::WriteDoor(WriteDoorOptions options)
    : m_options(std::move(options))
    , m_folder(namedFile(m_options.folder, ".")) {
    for (const fs::path& path : m_options.kept)
        m_kept.push_back(namedFile({}, path.string()));
}

bool WriteDoor::isKept(const fs::path& path) const {
    // SQLite keeps files beside a database.
    static constexpr std::string_view endings[]{"", "-wal", "-shm", "-journal"};
    return std::ranges::any_of(m_kept, [&](const fs::path& kept) {
        std::error_code error;
        return fs::equivalent(kept, path, error) ||
               std::ranges::any_of(endings, [&](std::string_view ending) {
                   return path == kept.string() + std::string(ending);
               });
    });
}

Result<void> WriteDoor::checkExisting(const fs::path& path, const std::string& place) const {
    std::error_code error;
    const fs::file_type type = fs::symlink_status(path, error).type();
    if (type == fs::file_type::not_found)
        return {};
    if (type == fs::file_type::directory)
        return failure(doorRefuses(Trouble::World, "file/is-a-folder", place,
                                   fmt::format("{} is a folder", path.string()), "name a file inside it"));
    if (type != fs::file_type::regular)
        return failure(doorRefuses(Trouble::World, "file/not-regular", place,
                                   fmt::format("{} is no regular file", path.string()),
                                   "name a file of the project's folder"));
    if (!m_written.contains(path) && !isOwnProduct(path))
        return failure(doorRefuses(Trouble::World, "file/exists", place,
                                   fmt::format("{} exists and was not written by a run", path.string()),
                                   "move it away, or name another file"));
    if (!isWritable(path))
        return failure(doorRefuses(Trouble::World, "file/not-writable", place,
                                   fmt::format("{} cannot be written", path.string()),
                                   "check the permissions of the file"));
    return {};
}

Result<fs::path> WriteDoor::admit(const std::string& name, const std::string& place) const {
    const bool isPlain = !name.empty() && std::ranges::none_of(name, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    if (!isPlain)
        return failure(doorRefuses(Trouble::Input, "project/name", place,
                                   "is no name of a file: it is empty or holds control characters",
                                   "give a name such as \"weights.h5\""));
    if (name.back() == '/')
        return failure(doorRefuses(Trouble::Input, "project/name", place, "names a folder, not a file",
                                   "leave out the / at its end, or name a file inside the folder"));
    fs::path path = namedFile(m_options.folder, name);
    if (!m_options.grants.outside && !isInside(m_folder, path))
        return failure(doorRefuses(
            Trouble::Input, "project/outside", place,
            fmt::format("{} is outside the project's folder {}", path.string(), m_folder.string()),
            "name a file inside the folder, or allow it: run … --allow-outside"));
    if (!m_options.grants.outside && isHidden(m_folder, path))
        return failure(doorRefuses(
            Trouble::Input, "project/hidden", place,
            fmt::format(
                "{} is hidden (its name or a folder's begins with a dot): other programs may run what "
                "stands in such files",
                path.string()),
            "name a file that people see, or allow it: run … --allow-outside"));
    if (isKept(path))
        return failure(doorRefuses(
            Trouble::Input, "project/own-file", place,
            fmt::format("{} is the project, its database or its data, which a run never writes over",
                        path.string()),
            "name another file"));
    if (auto result = checkExisting(path, place); !result)
        return failure(result.error());
    const fs::path folder = path.parent_path();
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder, error))
        return failure(doorRefuses(Trouble::World, "file/missing-folder", place,
                                   fmt::format("the folder {} cannot be made", folder.string()),
                                   "make the folder first, or name another"));
    if (!isWritable(folder))
        return failure(doorRefuses(Trouble::World, "file/not-writable", place,
                                   fmt::format("nothing can be written into the folder {}", folder.string()),
                                   "check the permissions of the folder"));
    return path;
}

void WriteDoor::noteWritten(const fs::path& path) {
    if (m_written.insert(path).second && m_options.written)
        m_options.written(path);
}

} // namespace core
