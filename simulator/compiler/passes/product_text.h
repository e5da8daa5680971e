#pragma once

#include "simulator/program/executable.h"

#include <string>

namespace simulator {

// What each pass has added, for people: the same product gives the same text. Each ends with a line break.

/// Operations by stage and phase, with what they read and make.
[[nodiscard]] std::string stagesText(const StagedGraph& staged);
/// The table of slots and what follows from it.
[[nodiscard]] std::string scheduleText(const ScheduledGraph& scheduled);
/// One line per transfer.
[[nodiscard]] std::string transfersText(const RoutedGraph& routed);
/// What each stage keeps and computes again, and the variables that are not on the chip.
[[nodiscard]] std::string activationsText(const KeptGraph& kept);
/// One line per operation: tiles, cycles and bytes.
[[nodiscard]] std::string plansText(const PlannedGraph& planned);
/// Operations in the order of each program.
[[nodiscard]] std::string ordersText(const OrderedGraph& ordered);
/// Programs with their steps, the collectives of the update and what the host moves.
[[nodiscard]] std::string programsText(const LoweredPipeline& lowered);
/// Bytes by category of every IPU, and its blocks but those of code.
[[nodiscard]] std::string memoryText(const CompiledPipeline& pipeline);

} // namespace simulator
