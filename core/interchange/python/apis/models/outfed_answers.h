#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

namespace core {

/// At the program's end: what loops that train nothing compute on the device of what a model answers, by
/// functions that a run has an operation for, and hand to an outfeed, is what the model answers. What cannot
/// be so is named in a warning.
void answerWhatIsOutfed(PythonInterpreter& interpreter, PythonProgramBuilder& builder);

} // namespace core
