#pragma once

#include "core/interchange/python/apis/models/model_call.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace core {

/// The callback of Keras that asks a function of the program for the learning rate of each epoch, as a
/// callback of a project: it is asked now, for the epochs that are trained. Nothing where what it answers
/// is no number that the program holds.
[[nodiscard]] std::optional<Json> ratesByEpoch(const ModelCall& call, const PythonLibraryObject& callback);

/// The same of a callback of the program that sets the rate when an epoch begins.
[[nodiscard]] std::optional<Json> ratesByEpoch(const ModelCall& call, const PythonInstance& callback);

/// The position of `initial_epoch` among the arguments of fit().
inline constexpr std::size_t initialEpochAt = 11;
/// The epoch that a fit() begins with.
[[nodiscard]] std::int64_t firstEpoch(const ModelCall& call);

/// Makes a rate for each epoch of those that are set between the calls of fit(), at the program's end.
void settleSetRates(PythonProgramBuilder& builder);

} // namespace core
