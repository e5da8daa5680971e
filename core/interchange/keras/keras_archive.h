#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <string_view>

namespace core {

/// True for the bytes of a `.keras` file: a ZIP archive.
[[nodiscard]] bool isKerasArchive(std::string_view bytes);

/// The model of a `.keras` file, from its `config.json`; weights are not read. Errors: those of ZipArchive
/// and `readKerasModel`.
[[nodiscard]] Result<ModelGraph> readKerasArchive(std::string_view bytes, std::string_view file,
                                                  Diagnostics& warnings);

} // namespace core
