#pragma once

#include "simulator/graph/operation.h"
#include "simulator/numerics/half_rounding.h"
#include "simulator/numerics/kernels/matrix_product.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace simulator {

class ReplicaExchange;
class UserLibraryHost;

/// What changes from one run of a bound operation to the next.
struct StepState {
    std::uint64_t seed = 0;
    /// Counts the micro-batches of the whole run, each replica's apart; random numbers depend on it.
    std::uint64_t draw = 0;
    /// Position within the weight update, from 0.
    std::int64_t microBatch = 0;
    /// Weight updates done before this one.
    std::int64_t update = 0;
    double learningRate = 0;
    std::int64_t replica = 0;
    /// Where replicas that run side by side meet; null: this one runs alone.
    ReplicaExchange* exchange = nullptr;
};

/// A piece of an operation that may run on several threads: calls with different `part` touch different
/// results, and how the parts are cut depends on the shapes alone, so the result does not depend on the
/// number of threads.
struct BoundPhase {
    std::int64_t parts = 1;
    /// `scratch` is the thread's own, of at least BoundOperation::threadScratch bytes.
    std::function<void(const StepState& state, std::int64_t part, std::byte* scratch)> run;
};

/// An operation with the addresses of its tensors: its phases run one after the other, without allocating.
struct BoundOperation {
    core::OperationId operation;
    std::vector<BoundPhase> phases;
    std::size_t threadScratch = 0;
};

/// Where the elements of a tensor are.
struct Operand {
    const Tensor* tensor = nullptr;
    std::byte* data = nullptr;

    [[nodiscard]] const Extents& extents() const { return tensor->extents; }
    [[nodiscard]] std::int64_t elements() const { return tensor->elements(); }
    template <class Element = float>
    [[nodiscard]] Element* as() const {
        return reinterpret_cast<Element*>(data);
    }
};

/// A batch normalisation with moving statistics, one element of each for a channel.
struct FusedNormalization {
    Operand gamma;
    Operand beta;
    Operand mean;
    Operand variance;
    double epsilon = 0;
};

/// What follows a product and is computed with it, so that no tensor lies between: see fuse_operations.h.
struct FusedEnd {
    /// Row added to every row of the product.
    Operand bias;
    /// After the bias.
    std::optional<FusedNormalization> normalization;
    /// Added to the product, element by element, after the normalisation.
    Operand addend;
    /// After the addition.
    bool relu = false;
    /// The result is added up over micro-batches instead of stored; the first of an update overwrites.
    bool accumulate = false;
    /// The result is not stored either, but taken by this weight update; null: none.
    const Operation* update = nullptr;
    /// What it rewrites: the parameter and its slots.
    std::vector<Operand> updated;

    [[nodiscard]] bool hasBias() const { return bias.tensor != nullptr; }
    [[nodiscard]] bool hasAddend() const { return addend.tensor != nullptr; }
};

/// An operation about to be bound. Binding happens twice: first without addresses, to learn how much shared
/// scratch the operation wants, then with them.
struct BindRequest {
    const Operation* operation = nullptr;
    std::vector<Operand> inputs;
    std::vector<Operand> outputs;
    FusedEnd end;
    HalfRounding half;
    /// Where user operations are called.
    std::shared_ptr<UserLibraryHost> libraries;
    /// Memory that nobody else uses while the operation runs.
    std::byte* sharedScratch = nullptr;
    std::size_t sharedScratchUsed = 0;

    /// The next `bytes` of the shared scratch; null in the measuring pass.
    [[nodiscard]] std::byte* takeScratch(std::size_t bytes);
    [[nodiscard]] float* takeFloats(std::int64_t count) {
        return reinterpret_cast<float*>(takeScratch(static_cast<std::size_t>(count) * sizeof(float)));
    }
    /// How a product of this operation keeps its sums: half ones saturate as float16 results do.
    [[nodiscard]] PartialSums partials(bool areHalf) const {
        PartialSums sums;
        sums.half = areHalf;
        if (half.saturates)
            sums.largest = 65504.0F;
        return sums;
    }
    template <class Kind>
    [[nodiscard]] const Kind& attributes() const {
        return std::get<Kind>(operation->attributes);
    }
};

/// Cuts [0, count) into pieces of `grain`.
struct WorkPartition {
    std::int64_t count = 0;
    std::int64_t grain = 1;

    [[nodiscard]] std::int64_t parts() const { return count == 0 ? 0 : (count + grain - 1) / grain; }
    [[nodiscard]] std::int64_t begin(std::int64_t part) const { return part * grain; }
    [[nodiscard]] std::int64_t end(std::int64_t part) const {
        const std::int64_t end = begin(part) + grain;
        return end < count ? end : count;
    }
};

/// A phase that calls function(state, begin, end, scratch) for each piece.
template <class Function>
[[nodiscard]] BoundPhase rangePhase(WorkPartition partition, Function function) {
    return {partition.parts(),
            [partition, function](const StepState& state, std::int64_t part, std::byte* scratch) {
                function(state, partition.begin(part), partition.end(part), scratch);
            }};
}

/// Pieces of about as many elements that threads are worth waking for, in rows of `rowElements`.
[[nodiscard]] WorkPartition rowPartition(std::int64_t rows, std::int64_t rowElements);

} // namespace simulator
