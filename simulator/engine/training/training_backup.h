#pragma once

#include "core/profile/records/training_records.h"
#include "simulator/engine/replica/training_replica.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>

namespace simulator {

/// What a training run goes on from, beside its tensors.
struct BackupState {
    /// Epochs that are done.
    std::int64_t epochs = 0;
    double rateFactor = 1;
    /// Of a dynamic loss scale; null without one.
    core::Json lossScale = nullptr;
    /// State of each callback, in order.
    core::Json callbacks = core::Json::array();
    /// Everything the run has recorded so far.
    std::vector<core::MetricRecord> records;
    core::TrainingRecords trainingRecords;
};

/// Writes weights, states, optimizer slots of all replicas and the state into one file, which holds the old
/// backup or all of the new one, whatever interrupts.
[[nodiscard]] core::Result<void> saveBackup(const std::filesystem::path& path,
                                            std::span<const TrainingReplica> replicas,
                                            const BackupState& state);

/// Reads a backup into the replicas; nothing where there is none. Errors: "backup/damaged",
/// "backup/other-model" for one of another model, optimizer or number of replicas.
[[nodiscard]] core::Result<std::optional<BackupState>> loadBackup(const std::filesystem::path& path,
                                                                  std::span<TrainingReplica> replicas);

/// Runs `restore`, which takes the parts of a state that its owners wrote (callbacks, the loss scale) back
/// into them. Error: "backup/damaged" when one finds it of another form.
[[nodiscard]] core::Result<void> restoreState(const std::filesystem::path& path,
                                              const std::function<void()>& restore);

} // namespace simulator
