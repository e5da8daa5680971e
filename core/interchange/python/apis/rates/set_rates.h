#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace core {

/// The code of a refusal that says which loop (`PythonProgramBuilder::loopAt`) has to be followed round by
/// round.
inline constexpr const char* pythonEachRound = "python/each-round";

/// The code of one that says that a variable which is a number is assigned another.
inline constexpr const char* pythonAssignedNumber = "python/assigned-number";

/// The model that was compiled with an optimizer, if it is one; else `PythonData::ofNoModel`.
[[nodiscard]] std::int64_t modelCompiledWith(const PythonProgramBuilder& builder,
                                             const PythonConfigured& optimizer);
/// The learning rate of an optimizer, as a value that a program reads and sets.
[[nodiscard]] PythonValue rateOfOptimizer(const PythonProgramBuilder& builder,
                                          const PythonConfigured& optimizer);
/// A rate is set: of the optimizer where nothing was trained with it, else from there on. What only a run
/// knows is left out with a warning.
void setLearningRate(PythonProgramBuilder& builder, const PythonData& rate, const PythonValue& value,
                     PythonPlace place);
/// The number of a rate where the program is; nothing: only a run knows it.
[[nodiscard]] std::optional<double> rateNow(const PythonProgramBuilder& builder, const PythonData& rate);
/// Whether a value is the learning rate of an optimizer.
[[nodiscard]] bool isRate(const PythonValue& value);
/// A value, or the number of the rate that it is.
[[nodiscard]] PythonValue withRateNow(const PythonProgramBuilder& builder, const PythonValue& value);
/// A loop of the program is about to train a model for a step with this optimizer.
void noteRate(PythonProgramBuilder& builder, std::int64_t model, const Json& optimizer);
/// At the program's end: the rates that loops of it set, as a schedule of their optimizers.
void settleStepRates(PythonProgramBuilder& builder);

/// Rates that the program sets between one fit() and the next, where an optimizer keeps them until the
/// epochs are counted: [[the epoch from which on it holds, the rate], …].
inline constexpr const char* pythonSetRates = "$rates";
/// Only what is trained behind so many epochs counts: the rate set last is the one that it begins with.
void forgetRatesBefore(Json& optimizer, std::int64_t epochs = std::numeric_limits<std::int64_t>::max());
/// The rate that training with an optimizer begins with; nothing where it is a schedule.
[[nodiscard]] std::optional<double> firstRate(const Json& optimizer);
/// Whether a callback changes the rate of the optimizer by itself.
[[nodiscard]] bool changesRate(const Json& callback);

} // namespace core
