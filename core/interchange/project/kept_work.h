#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace core {

/// Unsaved work as an autosave file holds it.
struct KeptWork {
    /// The project's own file; empty when it had none.
    std::string projectFile;
    std::string name;
    /// When it was kept, as ISO 8601; whatever else stands there is for its reader to refuse.
    std::string kept;
    /// Who wrote it (core/platform/process_identity.h).
    std::string process;
    /// The project itself, not read yet.
    std::string project;
};

/// Errors: those of `parseJson`; "autosave/damaged" (place: the value) for a file of another form.
[[nodiscard]] Result<KeptWork> readKeptWork(std::string_view text, const std::string& file);

} // namespace core
