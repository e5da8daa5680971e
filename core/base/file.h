#pragma once

#include "core/base/result.h"
#include "core/platform/file_descriptor.h"
#include "core/platform/temporary_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// The whole content of a regular file; pipes and devices are refused before they are opened. Errors
/// (Trouble::World): "file/missing", "file/is-a-folder", "file/unreadable", "file/too-large" when it has more
/// than `limit` bytes.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path,
                                           std::uintmax_t limit = std::uintmax_t{4} * 1024 * 1024 * 1024);

/// What the standard input gives up to its end, at most FileLimit::standardInput. Errors: "file/unreadable",
/// "file/too-large".
[[nodiscard]] Result<std::string> readStandardInput(std::uintmax_t limit);

/// A regular file of which any part can be read, as often as one likes and from several threads.
class FileReader {
public:
    /// Errors as of `readFile`.
    [[nodiscard]] static Result<FileReader> open(const std::filesystem::path& path);

    /// In bytes, when it was opened.
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// Fills `bytes` from `offset` on. Errors: "file/unreadable", also when the file has become shorter.
    [[nodiscard]] Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) const;

private:
    FileReader(std::filesystem::path path, FileDescriptor file)
        : m_path(std::move(path))
        , m_file(std::move(file)) {}

    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_size = 0;
};

enum class Overwrite : bool { Refuse, Replace };

/// Writes `content` so that `path` holds either the old bytes or all the new ones, whatever interrupts: a
/// temporary file in the same folder is written, flushed to disk and renamed. A symbolic link is followed,
/// permissions of an existing file are kept. A device or a pipe is written in place. With Links::Refuse the
/// path is one that was resolved: nothing is written where links have come into it since. Errors
/// (Trouble::World): "file/exists", "file/is-a-folder", "file/missing-folder", "file/not-writable",
/// "file/disk-full".
[[nodiscard]] Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content,
                                               Overwrite overwrite, Links links = Links::Follow);

/// Hands content over piece by piece, as it is too much to be held: ends with the first error of `write`, or
/// with one of its own.
using WritePiece = std::function<Result<void>(std::string_view)>;
using ContentPieces = std::function<Result<void>(const WritePiece& write)>;
/// The same of such content; nothing is written where it ends with an error.
[[nodiscard]] Result<void> writePiecesAtomically(const std::filesystem::path& path,
                                                 const ContentPieces& content, Overwrite overwrite,
                                                 Links links = Links::Follow);

} // namespace core
