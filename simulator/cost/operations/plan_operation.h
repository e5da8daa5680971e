#pragma once

#include "simulator/cost/operation_plan.h"
#include "simulator/graph/operation.h"
#include "simulator/target/ipu_target.h"

#include <memory>
#include <span>
#include <vector>

namespace simulator {

/// What the options say about one operation's plan.
struct PlanOptions {
    /// Bound on the temporary memory of a matmul or convolution, as a share of a tile's memory.
    double availableMemoryProportion = 0.6;
    /// Partial sums in float32 (default) or float16.
    core::DataType partialsType = core::DataType::Float32;
    /// Tiles an operation may use; 0: all.
    std::int64_t tiles = 0;
    /// 128-bit coefficient loads of the matrix unit.
    bool use128BitConvUnitLoad = false;
    /// Element-wise functions may take a form that is only algebraically equal: the error-function GELU its
    /// tanh form, a quotient the product with an inverse.
    bool fastMath = false;
    /// The operation takes its operands as the operations before it left them, unevenly spread (a program);
    /// false: an operation of its own with operands laid out for it (`cost`).
    bool inheritedLayout = true;

    bool operator==(const PlanOptions&) const = default;
};

/// Plans by signature (operation attributes, extents, types, options, target), so identical layers cost one
/// search. Not safe for use from two threads at once.
class PlanCache {
public:
    PlanCache();
    ~PlanCache();
    PlanCache(PlanCache&&) noexcept;
    PlanCache& operator=(PlanCache&&) noexcept;

    [[nodiscard]] std::size_t size() const;

private:
    friend OperationPlan planOperation(const Operation&, std::span<const Tensor>, const IpuTarget&,
                                       const PlanOptions&, PlanCache&);
    struct Table;
    std::unique_ptr<Table> m_table;
};

/// Splits one operation over the tiles of one IPU: the cheapest plan found within the memory bound. `tensors`
/// is the graph's tensor list that the operation's ids index. Every shape is planned, none refused.
[[nodiscard]] OperationPlan planOperation(const Operation& operation, std::span<const Tensor> tensors,
                                          const IpuTarget& target, const PlanOptions& options,
                                          PlanCache& cache);

} // namespace simulator
