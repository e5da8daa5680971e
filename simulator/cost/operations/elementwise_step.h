#pragma once

#include "simulator/cost/operations/plan_context.h"
#include "simulator/cost/vertex/elementwise_vertex.h"

#include <string_view>

namespace simulator {

/// Adds one element-wise compute set over `elements` elements to a tally, spread over the context's tiles.
void addElementwise(PlanTally& tally, const PlanContext& context, const ElementwiseCost& cost,
                    core::DataType type, std::int64_t elements);

/// Tiles that get at least one vector of `elements`.
[[nodiscard]] std::int64_t tilesFor(const PlanContext& context, std::int64_t elements);

/// Bytes of `elements` per tile when they are spread evenly.
[[nodiscard]] double bytesPerTile(const PlanContext& context, std::int64_t elements, core::DataType type);

/// A whole operation that is one element-wise compute set.
[[nodiscard]] OperationPlan elementwisePlan(const PlanContext& context, const ElementwiseCost& cost,
                                            std::string_view function);

inline constexpr CodeFootprint elementwiseFootprint{8, 8, 24};

} // namespace simulator
