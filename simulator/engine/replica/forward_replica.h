#pragma once

#include "core/base/write_door.h"
#include "core/config/ipu_config/ipu_config.h"
#include "simulator/engine/replica/training_replica.h"

#include <filesystem>

namespace simulator {

/// A replica that only computes forwards, for passes beside the training: its weights are copied from the
/// replica that trains. `folder`: where the libraries of user operations are looked for. Errors: those of
/// admitUserLibraries and of TrainingReplica::make.
[[nodiscard]] core::Result<TrainingReplica> forwardReplica(TrainingGraph graph, const core::IpuConfig& config,
                                                           const std::filesystem::path& folder,
                                                           const core::ProjectGrants& grants);

} // namespace simulator
