#pragma once

#include "core/profile/analysis/path/path_part.h"
#include "simulator/engine/clock/slot_pattern.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace simulator {

struct HostShares;

/// Simulates the update of a pipeline again and again, each time with one part of it faster and everything
/// else as it is: programs, copies and the host's queues run as in `simulateUpdate`.
class StepTrials {
public:
    /// The layer of an operation's invocation, as records name it; empty: it belongs to none.
    using LayerName = std::function<std::string(core::InvocationId)>;

    /// `less`: by which a part takes less time, in (0, 1); each step of a program to the nearest cycle.
    StepTrials(const CompiledPipeline& pipeline, const LayerName& layerName, double less);

    /// With nothing faster.
    [[nodiscard]] core::Cycles step() const { return m_step; }
    /// With a part faster; nothing for a wait, for what belongs to no layer, and for what the pipeline has
    /// not.
    [[nodiscard]] std::optional<core::Cycles> stepWith(const core::PathPart& part);

private:
    /// What a program saves.
    struct Saving {
        core::Cycles compute;
        core::Cycles exchange;
        core::Cycles sync;
        core::Cycles remote;
        /// Streams of the host's tables.
        core::Cycles hosted;

        [[nodiscard]] bool isNone() const;
        Saving& operator+=(const Saving& other);
    };
    /// By phase.
    using StageSaving = std::array<Saving, core::phaseCount>;
    struct Change;

    void addSavings(const CompiledPipeline& pipeline, const LayerName& layerName);
    [[nodiscard]] std::optional<Change> changeOf(const core::PathPart& part) const;
    [[nodiscard]] bool addKind(core::SpanKind kind, Change& change) const;
    [[nodiscard]] core::Cycles simulate(const Change& change);
    void apply(const std::vector<StageSaving>& savings, std::int64_t sign);

    double m_less;
    CompiledPipeline m_pipeline;
    SlotPattern m_pattern;
    core::Cycles m_step;
    /// Of each stage: its work, its streams.
    std::vector<StageSaving> m_work;
    std::vector<StageSaving> m_streams;
    std::map<std::pair<core::StageId, std::string>, StageSaving> m_layers;
};

} // namespace simulator
