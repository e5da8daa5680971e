#pragma once

#include "core/base/json.h"
#include "core/model/data_type.h"
#include "core/plan/schedule/pipeline_shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// RecomputationMode of the Python API.
enum class RecomputationMode : std::uint8_t {
    Auto,
    RecomputeThenBackpropagate,
    RecomputeAndBackpropagateInterleaved
};

/// GradientAccumulationReductionMethod of the Python API; texts are read in any case.
enum class ReductionMethod : std::uint8_t { Sum, Mean, RunningMean };

/// OFF, ON, or as the system decides (Python's None).
using OptionalSwitch = std::optional<bool>;

/// Poplar options of one stage or of the weight update, as text to text
/// (for example {"availableMemoryProportion": "0.3", "partialsType": "half"}).
struct PoplarOptions {
    std::vector<std::pair<std::string, std::string>> convolution;
    std::vector<std::pair<std::string, std::string>> matmul;
    std::vector<std::pair<std::string, std::string>> slice;

    bool operator==(const PoplarOptions&) const = default;
};

/// What `set_pipelining_options` (and, for a model without stages, `set_gradient_accumulation_options`)
/// takes. Names, defaults and limits are those of the Python API. `stages` and `device_mapping` live in
/// core/plan.
struct PipelineOptions {
    /// Name of a row of the catalogue of schedules (core/plan/schedule).
    std::string schedule = "Grouped";
    /// Filled where the schedule takes a table.
    ScheduleTable scheduleTable;
    RecomputationMode recomputationMode = RecomputationMode::Auto;
    /// Micro-batches per weight update and replica (N); nothing where never set.
    std::optional<std::int64_t> gradientAccumulationSteps;
    /// Nothing: the data type of each variable.
    std::optional<DataType> gradientAccumulationType;
    ReductionMethod reductionMethod = ReductionMethod::Sum;
    std::optional<std::int64_t> repeatCount;
    std::int64_t batchSerializationIterations = 1;
    std::vector<PoplarOptions> forwardStagesPoplarOptions;
    std::vector<PoplarOptions> backwardStagesPoplarOptions;
    std::optional<PoplarOptions> weightUpdatePoplarOptions;
    OptionalSwitch offloadWeightUpdateVariables;
    OptionalSwitch replicatedOptimizerStateSharding = false;
    OptionalSwitch offloadActivations;
    /// Stages that recompute, or offload their activations, where that is on at all; nothing: all of them.
    /// The Python API knows no such choice.
    std::optional<std::vector<std::int64_t>> recomputedStages;
    std::optional<std::vector<std::int64_t>> offloadedStages;
    OptionalSwitch offloadGradientAccumulationBuffers;
    OptionalSwitch replicatedWeightSharding;
    OptionalSwitch offloadWeights;
    bool continuousWeightUpdates = false;
    bool outfeedLoss = false;
    bool accumulateOutfeed = false;
    std::optional<DataType> accumulateOutfeedType;
    std::optional<std::vector<bool>> outfeedMask;

    bool operator==(const PipelineOptions&) const = default;
};

/// Names as the Python API writes them ("RecomputeThenBackpropagate", "sum").
[[nodiscard]] std::string_view toString(RecomputationMode mode);
[[nodiscard]] std::string_view toString(ReductionMethod method);
[[nodiscard]] std::span<const std::string_view> namesOfRecomputationModes();
[[nodiscard]] std::span<const std::string_view> namesOfReductionMethods();
[[nodiscard]] std::optional<RecomputationMode> recomputationModeFromName(std::string_view name);
/// Any case; "running_mean" and "RUNNING_MEAN" alike.
[[nodiscard]] std::optional<ReductionMethod> reductionMethodFromName(std::string_view name);

} // namespace core
