#pragma once

#include "core/config/training_options.h"
#include "core/profile/records/records.h"

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
    /// Told to the person at the end.
    std::function<void(std::string callback, std::string what)> tell;
};

/// One of Keras' callbacks at the ends of epochs. Source of each rule: tf.keras.callbacks.
class TrainingCallback {
public:
    virtual ~TrainingCallback() = default;
    /// True: training stops here. Errors: those of writing files.
    [[nodiscard]] virtual core::Result<bool> epochEnds(std::int64_t epoch, const EpochLogs& logs,
                                                       const TrainingControl& control) = 0;
    /// Numbers to go on from after an interruption, and back.
    [[nodiscard]] virtual core::Json state() const { return core::Json::object(); }
    virtual void setState(const core::Json&) {}
};

/// The callbacks of a project that act at the ends of epochs, in its order; files start at `folder`.
[[nodiscard]] std::vector<std::unique_ptr<TrainingCallback>>
makeCallbacks(const std::vector<core::KerasObject>& callbacks, const std::filesystem::path& folder);

/// Whether one of the class is there; its config with defaults filled in.
[[nodiscard]] std::optional<core::Json> callbackConfig(const std::vector<core::KerasObject>& callbacks,
                                                       std::string_view className);

} // namespace simulator
