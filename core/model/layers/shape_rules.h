#pragma once

#include "core/model/layer_definition.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace core {

// Arithmetic that the rules of many layers share.

/// A weight of the layer's variable type, its initializer read from the attribute NAME_initializer when the
/// layer has one (else from `fallback`).
[[nodiscard]] WeightSpec weight(const LayerCall& call, std::string name, Shape shape,
                                std::string_view initializerAttribute, std::string_view fallback = "zeros");
/// A weight that training never updates.
[[nodiscard]] WeightSpec state(const LayerCall& call, std::string name, Shape shape,
                               std::string_view initializerAttribute, std::string_view fallback = "zeros");

/// One output of the compute type (or of `type`), nothing else.
[[nodiscard]] CallFacts output(const LayerCall& call, Shape shape);
[[nodiscard]] CallFacts output(Shape shape, DataType type);
/// The input again, as it stands, with `flopsPerElement` operations for each element.
[[nodiscard]] CallFacts sameAsInput(const LayerCall& call, std::int64_t flopsPerElement = 0);

/// Refuses when the input's rank is not `rank`; "expects 4 axes (batch, height, width, channels), got …".
[[nodiscard]] std::optional<RuleError> requireRank(const LayerCall& call, std::size_t rank,
                                                   std::size_t input = 0);
[[nodiscard]] std::optional<RuleError> requireMinimumRank(const LayerCall& call, std::size_t rank,
                                                          std::size_t input = 0);
/// The extent of an axis that a weight's shape needs; refuses when it is free or 0.
[[nodiscard]] RuleResult<std::int64_t> requireExtent(const Shape& shape, std::size_t axis);
/// `axis` counted from the front; refuses when it lies outside `rank`.
[[nodiscard]] RuleResult<std::size_t> axisFromFront(std::int64_t axis, std::size_t rank);

[[nodiscard]] bool isChannelsFirst(const LayerAttributes& attributes);
/// Index of the channel axis, and of the first field axis, for a tensor [batch, field…, channels] or
/// [batch, channels, field…] of `rank` axes.
[[nodiscard]] std::size_t channelAxis(const LayerAttributes& attributes, std::size_t rank);
[[nodiscard]] std::size_t firstFieldAxis(const LayerAttributes& attributes);
/// [batch, field…, channels] in the layer's data format.
[[nodiscard]] Shape imageShape(const LayerAttributes& attributes, const Dimension& batch,
                               const std::vector<Dimension>& field, const Dimension& channels);

/// A product of the last axis with a kernel [features, units], plus a bias: the rule of dense layers. Reads
/// `units`, `use_bias` and the initializers of both weights.
[[nodiscard]] RuleResult<CallFacts> describeFeatureProduct(const LayerCall& call);

/// Sliding window along one axis.
struct Window {
    std::int64_t extent = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;

    /// Elements from the first to the last one touched.
    [[nodiscard]] std::int64_t span() const { return (extent - 1) * dilation + 1; }
};

/// Extent after a window slid over `input`: padding "valid" counts whole windows, "same" and "causal"
/// ceil(input / stride). Refuses when no window fits.
[[nodiscard]] RuleResult<Dimension> slideWindow(const Dimension& input, const Window& window,
                                                std::string_view padding);

/// Keras' rule for convolutions: a stride above 1 and a dilation above 1 exclude each other.
[[nodiscard]] std::optional<RuleError> refuseStridedDilation(const LayerAttributes& attributes);

/// The shapes' common shape under NumPy broadcasting; refuses when two extents differ and neither is 1.
[[nodiscard]] RuleResult<Shape> broadcastShapes(const Shape& a, const Shape& b);

/// Whether two shapes have the same extents as far as both know them, but along `except`, where one is given.
[[nodiscard]] bool agreeBut(const Shape& a, const Shape& b, std::optional<std::size_t> except);

/// The input that the call passes as `name`, else the one at `position` among the inputs passed without a
/// name; nothing when there is neither.
[[nodiscard]] std::optional<std::size_t> inputNamed(const LayerCall& call, std::string_view name,
                                                    std::size_t position);
/// A keyword argument of the call that is true.
[[nodiscard]] bool isArgumentSet(const LayerCall& call, std::string_view name);

/// Padding mode in lower case.
[[nodiscard]] std::string paddingOf(const LayerAttributes& attributes);

} // namespace core
