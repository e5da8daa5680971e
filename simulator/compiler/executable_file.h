#pragma once

#include "core/base/job_context.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/project/project.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/program/executable.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace simulator {

/// The version of executable files that this program writes and reads.
inline constexpr std::int64_t executableFileVersion = 1;

/// A compiled project on its way to or from a file: what it was compiled from and for, and what the costly
/// passes found. The other passes are run again when it is loaded.
struct StoredExecutable {
    std::string programVersion;
    std::string costModelVersion;
    core::RunMode mode = core::RunMode::Train;
    core::Project project;
    /// The figures of the chip, as a target file has them.
    core::Json target;
    CompiledParts parts;
};

/// The content of an executable file. The same executable gives the same bytes.
[[nodiscard]] std::string writeExecutable(const Executable& executable);

/// Reads an executable file; `file` names it in diagnostics. Errors: "executable/format" (no executable, or
/// damaged), "executable/version" (of another version of the file, the program or its cost model).
[[nodiscard]] core::Result<StoredExecutable> readExecutable(std::string_view content,
                                                            const std::string& file);

/// The executable of `project` without planning and ordering its operations again. Refuses, each with all
/// that differs, what the executable was not compiled for: "executable/mode", "executable/target" (a figure
/// of the chip), "executable/options" (by option), "executable/model" (layers or stages). Epochs, datasets,
/// seeds and initial weights may differ, and how the program attaches to its device, as long as that leaves
/// remote memory where it was.
[[nodiscard]] core::Result<Executable> loadExecutable(const StoredExecutable& stored,
                                                      const core::ValidatedProject& project,
                                                      const std::filesystem::path& folder = {},
                                                      const core::JobContext& job = {});

} // namespace simulator
