#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>

namespace core {

/// Whether objects of a class with that base are optimizers.
[[nodiscard]] bool isOptimizerBase(const std::string& base);
/// What super().__init__() of such a class makes: the optimizer that its base is, where the base has a rule.
void beginOptimizer(const PythonApiCall& call, const PythonInstance& object);
/// The optimizer that an object is when it is made: its base, or the one that it wraps; a warning names what
/// its class does beyond. Refuses objects that are neither.
PythonValue finishOptimizer(PythonProgramBuilder& builder, PythonInterpreter& interpreter,
                            const PythonInstance& object, PythonPlace place);
/// While such a class is asked what it makes of gradients: what the optimizer within it answers; nothing
/// else.
[[nodiscard]] std::optional<PythonValue> askedRule(PythonProgramBuilder& builder, const std::string& name,
                                                   const PythonArguments& arguments);

} // namespace core
