#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace core {

/// True for the bytes of a `.keras` file: a ZIP archive.
[[nodiscard]] bool isKerasArchive(std::string_view bytes);

/// The text of `config.json`: model and what it was compiled with. Errors: those of ZipArchive.
[[nodiscard]] Result<std::string> kerasArchiveText(std::string_view bytes, std::string_view file);

} // namespace core
