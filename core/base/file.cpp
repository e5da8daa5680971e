#include "core/base/file.h"

#include "core/base/file_limit.h"
#include "core/platform/file_descriptor.h"
#include "core/platform/temporary_file.h"
#include "core/platform/work_scope.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace fs = std::filesystem;

namespace {

Diagnostic worldRefused(const fs::path& path, std::string code, std::string message, std::string hint) {
    return makeError(Trouble::World, std::move(code), {path.string(), ""}, std::move(message),
                     {std::move(hint)});
}

Diagnostic writeRefused(const fs::path& path, int error) {
    if (isDiskFull(error))
        return worldRefused(path, "file/disk-full", "the disk is full",
                            "free some space; nothing was changed");
    return worldRefused(path, "file/not-writable", fmt::format("cannot be written: {}", std::strerror(error)),
                        "check the permissions of the file and its folder");
}

/// A device or a pipe holds nothing that could be lost, and must not be replaced by a file.
Result<void> writeInPlace(const fs::path& path, const ContentPieces& content) {
    const FileDescriptor file = [&] {
        const ReadingScope waiting; // a FIFO waits for its reader
        return openInPlace(path);
    }();
    if (!file.isOpen())
        return failure(writeRefused(path, errno));
    return content([&](std::string_view piece) -> Result<void> {
        if (!writeAll(file, piece))
            return failure(writeRefused(path, errno));
        return {};
    });
}

Diagnostic notRegular(const fs::path& path) {
    return worldRefused(path, "file/unreadable", "is not a regular file", "copy it into a file");
}

Diagnostic unreadable(const fs::path& path, const char* hint) {
    return worldRefused(path, "file/unreadable", fmt::format("cannot be read: {}", std::strerror(errno)),
                        hint);
}

Result<OpenedFile> openForReading(const fs::path& path) {
    OpenedFile opened = openRegularFile(path);
    switch (opened.outcome) {
    case OpenOutcome::Opened:
        return opened;
    case OpenOutcome::Missing:
        return failure(worldRefused(path, "file/missing", "no such file", "check the spelling of the path"));
    case OpenOutcome::IsFolder:
        return failure(
            worldRefused(path, "file/is-a-folder", "is a folder, not a file", "name a file inside it"));
    case OpenOutcome::NotRegular:
        return failure(notRegular(path));
    case OpenOutcome::Refused:
        break;
    }
    return failure(unreadable(path, "check the permissions of the file"));
}

} // namespace

Result<FileReader> FileReader::open(const fs::path& path) {
    auto opened = openForReading(path);
    if (!opened)
        return failure(opened.error());
    FileReader reader(path, std::move(opened->file));
    reader.m_size = opened->size;
    return reader;
}

Result<void> FileReader::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    const ReadingScope reading;
    while (!bytes.empty()) {
        const auto count = readSomeAt(m_file, offset, bytes);
        if (!count)
            return failure(unreadable(m_path, "check the file and its disk"));
        if (*count == 0)
            return failure(
                worldRefused(m_path, "file/unreadable",
                             fmt::format("ends at byte {}: it became shorter while it was read", offset),
                             "check the file and its disk"));
        bytes = bytes.subspan(*count);
        offset += *count;
    }
    return {};
}

namespace {

Diagnostic tooLarge(const fs::path& path, std::uintmax_t limit) {
    return worldRefused(path, "file/too-large", fmt::format("has more than {} bytes", limit),
                        "is this the right file?");
}

using ReadBlock = std::function<std::optional<std::size_t>(std::span<std::byte>)>;

/// To its end and not to its size: files of /proc say 0, others grow meanwhile.
Result<std::string> readToEnd(const ReadBlock& read, const fs::path& path, std::string content,
                              std::uintmax_t limit) {
    std::array<std::byte, 1 << 16> block{};
    while (true) {
        const auto count = read(block);
        if (!count)
            return failure(unreadable(path, "is the disk healthy?"));
        if (*count == 0)
            return content;
        if (content.size() + *count > limit)
            return failure(tooLarge(path, limit));
        content.append(reinterpret_cast<const char*>(block.data()), *count);
    }
}

} // namespace

Result<std::string> readFile(const fs::path& path, std::uintmax_t limit) {
    const ReadingScope reading;
    const auto opened = openForReading(path);
    if (!opened)
        return failure(opened.error());
    if (opened->size > limit)
        return failure(tooLarge(path, limit));
    std::string content;
    content.reserve(static_cast<std::size_t>(opened->size));
    // Some files of /proc never end: not far beyond the size either.
    constexpr std::uintmax_t growthBytes = std::uintmax_t{16} << 20U;
    return readToEnd([&](std::span<std::byte> bytes) { return readSome(opened->file, bytes); }, path,
                     std::move(content), std::min(limit, 2 * opened->size + growthBytes));
}

Result<std::string> readStandardInput(std::uintmax_t limit) {
    const ReadingScope reading;
    auto content = readToEnd(readSomeOfStandardInput, "stdin", {}, std::min(limit, FileLimit::standardInput));
    if (!content && content.error().front().code == "file/too-large")
        content.error().front().hints = {"put it into a file, and name that instead of -"};
    return content;
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view content, Overwrite overwrite,
                                 Links links) {
    return writePiecesAtomically(
        path, [&](const WritePiece& write) { return write(content); }, overwrite, links);
}

Result<void> writePiecesAtomically(const fs::path& path, const ContentPieces& content, Overwrite overwrite,
                                   Links links) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::directory)
        return failure(worldRefused(path, "file/is-a-folder", "is a folder", "name a file inside it"));
    const bool exists = fs::exists(status);
    if (exists && !fs::is_regular_file(status))
        return writeInPlace(path, content);
    if (exists && overwrite == Overwrite::Refuse)
        return failure(worldRefused(path, "file/exists", "exists already", "use --force to replace it"));
    if (!exists && fs::is_symlink(path, error))
        return failure(worldRefused(path, "file/dangling-link", "is a symbolic link to nothing that exists",
                                    "name the file itself, or remove the link"));
    const fs::path target = exists && links == Links::Follow ? fs::canonical(path, error) : path;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        return failure(worldRefused(path, "file/missing-folder",
                                    fmt::format("the folder {} does not exist", folder.string()),
                                    "make the folder first"));
    if (exists && !isWritable(target))
        return failure(writeRefused(path, errno));

    Result<void> whole;
    const auto pieces = [&](const PieceWriter& write) {
        whole = content([&](std::string_view piece) -> Result<void> {
            if (!write(piece))
                return failure(writeRefused(path, errno));
            return {};
        });
        return whole.has_value();
    };
    if (const int refused = replaceFile(target, pieces, modeToWrite(target), links); refused != 0 && whole)
        return failure(writeRefused(path, refused));
    return whole;
}

} // namespace core
