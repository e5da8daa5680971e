#pragma once

#include "core/platform/file_descriptor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace core {

/// Gives `target` exactly `content` and `mode` (permission bits): a temporary file beside it,
/// `.NAME.TAG.XXXXXX` with the tag of this process, is written, flushed to disk and renamed, so that whatever
/// interrupts, `target` is the old file or the whole new one. The first call for a folder also takes away
/// what dead processes left there. Answers 0 or the `errno` of what refused; nothing is left then.
[[nodiscard]] int replaceFile(const std::filesystem::path& target, std::string_view content,
                              std::uint32_t mode);

/// Whether links are followed that stand where a folder of the path should be.
enum class Links : bool { Follow, Refuse };

/// Takes the next piece of a file; false when it is refused.
using PieceWriter = std::function<bool(std::string_view)>;
/// The same with content that is handed over piece by piece, as it is too much to be held. `content` answers
/// whether that was all of it; what it gives up is left as it was (ECANCELED).
[[nodiscard]] int replaceFile(const std::filesystem::path& target,
                              const std::function<bool(const PieceWriter& write)>& content,
                              std::uint32_t mode, Links links = Links::Follow);

/// `PREFIX-TAG-XXXXXX` in the folder for temporary files, a pattern for mkstemp and mkdtemp; empty when there
/// is no such folder.
[[nodiscard]] std::string temporaryPattern(std::string_view prefix);

/// A file in the folder for temporary files. It has no name, so that nothing of it is left however the
/// process ends, and goes with this object; who has opened it meanwhile keeps its content.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view prefix);

    /// Opens it once more, while this object is there.
    [[nodiscard]] std::filesystem::path path() const { return pathOf(m_file); }
    /// False where it could not be made, or there is no more space.
    [[nodiscard]] bool append(std::string_view bytes) const;
    /// Fills `bytes` with what was appended from `offset` on; false where that is not so much, or refused.
    [[nodiscard]] bool readAt(std::uint64_t offset, std::span<std::byte> bytes) const;

private:
    FileDescriptor m_file;
};

/// An empty file beside `target`, `.NAME.TAG.XXXXXX`, for what is written to by its name before it is
/// renamed; it is the caller's to take away. Empty with `errno` when it is refused.
[[nodiscard]] std::filesystem::path emptyFileBeside(const std::filesystem::path& target);

/// Removes what dead processes left beside a file, once for each folder as long as this process lasts.
void tidyBeside(const std::filesystem::path& file);

/// Removes files and folders of `folder` whose name ends with the tag of a dead process and six characters
/// behind it; those of a process elsewhere only when they have not been changed for a day. Never those of
/// another user, and nothing that has no tag.
void removeTemporariesOfTheDead(const std::filesystem::path& folder);

} // namespace core
