#pragma once

#include "core/base/result.h"
#include "core/config/pipeline_options.h"

#include <string_view>

namespace core {

/// What RecomputationMode.Auto means for a schedule, or the mode itself; refuses a mode that the schedule
/// does not support ("unimplemented/recomputation-mode"), which the programming system does even where
/// nothing is recomputed. `table`: the text of a schedule of one's own, whose cells say with Auto whether
/// recomputation is work of its own or inside the backward programs.
[[nodiscard]] Result<RecomputationMode>
resolveRecomputation(std::string_view schedule, RecomputationMode mode, std::string_view table = {});

} // namespace core
