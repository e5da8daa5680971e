#pragma once

#include "simulator/cost/codelet.h"
#include "simulator/cost/operation_plan.h"
#include "simulator/cost/operations/plan_operation.h"

#include <span>
#include <string_view>

namespace simulator {

/// Elements of a tensor, clamped to what cycle counts can carry (2^44); never overflows.
[[nodiscard]] std::int64_t countElements(const Extents& extents);

/// What a planner looks at: one operation, its tensors, the target and the options. Reads beyond the
/// operation's tensors answer an empty tensor, so that a malformed operation is planned as nothing.
class PlanContext {
public:
    PlanContext(const Operation& operation, std::span<const Tensor> tensors, const IpuTarget& target,
                const PlanOptions& options)
        : m_operation(operation)
        , m_tensors(tensors)
        , m_target(target)
        , m_options(options) {}

    [[nodiscard]] const Operation& operation() const { return m_operation; }
    [[nodiscard]] const IpuTarget& target() const { return m_target; }
    [[nodiscard]] const PlanOptions& options() const { return m_options; }
    [[nodiscard]] const Tensor& input(std::size_t index = 0) const;
    [[nodiscard]] const Tensor& output(std::size_t index = 0) const;
    [[nodiscard]] std::size_t inputCount() const { return m_operation.inputs.size(); }
    /// Tiles the operation may use.
    [[nodiscard]] std::int64_t tiles() const;
    /// Elements of the fullest tile when `elements` are spread over the tiles.
    [[nodiscard]] std::int64_t elementsOnTile(std::int64_t elements) const;

private:
    [[nodiscard]] const Tensor& tensor(const std::vector<core::TensorId>& ids, std::size_t index) const;

    const Operation& m_operation;
    std::span<const Tensor> m_tensors;
    const IpuTarget& m_target;
    const PlanOptions& m_options;
};

/// Exchange code, vertex state and control code of one operation on each tile it uses. The figures of the
/// kinds are one fit to compiled transformer layers (a BERT-Large layer takes 790, 720 and 930 bytes per
/// tile); single operations compiled alone have up to five times the exchange code.
struct CodeFootprint {
    std::int64_t exchange = 0;
    std::int64_t state = 0;
    std::int64_t control = 0;
};

/// Adds up an operation's supersteps to its plan.
class PlanTally {
public:
    explicit PlanTally(const PlanContext& context)
        : m_context(context) {}

    /// Cycles of the slowest tile in compute sets or in exchanges.
    void addCompute(double cycles) { m_compute += cycles; }
    void addExchange(double cycles) { m_exchange += cycles; }
    /// Exchange of `bytes` that the fullest tile receives.
    void addReceived(double bytes) { m_exchange += bytes / m_context.target().exchangeBytesPerCycle; }
    /// `count` supersteps: each has the target's overhead and a sync.
    void addSupersteps(std::int64_t count);
    /// One compute set between which no data moves: the overhead without a sync.
    void addLocalStep();
    /// Bytes put in order on the fullest tile and exchanged, as one superstep.
    void addRelayout(double bytesPerTile, double cyclesPerByte);

    void setTilesUsed(std::int64_t tiles) { m_tilesUsed = std::max(m_tilesUsed, tiles); }
    void setFlops(double flops) { m_flops = flops; }
    void addExchangeBytes(double bytes) { m_exchangeBytes += bytes; }
    void setTemporary(double bytesPerTile);
    /// Copies of operands in another order, which last as long as the operation: beside its temporaries.
    void addRearranged(double bytesPerTile) { m_rearranged += bytesPerTile; }
    void setFootprint(const CodeFootprint& footprint) { m_footprint = footprint; }
    void addCodelet(std::string name);
    void addSplit(std::string_view name, std::int64_t value);

    [[nodiscard]] OperationPlan finish() const;

private:
    const PlanContext& m_context;
    double m_compute = 0;
    double m_exchange = 0;
    double m_flops = 0;
    double m_exchangeBytes = 0;
    double m_temporary = 0;
    double m_rearranged = 0;
    std::int64_t m_supersteps = 0;
    std::int64_t m_localSteps = 0;
    std::int64_t m_tilesUsed = 0;
    double m_extraOverhead = 0;
    CodeFootprint m_footprint;
    std::vector<std::string> m_codelets;
    std::vector<std::pair<std::string, std::int64_t>> m_split;
};

/// A count as an integer, saturated far below overflow.
[[nodiscard]] std::int64_t saturated(double count);

} // namespace simulator
