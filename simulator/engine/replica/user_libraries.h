#pragma once

#include "core/base/write_door.h"
#include "simulator/engine/replica/training_program.h"

#include <filesystem>

namespace simulator {

/// Makes the libraries that user operations name the files they mean, from the project's folder on, so that
/// no search path of the system is asked. Nothing is loaded here. Errors: "project/user-code" for a library
/// that the grants do not allow; "numerics/user-operation" for one that is no regular file.
[[nodiscard]] core::Result<void> admitUserLibraries(TrainingProgram& program,
                                                    const std::filesystem::path& folder,
                                                    const core::ProjectGrants& grants);

} // namespace simulator
