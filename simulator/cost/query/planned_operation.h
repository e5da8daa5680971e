#pragma once

#include "simulator/cost/query/cost_arguments.h"
#include "simulator/graph/output_rules.h"

#include <string_view>
#include <vector>

namespace simulator {

// What the files of planned operations share: the group's name, frequent keys, and how an operation of its
// own is priced.

inline constexpr std::string_view plannedGroup = "planned";

inline const CostKey typeKey{"type", CostKeyKind::Type, "float16", "element type"};
inline const CostKey tilesKey{"tiles", CostKeyKind::Integer, "0", "tiles it may use; 0: all", 0, 1e7};
inline const CostKey elementsKey{"elements", CostKeyKind::Integer, "", "elements of the result", 0, 1e15};
inline const CostKey partialsKey{"partials", CostKeyKind::Type, "float32", "type of the partial sums"};
inline const CostKey memoryKey{"available_memory_proportion",
                               CostKeyKind::Number,
                               "0.6",
                               "bound on temporary memory as a share of a tile's",
                               0,
                               100};
inline const CostKey loadKey{"use_128bit_conv_unit_load", CostKeyKind::Switch, "false",
                             "coefficients load 16 bytes per cycle"};
inline const CostKey gradientKey{"gradient", CostKeyKind::Switch, "false", "its backward pass instead"};

/// A whole-number key that has to be given, and one that has a default.
[[nodiscard]] CostKey required(std::string_view name, std::string_view meaning, double low = 0,
                               double high = 1e12);
[[nodiscard]] CostKey optional(std::string_view name, std::string_view value, std::string_view meaning,
                               double low = 0, double high = 1e12);

/// Plans an operation of its own, with operands laid out for it; `outputs` where its rule does not give them.
[[nodiscard]] CostAnswer priced(const CostArguments& arguments, OperationAttributes attributes,
                                const std::vector<TensorForm>& inputs, std::vector<TensorForm> outputs = {});

/// The geometry of kernel, stride, dilation and padding keys, the field it leaves, and extents batch × field
/// × channels.
[[nodiscard]] WindowGeometry windowOf(const CostArguments& arguments, std::size_t axes);
[[nodiscard]] Extents windowField(const WindowGeometry& window, const Extents& field);
[[nodiscard]] Extents imageExtents(const CostArguments& arguments, const Extents& field,
                                   std::string_view channels);

/// Rows of `plannedOperations`, by file.
[[nodiscard]] std::vector<PricedOperation> productOperations();
[[nodiscard]] std::vector<PricedOperation> layerOperations();
[[nodiscard]] std::vector<PricedOperation> rowOperations();
[[nodiscard]] std::vector<PricedOperation> elementwiseOperations();

} // namespace simulator
