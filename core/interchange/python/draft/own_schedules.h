#pragma once

#include "core/interchange/python/draft/program_builder.h"
#include "core/interchange/python/language/interpreter.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace core {

/// A schedule of learning rates that a class of the program computes, given to an optimizer: what stands for
/// it until the length of the training is known.
[[nodiscard]] PythonValue ownSchedule(PythonProgramBuilder& builder, const PythonInstance& object,
                                      PythonPlace place);
/// The same of one that the program computes otherwise.
[[nodiscard]] PythonValue scheduleOf(PythonProgramBuilder& builder,
                                     PythonProgramBuilder::OwnSchedule schedule);
/// How often the training of a model updates the weights at most; nothing: a run alone knows.
using PythonUpdates = std::function<std::optional<std::int64_t>(std::int64_t model)>;
/// The schedules of an optimizer's JSON that count so many steps for each update of the weights count
/// updates.
void countUpdates(PythonProgramBuilder& builder, Json& optimizer, std::int64_t steps);
/// At the program's end: the rates of such schedules for the updates of each training.
void settleSchedules(PythonInterpreter& interpreter, PythonProgramBuilder& builder,
                     const PythonUpdates& updatesOf);

} // namespace core
