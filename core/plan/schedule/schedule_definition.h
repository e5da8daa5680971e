#pragma once

#include "core/base/diagnostic.h"
#include "core/plan/schedule/pipeline_schedule.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace core {

/// Cycles (or any unit) of one stage on one micro-batch, equal for all stages.
struct StageTimes {
    double forward = 1;
    /// Gradients of the activations.
    double inputGradient = 1;
    double weightGradient = 1;

    [[nodiscard]] double total() const { return forward + inputGradient + weightGradient; }
};

/// One schedule: what it is called, what it means, what it demands, and how it lays work out. Each is in
/// a file of its own under `definitions/`; the build collects them into the catalogue.
struct ScheduleDefinition {
    /// As the Python API, project files and people write it.
    std::string_view name = {};
    /// One sentence for people.
    std::string_view meaning = {};
    /// The programming system of the IPU does not offer it.
    bool isWhatIf = false;
    /// One stage works at a time, on one micro-batch: no FIFOs, no ramps.
    bool isSerial = false;
    /// IPUs do not meet at the end of a slot: each does its list, and a piece of work starts when its IPU is
    /// free and its operands have arrived. The literature times its schedules so (Narayanan et al., 2019 and
    /// 2021: sends and receives beside the compute). Otherwise all IPUs sync and exchange between slots: the
    /// programs of the programming system are bulk-synchronous.
    bool isAsynchronous = false;
    /// Reserved I/O tiles change the schedule: host I/O runs beside the compute of its slot. Elsewhere they
    /// are ignored. Source: grouped_overlap_pipeline_visitor of Graphcore's TensorFlow.
    bool overlapsHostIo = false;
    /// Training may put two stages on one IPU.
    bool sharesIpusInTraining = true;
    /// A value that stages between two on one IPU only pass on stays on that IPU, in a FIFO of its own.
    /// Source: pipeline_communication_optimizer of Graphcore's TensorFlow.
    bool shortensPassThrough = false;
    /// The table comes from a file of the user (`PipelineShape::table`).
    bool takesTable = false;
    /// Recomputation as pieces of work of its own, and as part of the backward programs. At least one.
    bool recomputesThenBackpropagates = true;
    bool recomputesInsideBackward = false;
    /// N is a multiple of this, and at least this; null: any N from 1.
    std::int64_t (*microBatchMultiple)(const PipelineShape&) = nullptr;
    /// What else it demands of a shape that keeps the common rules; null: nothing.
    std::optional<Diagnostic> (*brokenRule)(const PipelineShape&) = nullptr;
    /// The table of a shape that keeps all rules: slots, items, and what they do not say themselves. The
    /// catalogue checks it and derives the rest.
    PipelineSchedule (*layOut)(const PipelineShape&) = nullptr;
    /// Time an IPU idles between its first and its last work in training, as published, for equal stages and
    /// free communication; null where none is published.
    double (*publishedBubble)(const PipelineShape&, const StageTimes&) = nullptr;
    /// That formula as text, with its conventions.
    std::string_view bubbleFormula = {};

    [[nodiscard]] std::int64_t multipleOf(const PipelineShape& shape) const {
        return microBatchMultiple ? microBatchMultiple(shape) : 1;
    }
};

} // namespace core
