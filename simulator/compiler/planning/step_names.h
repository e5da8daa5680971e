#pragma once

#include "core/profile/records/program_phase.h"
#include "simulator/program/lowered_pipeline.h"

#include <string>

namespace simulator {

/// What a leaf step of a program does, for people: the operation's name, or "FIFO of conv1/out".
[[nodiscard]] core::SharedText stepName(const Step& step, const TrainingGraph& graph);

} // namespace simulator
