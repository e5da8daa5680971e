#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "simulator/target/ipu_target.h"

#include <filesystem>
#include <string_view>

namespace simulator {

/// Reads a target file: `{"format": "ipu-workbench-target", "version": 1, "name": "fast", "based_on": "ipu2",
/// "clock_hz": 2.0e9, …}`. Any figure of the table may be given; the others are those of `based_on`
/// (ipu2 when absent), and "intervals" say how well figures predicted on it are known. Strict: unknown keys,
/// wrong types and values out of bounds are all reported.
[[nodiscard]] core::Result<IpuTarget> readTarget(std::string_view text, std::string_view file);

/// The target of that name in the catalogue, else the target file of that path (relative to `folder`).
/// Errors: "target/unknown" naming the nearest target, or what is wrong with the file.
[[nodiscard]] core::Result<IpuTarget> resolveTarget(std::string_view nameOrPath,
                                                    const std::filesystem::path& folder = {});

/// `overrides` (figure name to value) applied over `target`; findings name the place below `pointer`.
[[nodiscard]] core::Result<IpuTarget> overrideFigures(IpuTarget target, const core::Json& overrides,
                                                      std::string_view file, std::string_view pointer);

/// All figures of a target, as a target file that reads back to the same target.
[[nodiscard]] core::Json toJson(const IpuTarget& target);

} // namespace simulator
