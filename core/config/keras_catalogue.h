#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/catalogue/callbacks.h"
#include "core/catalogue/losses.h"
#include "core/catalogue/optimizers.h"
#include "core/config/training_options.h"

#include <optional>
#include <string>

namespace core {

/// Reads a Keras object as Keras does: a bare text ("sgd", "mse", "accuracy") or {"class_name", "config"}.
/// Files an error for an unknown class or key (with the nearest known one) and for a value of the wrong kind.
[[nodiscard]] std::optional<KerasObject> readKerasObject(const Json& value, const KerasCatalogue& catalogue,
                                                         const std::string& file, const std::string& pointer,
                                                         Diagnostics& findings);

/// A bare text where one says it all, else {"class_name", "config"}.
[[nodiscard]] Json toJson(const KerasObject& object, const KerasCatalogue& catalogue);

/// The object's `config` with every key of its class, defaults filled in. `object` must be of the catalogue.
[[nodiscard]] Json resolvedConfig(const KerasObject& object, const KerasCatalogue& catalogue);

/// The optimizer of a project; where none is set, Keras' own default, RMSprop.
[[nodiscard]] KerasObject optimizerOf(const TrainingOptions& training);

/// The optimizer that a LossScaleOptimizer wraps; any other optimizer itself.
[[nodiscard]] KerasObject unwrappedOptimizer(const KerasObject& optimizer);

/// Whether an optimizer keeps variables beside the weights (momentum, moments): all but plain SGD.
[[nodiscard]] bool keepsState(const KerasObject& optimizer);

/// The name under which Keras reports a metric: its `name`, else its class in snake case ("accuracy",
/// "mean_squared_error").
[[nodiscard]] std::string reportedName(const KerasObject& metric);

} // namespace core
