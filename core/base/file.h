#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace core {

/// The whole content of a regular file. Errors (Trouble::World): "file/missing", "file/is-a-folder",
/// "file/unreadable", "file/too-large" when it has more than `limit` bytes.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path,
                                           std::uintmax_t limit = std::uintmax_t{4} * 1024 * 1024 * 1024);

enum class Overwrite : bool { Refuse, Replace };

/// Writes `content` so that `path` holds either the old bytes or all the new ones, whatever interrupts: a
/// temporary file in the same folder is written, flushed to disk and renamed. A symbolic link is followed,
/// permissions of an existing file are kept. A device or a pipe is written in place. Errors (Trouble::World):
/// "file/exists", "file/is-a-folder", "file/missing-folder", "file/not-writable", "file/disk-full".
[[nodiscard]] Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content,
                                               Overwrite overwrite);

} // namespace core
