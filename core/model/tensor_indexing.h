#pragma once

#include "core/base/json.h"
#include "core/model/layer_definition.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace core {

/// What `tensor[…]` reads along one axis: the elements begin, begin + step, …, `count` of them.
struct AxisRange {
    std::int64_t begin = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;

    /// The range of a Python slice (`start`, `stop` and `step`, each may be absent) of an axis of `extent`
    /// elements; negative bounds count from its end. Source: docs.python.org, slice.indices.
    [[nodiscard]] static AxisRange of(const Json& slice, std::int64_t extent);
};

/// One entry of the brackets, or an axis that they leave as it is.
struct IndexedAxis {
    /// The axis it reads; none makes a new axis of one element.
    std::optional<std::size_t> source;
    /// Null reads the whole axis.
    Json slice;
    /// A single index: the axis goes.
    std::optional<std::int64_t> index;
};

/// The axes of `tensor[…]` in the tensor's order, from `slice_spec` as Keras writes it: numbers, slices,
/// null for a new axis, an ellipsis; null itself stands for brackets that take everything. Refuses more
/// entries than `rank`, a second ellipsis, a step of 0 and an index that is a tensor.
[[nodiscard]] RuleResult<std::vector<IndexedAxis>> indexedAxes(const Json& spec, std::size_t rank);

} // namespace core
