#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string_view>

namespace core {

struct KerasCatalogue;

/// An object of a class with a configuration: a loss, a metric, a regularizer. Positional arguments are named
/// by the catalogue; null: they are refused.
PythonValue makeConfigured(const PythonApiCall& call, const KerasCatalogue* catalogue);
/// The initializer of Keras that starts weights from a list or an array: a Constant where its numbers are all
/// the same one, else what comes near it, with a warning. Nothing: `value` is neither.
[[nodiscard]] std::optional<PythonValue> initializerOfNumbers(const PythonApiCall& call,
                                                              const PythonValue& value);
/// makeConfigured() of an optimizer: its first argument is the learning rate, and a run may feed its numbers.
PythonValue makeOptimizer(const PythonApiCall& call);
/// Whether Keras has a metric of that class that a run does not measure.
[[nodiscard]] bool isUnmeasuredMetric(std::string_view className);
/// Whether a class of the program is derived from Keras' base class of schedules.
[[nodiscard]] bool isScheduleBase(const std::string& base);
PythonValue makeRegularizer(const PythonApiCall& call);
/// JSON as dictionaries, lists and constants. `hook`: what the program makes of each object; null: it stays a
/// dictionary.
PythonValue pythonFromJson(const PythonApiCall& call, const Json& json, const PythonValue* hook = nullptr);

/// get() and deserialize() of a module of Keras: the object that a name or {"class_name", "config"} stands
/// for, and else what is given.
PythonValue objectOfName(const PythonApiCall& call);
/// from_config() of a class of Keras.
PythonValue objectOfConfig(const PythonApiCall& call);
/// serialize() of a module of Keras: {"class_name", "config"}, or a name.
PythonValue serializedObject(const PythonApiCall& call);
/// A callback with what is known of it; others are left out with a warning.
PythonValue makeCallback(const PythonApiCall& call, const std::string& className);
/// The class of a LearningRateScheduler with its function `schedule`, which is asked where training begins.
inline constexpr const char* pythonRateScheduler = "keras.callbacks.LearningRateScheduler";
/// An optimizer that multiplies the loss: today's arguments, or the scale as TensorFlow 2.1 takes it.
PythonValue makeLossScaleOptimizer(const PythonApiCall& call);
/// DynamicLossScale, which LossScaleOptimizer of TensorFlow 2.1 takes.
PythonValue makeLossScale(const PythonApiCall& call);

} // namespace core
