#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace core {

/// Writes all of `content`, however many calls that takes; false with `errno` when one is refused.
[[nodiscard]] bool writeAll(int descriptor, std::string_view content);

/// Gives `target` exactly `content` and `mode` (permission bits): a temporary file beside it,
/// `.NAME.TAG.XXXXXX` with the tag of this process, is written, flushed to disk and renamed, so that whatever
/// interrupts, `target` is the old file or the whole new one. The first call for a folder also takes away
/// what dead processes left there. Answers 0 or the `errno` of what refused; nothing is left then.
[[nodiscard]] int replaceFile(const std::filesystem::path& target, std::string_view content,
                              std::uint32_t mode);

/// Takes the next piece of a file; false when it is refused.
using PieceWriter = std::function<bool(std::string_view)>;
/// The same with content that is handed over piece by piece, as it is too much to be held. `content` answers
/// whether that was all of it; what it gives up is left as it was (ECANCELED).
[[nodiscard]] int replaceFile(const std::filesystem::path& target,
                              const std::function<bool(const PieceWriter& write)>& content,
                              std::uint32_t mode);

/// `PREFIX-TAG-XXXXXX` in the folder for temporary files, a pattern for mkstemp and mkdtemp; empty when there
/// is no such folder.
[[nodiscard]] std::string temporaryPattern(std::string_view prefix);

/// Removes files and folders of `folder` whose name ends with the tag of a dead process and six characters
/// behind it; those of a process elsewhere only when they have not been changed for a day. Never those of
/// another user, and nothing that has no tag.
void removeTemporariesOfTheDead(const std::filesystem::path& folder);

} // namespace core
