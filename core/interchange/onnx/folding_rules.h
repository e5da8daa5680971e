#pragma once

#include "core/interchange/onnx/known_values.h"

namespace core {

/// Shapes and indices are short; longer tensors are data.
inline constexpr std::int64_t longestKnownValue = 65536;

/// What an operator gives for known operands; nothing where that is not known, or does not fit.
using FoldingRule = std::optional<KnownValue> (*)(const OnnxNode& node,
                                                  const std::vector<const KnownValue*>& inputs);

/// Null for operators that are not folded. An operator: its rule and row in the table of folding_rules.cpp.
[[nodiscard]] FoldingRule findFoldingRule(std::string_view operation);

// Rules that move elements (folding_movements.cpp).
[[nodiscard]] std::optional<KnownValue> foldConcat(const OnnxNode&, const std::vector<const KnownValue*>&);
[[nodiscard]] std::optional<KnownValue> foldGather(const OnnxNode&, const std::vector<const KnownValue*>&);
[[nodiscard]] std::optional<KnownValue> foldUnsqueeze(const OnnxNode&, const std::vector<const KnownValue*>&);
[[nodiscard]] std::optional<KnownValue> foldSqueeze(const OnnxNode&, const std::vector<const KnownValue*>&);
[[nodiscard]] std::optional<KnownValue> foldReshape(const OnnxNode&, const std::vector<const KnownValue*>&);
[[nodiscard]] std::optional<KnownValue> foldSlice(const OnnxNode&, const std::vector<const KnownValue*>&);
[[nodiscard]] std::optional<KnownValue> foldTranspose(const OnnxNode&, const std::vector<const KnownValue*>&);

} // namespace core
