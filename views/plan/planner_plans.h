#pragma once

#include "views/document/document.h"
#include "views/profile/pareto/pareto_plot.h"
#include "views/profile/tables/table_content.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace views {

/// What a search for plans may change, as people read it; what is not ticked stays as the project has it.
enum class PlanPart : std::uint8_t {
    Split,
    Replicas,
    Schedule,
    MicroBatch,
    Recompute,
    Offload,
    MemoryProportion
};
inline constexpr std::size_t planPartCount = 7;
[[nodiscard]] QString planPartName(PlanPart part);

/// What is asked of a search for plans.
struct PlannerQuestion {
    /// IPUs of all replicas together, at most.
    std::int64_t ipus = 1;
    /// Samples per weight update; nothing: as in the project.
    std::optional<std::int64_t> effectiveBatch;
    /// Bytes of the fullest IPU, at most; nothing: all that the IPU has.
    std::optional<std::int64_t> memoryLimit;
    /// Indexed by PlanPart.
    std::array<bool, planPartCount> mayChange{true, true, true, true, true, true, true};
};

/// A plan that was simulated and fits.
struct PlannedProject {
    ProjectSnapshot project;
    double samplesPerSecond = 0;
    core::Cycles step;
    /// Of the fullest IPU.
    core::Bytes peak;
    std::int64_t ipus = 1;
    std::int64_t replicas = 1;
    std::size_t stages = 1;
    std::int64_t batchSize = 1;
    std::int64_t accumulation = 1;
    std::string schedule;
    bool recompute = false;
    /// "optimizer state", "optimizer state and activations"; empty: nothing.
    QString offload;
    std::optional<double> memoryProportion;
};

/// How a search ended.
struct PlannerOutcome {
    std::int64_t effectiveBatch = 0;
    bool isProven = false;
    /// Share of more throughput that a plan may have; infinite: not known.
    double gap = 0;
    /// Stopped before its end.
    bool isCut = false;
    std::size_t choices = 0;
    std::size_t simulated = 0;
};

/// Indices of the plans of which no other one has more throughput, less memory and fewer IPUs at once, the
/// fastest first: the front that the search answers with.
[[nodiscard]] std::vector<std::size_t> planFront(const std::vector<PlannedProject>& plans);
/// "4 stages × 2 replicas, Grouped".
[[nodiscard]] QString planName(const PlannedProject& plan);
/// "8 micro-batches of 16, recompute, offload optimizer state, memory proportion 0.15".
[[nodiscard]] QString planDetails(const PlannedProject& plan);
/// "Proven of the first: no plan that fits is faster with 32 samples per update", or the gap.
[[nodiscard]] QString proofText(const PlannerOutcome& outcome, bool isFound);
/// A row for each plan of the front.
[[nodiscard]] TableContent plansTable(const std::vector<PlannedProject>& plans,
                                      const std::vector<std::size_t>& front, const Units& units);
/// Every stage with its time, memory and idling, and the whole below.
[[nodiscard]] TableContent planStagesTable(const core::PlanEstimate& estimate, const Units& units);
/// All plans with the front, by IPUs; `limit`: of the fullest IPU.
[[nodiscard]] ParetoScene plansScene(const std::vector<PlannedProject>& plans,
                                     const std::vector<std::size_t>& front,
                                     const std::optional<core::Bytes>& limit, const Units& units);

} // namespace views
