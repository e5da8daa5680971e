#pragma once

#include "core/base/result.h"
#include "core/project/project.h"

#include <cstdint>
#include <string>

namespace core {

/// Editions of the IPU extensions: 2.4 sets options by methods of Keras' own classes, 2.1 has classes of its
/// own that take them.
enum class PythonApi : std::uint8_t { TensorFlow24, TensorFlow21 };

/// A complete program that builds the project's model, stages, options, compile and fit, as far as Python has
/// words for them. Errors: "python/api" for what TensorFlow 2.1 does not know.
[[nodiscard]] Result<std::string> writeProgramText(const Project& project, PythonApi api);

} // namespace core
