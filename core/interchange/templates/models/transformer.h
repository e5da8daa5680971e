#pragma once

#include "core/interchange/templates/model_template.h"

namespace core {

/// What transformer layers have in common.
struct TransformerPlan {
    std::int64_t hidden = 768;
    std::int64_t heads = 12;
    std::int64_t intermediate = 3072;
    double dropout = 0.0;
    double attentionDropout = 0.0;
    double epsilon = 1e-12;
    /// Normalise the input of each half (GPT-2, ViT) instead of its sum (BERT).
    bool normalisesFirst = false;
    /// A place sees only itself and what comes before it.
    bool isCausal = false;
};

/// One layer: attention, then two dense layers, each with a sum around it. Begins a block for each half.
[[nodiscard]] TensorRef transformerLayer(TemplateBuilder& builder, const std::string& name,
                                         const TransformerPlan& plan, TensorRef x);

/// A MultiHeadAttention of `x` over itself or over `memory`.
[[nodiscard]] TensorRef attention(TemplateBuilder& builder, const std::string& name,
                                  const TransformerPlan& plan, TensorRef x,
                                  const TensorRef* memory = nullptr);

/// layers, hidden, heads, intermediate, dropout, attention_dropout with these defaults.
[[nodiscard]] std::vector<TemplateParameter> transformerParameters(std::int64_t layers, std::int64_t hidden,
                                                                   std::int64_t heads, double dropout);
/// From those parameters; refuses a hidden size that the heads do not divide.
[[nodiscard]] Result<TransformerPlan> transformerPlan(const TemplateArguments& arguments);

} // namespace core
