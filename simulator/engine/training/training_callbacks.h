#pragma once

#include "core/base/write_door.h"
#include "core/config/training_options.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace simulator {

/// Means of an epoch by name, in order: "loss", metrics, then "val_…".
using EpochLogs = std::vector<std::pair<std::string, double>>;

/// What callbacks can do to a training run.
struct TrainingControl {
    /// Saves the weights as they are.
    std::function<core::Result<void>(const std::filesystem::path&)> saveWeights;
    /// Remembers the weights in memory, and takes them back.
    std::function<void()> keepWeights;
    std::function<void()> restoreWeights;
    /// The factor on the learning rate of the updates to come, and the rate it gives now.
    std::function<double()> learningRate;
    std::function<void(double)> setLearningRate;
    /// Writes all that the run would need to go on from here with so many epochs done.
    std::function<core::Result<void>(const std::filesystem::path&, std::int64_t)> saveBackup;
    /// Goes on from such a file: the epochs that are done; nothing where there is no file.
    std::function<core::Result<std::optional<std::int64_t>>(const std::filesystem::path&)> loadBackup;
    /// Told to the person at the end.
    std::function<void(std::string callback, std::string what)> tell;
};

/// One of Keras' callbacks. Source of each rule: tf.keras.callbacks.
class TrainingCallback {
public:
    virtual ~TrainingCallback() = default;
    /// Before anything is computed: whether its files can be written. Errors: those of core::WriteDoor.
    [[nodiscard]] virtual core::Result<void> checkFiles() const { return {}; }
    /// Before the first epoch. Answers how many epochs need not be run. Errors: those of reading files.
    [[nodiscard]] virtual core::Result<std::int64_t> trainingBegins(const TrainingControl&) { return 0; }
    /// After each weight update. True: training stops here.
    [[nodiscard]] virtual bool updateEnds(std::int64_t /*epoch*/, double /*loss*/, const TrainingControl&) {
        return false;
    }
    /// True: training stops here. Errors: those of writing files.
    [[nodiscard]] virtual core::Result<bool> epochEnds(std::int64_t /*epoch*/, const EpochLogs&,
                                                       const TrainingControl&) {
        return false;
    }
    /// The training came to its end; one that failed or was cancelled does not.
    virtual void trainingEnds() {}
    /// Whether it writes backups, so that the run has to keep what it recorded.
    [[nodiscard]] virtual bool writesBackups() const { return false; }
    /// Numbers to go on from after an interruption, and back; null for one that needs none.
    [[nodiscard]] virtual core::Json state() const { return nullptr; }
    virtual void setState(const core::Json&) {}
};

/// The callbacks of a project that act while it trains, in its order; whatever they write goes through the
/// door. A backup comes last: it holds what the others made of the epoch. Errors: files that cannot be
/// written, those of core::WriteDoor.
[[nodiscard]] core::Result<std::vector<std::unique_ptr<TrainingCallback>>>
makeCallbacks(const std::vector<core::KerasObject>& callbacks, const std::shared_ptr<core::WriteDoor>& door);

/// Whether one of the class is there; its config with defaults filled in.
[[nodiscard]] std::optional<core::Json> callbackConfig(const std::vector<core::KerasObject>& callbacks,
                                                       std::string_view className);

} // namespace simulator
