#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/slot_layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

// 1F1B with v stages on each of p IPUs, stage k on IPU k mod p: micro-batches come in groups of p, a group
// runs through one stage of an IPU, then through the next, and the bubble is v times smaller.
//
// Published bubble, for equal stages: (1/v)·(p − 1)/m of the ideal time m·(tF + tB + tW), where an IPU takes
// tF, tB and tW over all its stages. Source: Narayanan et al., Efficient Large-Scale Language Model Training
// on GPU Clusters Using Megatron-LM (2021), section 2.2.2; the order of work is Megatron-LM's
// forward_backward_pipelining_with_interleaving: 2·(p − r − 1) + (v − 1)·p passes of warm-up on IPU r.

namespace core::schedules {

namespace {

std::size_t stagesPerIpu(const PipelineShape& shape) {
    return shape.stages / shape.ipuCount();
}

std::int64_t interleavedTurnsMultiple(const PipelineShape& shape) {
    return static_cast<std::int64_t>(shape.ipuCount());
}

/// p as large as it can be with two stages on each IPU, so that the cure can be copied.
std::string mappingExample(std::size_t stages) {
    std::size_t ipus = std::max<std::size_t>(stages / 2, 1);
    while (stages % ipus != 0)
        --ipus;
    std::vector<std::size_t> mapping;
    for (std::size_t stage = 0; stage < stages; ++stage)
        mapping.push_back(stage % ipus);
    return fmt::format("[{}]", fmt::join(mapping, ", "));
}

std::optional<Diagnostic> brokenRoundRobin(const PipelineShape& shape) {
    const std::size_t ipus = shape.ipuCount();
    const auto refuse = [&](std::string message, std::string hint) {
        return makeError(Trouble::Input, "value-error/interleaved-stages", {"", "/pipeline/device_mapping"},
                         std::move(message), {std::move(hint)});
    };
    if (shape.stages % ipus != 0 || shape.stages == ipus)
        return refuse(
            fmt::format("Interleaved 1F1B needs the same number of stages on each IPU, two or more; "
                        "there are {} stages on {} IPUs",
                        shape.stages, ipus),
            shape.stages >= 4 && shape.stages % 2 == 0
                ? fmt::format("set device_mapping to {}", mappingExample(shape.stages))
                : std::string("use an even number of stages, 4 or more, and half as many IPUs, or "
                              "the schedule 1F1B"));
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        if (shape.ipuOf(stage).index() != stage % ipus)
            return refuse(fmt::format("Interleaved 1F1B puts stage k on IPU k mod {}; stage {} is on IPU {}, "
                                      "not {}",
                                      ipus, stage, shape.ipuOf(stage).index(), stage % ipus),
                          fmt::format("set device_mapping to {}", mappingExample(shape.stages)));
    return std::nullopt;
}

/// The i-th pass of an IPU, over all its stages.
struct Pass {
    std::size_t chunk = 0;
    std::int64_t microBatch = 0;
};
Pass passAt(std::int64_t index, std::int64_t ipus, std::int64_t chunks) {
    const std::int64_t group = index / (ipus * chunks);
    const std::int64_t within = index % (ipus * chunks);
    return {static_cast<std::size_t>(within / ipus), group * ipus + within % ipus};
}

PipelineSchedule interleavedTurnsLayOut(const PipelineShape& shape) {
    const std::size_t ipus = shape.ipuCount();
    const std::size_t chunks = stagesPerIpu(shape);
    const auto p = static_cast<std::int64_t>(ipus);
    const auto v = static_cast<std::int64_t>(chunks);
    const std::int64_t passes = shape.microBatches * v;
    WorkLists lists(ipus);
    for (std::size_t ipu = 0; ipu < ipus; ++ipu) {
        const auto forward = [&](std::int64_t index) {
            const Pass pass = passAt(index, p, v);
            addWork(lists, shape, Phase::Forward, pass.chunk * ipus + ipu, pass.microBatch);
        };
        const auto backward = [&](std::int64_t index) {
            const Pass pass = passAt(index, p, v);
            addWork(lists, shape, Phase::Backward, (chunks - 1 - pass.chunk) * ipus + ipu, pass.microBatch);
        };
        const std::int64_t rank = static_cast<std::int64_t>(ipu);
        const std::int64_t warmUp =
            shape.training ? std::min(passes, 2 * (p - rank - 1) + (v - 1) * p) : passes;
        for (std::int64_t index = 0; index < warmUp; ++index)
            forward(index);
        for (std::int64_t index = warmUp; index < passes; ++index) {
            forward(index);
            backward(index - warmUp);
        }
        for (std::int64_t index = passes - warmUp; shape.training && index < passes; ++index)
            backward(index);
    }
    return layOutLists(shape, lists);
}

double interleavedTurnsBubble(const PipelineShape& shape, const StageTimes& times) {
    return static_cast<double>(shape.ipuCount() - 1) * times.total() /
           static_cast<double>(stagesPerIpu(shape));
}

} // namespace

ScheduleDefinition interleavedOneForwardOneBackward() {
    return {.name = "Interleaved1F1B",
            .meaning = "1F1B with several stages on each IPU: a smaller bubble, more copies",
            .isWhatIf = true,
            .isAsynchronous = true,
            .recomputesInsideBackward = true,
            .microBatchMultiple = interleavedTurnsMultiple,
            .brokenRule = brokenRoundRobin,
            .layOut = interleavedTurnsLayOut,
            .publishedBubble = interleavedTurnsBubble,
            .bubbleFormula = "(p - 1) (tF + tB + tW) / v"};
}

} // namespace core::schedules
