#pragma once

#include "core/base/result.h"
#include "simulator/engine/replica/training_replica.h"
#include "simulator/program/executable.h"

#include <functional>
#include <optional>
#include <string>

namespace simulator {

/// Where the first value that is no finite number came from.
struct NotFinite {
    /// Position within the weight update; −1: not in a micro-batch, but when gradients were summed up or
    /// weights updated.
    std::int64_t microBatch = -1;
    /// Invalid: a tensor from outside (the dataset, a weight).
    core::OperationId operation;
    core::TensorId tensor;
};

/// True when no element is infinite or NaN. Tensors of whole numbers always are.
[[nodiscard]] bool isFinite(const Tensor& tensor, const std::byte* data);

/// The first gradient of a replica that is not finite, or what the update is about to compute one from;
/// invalid where all are.
[[nodiscard]] core::TensorId firstNotFiniteGradient(const TrainingReplica& replica);
/// The first trained weight that is not.
[[nodiscard]] core::TensorId firstNotFiniteWeight(const TrainingReplica& replica);
/// After an update: the first product of finite numbers that it computed to a gradient which is not; nothing
/// where all are finite.
[[nodiscard]] core::Result<std::optional<NotFinite>>
findNotFiniteUpdate(const TrainingReplica& replica, const StepState& state, ThreadPool& pool);

/// Runs the micro-batches of an update again, one after the other, operation by operation on memory of their
/// own, until one makes an infinity or NaN of finite operands. `feed` writes a micro-batch; `state` as in the
/// run. Nothing where none does: sums of finite gradients overflow.
[[nodiscard]] core::Result<std::optional<NotFinite>>
findNotFinite(const TrainingReplica& replica,
              const std::function<core::Result<void>(std::int64_t, TensorStore&)>& feed,
              const std::function<StepState(std::int64_t)>& state, ThreadPool& pool);

/// Looks for the first value of a run that is no finite number, and says what made it: once.
class FiniteWatch {
public:
    explicit FiniteWatch(const Executable& executable)
        : m_executable(&executable) {}

    [[nodiscard]] bool hasFound() const { return m_hasFound; }

    // Both answer the finding, nothing where there is none or one was found before, and fail with it where
    // floating-point exceptions are on ("runtime-error/floating-point-exception").

    /// A loss, a metric or `gradient` (where it is valid) of the micro-batches just run is none. `feed` and
    /// `state` as for findNotFinite.
    [[nodiscard]] core::Result<std::optional<core::Diagnostic>>
    findInMicroBatches(const TrainingReplica& replica, core::TensorId gradient,
                       const std::function<core::Result<void>(std::int64_t, TensorStore&)>& feed,
                       const std::function<StepState(std::int64_t)>& state, ThreadPool& pool);
    /// Looks at the weights after an update; `state` is the update's.
    [[nodiscard]] core::Result<std::optional<core::Diagnostic>>
    checkWeights(const TrainingReplica& replica, const StepState& state, ThreadPool& pool);

private:
    [[nodiscard]] core::Result<std::optional<core::Diagnostic>>
    report(const NotFinite& found, const TrainingReplica& replica, const StepState& state);

    const Executable* m_executable;
    bool m_hasFound = false;
};

} // namespace simulator
