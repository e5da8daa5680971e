#include "core/plan/schedule/schedule_rules.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace core {

namespace {

constexpr std::int64_t largestMicroBatchCount = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t mostStages = 16384;
/// Pieces of work a slot table may hold (1.6 GB of it).
constexpr std::int64_t largestTable = 100'000'000;

Diagnostic refusal(std::string code, std::string place, std::string message, std::vector<std::string> hints) {
    return makeError(Trouble::Input, std::move(code), {"", std::move(place)}, std::move(message),
                     std::move(hints));
}

std::string_view microBatchesPlace(const PipelineShape& shape) {
    return shape.training ? "/pipeline/gradient_accumulation_steps_per_replica"
                          : "/training/steps_per_execution";
}

std::string namesOfN() {
    return "the number of micro-batches is the gradient accumulation count: "
           "gradient_accumulation_steps_per_replica in training, steps_per_execution in evaluation and "
           "prediction";
}

/// The legal counts around N, so that the cure can be copied.
std::string nearestCounts(std::int64_t count, std::int64_t multiple, std::int64_t minimum) {
    const std::int64_t above = std::max(roundUp(count, multiple), roundUp(minimum, multiple));
    const std::int64_t below = count / multiple * multiple;
    if (below < minimum)
        return fmt::format("use {}", above);
    return fmt::format("use {} or {}", below, above);
}

std::optional<Diagnostic> brokenSize(const PipelineShape& shape) {
    const auto perMicroBatch = static_cast<std::int64_t>(shape.positions());
    if (shape.microBatches <= largestTable / perMicroBatch)
        return std::nullopt;
    return refusal("resource-exhausted/schedule-size", std::string(microBatchesPlace(shape)),
                   fmt::format("{} micro-batches of {} stages make a slot table of more than {} entries",
                               shape.microBatches, shape.stages, largestTable),
                   {"use fewer micro-batches per weight update"});
}

} // namespace

std::optional<Diagnostic> brokenMicroBatchBounds(const PipelineShape& shape) {
    if (shape.microBatches >= 0 && shape.microBatches <= largestMicroBatchCount)
        return std::nullopt;
    return refusal("value-error/micro-batches", std::string(microBatchesPlace(shape)),
                   fmt::format("the number of micro-batches is {}; it must lie between 0 and {}",
                               shape.microBatches, largestMicroBatchCount),
                   {namesOfN()});
}

std::optional<Diagnostic> brokenStageCount(const PipelineShape& shape) {
    if (shape.stages > mostStages)
        return refusal(
            "resource-exhausted/pipeline-stages", "/pipeline/stages",
            fmt::format("{} stages are more than the {} that are laid out", shape.stages, mostStages),
            {"use fewer stages: no system has that many IPUs"});
    if (shape.stages >= 2)
        return std::nullopt;
    return refusal("value-error/pipeline-stages", "/pipeline/stages",
                   fmt::format("a pipeline needs at least two stages; this one has {}", shape.stages),
                   {"assign layers to a second stage, or leave the model without stages"});
}

std::optional<Diagnostic> brokenMappingLength(const PipelineShape& shape) {
    if (shape.deviceMapping.empty() || shape.deviceMapping.size() == shape.stages)
        return std::nullopt;
    return refusal("value-error/device-mapping-length", "/pipeline/device_mapping",
                   fmt::format("the device mapping names {} IPUs for {} stages", shape.deviceMapping.size(),
                               shape.stages),
                   {"give one IPU per stage, or no mapping for stage k on IPU k"});
}

std::optional<Diagnostic> brokenDeviceSharing(const ScheduleDefinition& definition,
                                              const PipelineShape& shape) {
    if (definition.sharesIpusInTraining || !shape.training)
        return std::nullopt;
    std::vector<IpuId> sorted = shape.deviceMapping;
    std::ranges::sort(sorted);
    const auto repeated = std::ranges::adjacent_find(sorted);
    if (repeated == sorted.end())
        return std::nullopt;
    return refusal("not-implemented/interleaved-repeated-device", "/pipeline/device_mapping",
                   fmt::format("training with the {} schedule allows one stage per IPU; the device mapping "
                               "uses IPU {} more than once",
                               definition.name, repeated->index()),
                   {"use the Grouped or Sequential schedule, or give each stage an IPU of its own"});
}

std::optional<Diagnostic> brokenMicroBatchRule(const ScheduleDefinition& definition,
                                               const PipelineShape& shape) {
    const std::int64_t overlap = definition.multipleOf(shape);
    const bool ioTiles = shape.ioTiles && definition.overlapsHostIo;
    const std::int64_t minimum = ioTiles ? overlap + 2 : overlap;
    const std::int64_t count = shape.microBatches;
    const auto belowMinimum = [&]() -> std::optional<Diagnostic> {
        if (count >= minimum)
            return std::nullopt;
        return refusal("failed-precondition/micro-batch-minimum", std::string(microBatchesPlace(shape)),
                       fmt::format("the {} schedule needs at least {} micro-batches for {} stages{}; there "
                                   "are {}",
                                   definition.name, minimum, shape.stages, ioTiles ? " with I/O tiles" : "",
                                   count),
                       {nearestCounts(count, overlap, minimum), namesOfN()});
    };
    const auto noMultiple = [&]() -> std::optional<Diagnostic> {
        if (count % overlap == 0)
            return std::nullopt;
        return refusal("failed-precondition/micro-batch-multiple", std::string(microBatchesPlace(shape)),
                       fmt::format("the {} schedule needs a multiple of {} micro-batches for {} stages; "
                                   "there are {}",
                                   definition.name, overlap, shape.stages, count),
                       {nearestCounts(count, overlap, minimum), namesOfN()});
    };
    // The programming system tests the multiple first; with I/O tiles it only tests the minimum.
    if (auto broken = ioTiles ? belowMinimum() : noMultiple())
        return broken;
    return ioTiles ? noMultiple() : belowMinimum();
}

std::optional<Diagnostic> brokenScheduleRule(const ScheduleDefinition& definition,
                                             const PipelineShape& shape) {
    if (auto broken = brokenMicroBatchBounds(shape))
        return broken;
    if (auto broken = brokenStageCount(shape))
        return broken;
    if (auto broken = brokenMappingLength(shape))
        return broken;
    if (auto broken = brokenDeviceSharing(definition, shape))
        return broken;
    if (auto broken = brokenMicroBatchRule(definition, shape))
        return broken;
    if (auto broken = brokenSize(shape))
        return broken;
    return definition.brokenRule ? definition.brokenRule(shape) : std::nullopt;
}

} // namespace core
