#pragma once

#include "core/interchange/python/apis/models/model_call.h"

#include <optional>

namespace core {

/// The callback of Keras that asks a function of the program for the learning rate of each epoch, as a
/// callback of a project: it is asked now, for the epochs that are trained. Nothing where what it answers
/// is no number that the program holds.
[[nodiscard]] std::optional<Json> ratesByEpoch(const ModelCall& call, const PythonLibraryObject& callback);

} // namespace core
