#pragma once

#include "core/model/layer_definition.h"

#include <cstdint>
#include <vector>

namespace core {

/// Whole numbers of a setting, one or a list; what is no number is left out.
[[nodiscard]] std::vector<std::int64_t> functionIntegers(const Json& value);
/// Shape of a constant written as nested lists.
[[nodiscard]] Shape constantFunctionShape(const Json& value);

// Shape rules of functions that move elements and compute none; `findFunctionRule` knows their names.

[[nodiscard]] RuleResult<CallFacts> describeReshape(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeTranspose(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeExpand(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeSqueeze(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeConcatenation(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeStack(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describePadding(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeTile(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeSplit(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeUnstack(const LayerCall& call);
/// The k largest of the last axis in falling order, and their positions.
[[nodiscard]] RuleResult<CallFacts> describeTopK(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeGather(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeOneHot(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeSwapAxes(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeMoveAxis(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeBroadcastTo(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeResize(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeSpaceToDepth(const LayerCall& call);
[[nodiscard]] RuleResult<CallFacts> describeDepthToSpace(const LayerCall& call);

} // namespace core
