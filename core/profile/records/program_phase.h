#pragma once

#include "core/base/phase.h"

#include <cstddef>
#include <string_view>

namespace core {

/// The programs of a stage.
using ProgramPhase = Phase;
inline constexpr std::size_t programPhaseCount = phaseCount;
[[nodiscard]] std::string_view toString(ProgramPhase phase);

} // namespace core
